import type { Bars } from "../../../quant/bars.ts";
import type { BacktestRequest } from "../job.ts";

/** What a worker thread is given. Its columns are views of shared memory, so nothing is copied. */
export interface BacktestTask {
  readonly bars: Bars;
  readonly snapshotId: string;
  readonly request: BacktestRequest;
}
