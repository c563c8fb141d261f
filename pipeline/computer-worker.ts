/** Entry point of a worker thread of `computer-threads.ts`: piscina calls these by name. */
import { COMPUTATIONS } from "./computer.ts";

export const { datasetCoin, indexCoin, indexDraw, coinPremiums, robustnessDraw } = COMPUTATIONS;
