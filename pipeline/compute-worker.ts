/** Entry point of a worker thread of `compute-threads.ts`: piscina calls these by name. */
import { COMPUTATIONS } from "./compute-pool.ts";

export const { datasetCoin, indexCoin, indexDraw, coinPremiums, robustnessDraw } = COMPUTATIONS;
