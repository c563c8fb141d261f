import { columnOf } from "../sample-statistics.ts";
import type { RunRecord } from "./record.ts";

/** The figures that the headline needs from each run. */
const OF_RUN = {
  inSampleSharpe: ({ segments }: RunRecord) => segments.inSample.sharpe,
  outOfSampleSharpe: ({ segments }: RunRecord) => segments.outOfSample.sharpe,
  wholeSharpe: ({ segments }: RunRecord) => segments.whole.sharpe,
  trades: ({ segments }: RunRecord) => segments.whole.trades,
  exposurePct: ({ segments }: RunRecord) => segments.whole.exposure * 100,
  feesPct: ({ fees }: RunRecord) => fees * 100,
  inSampleDays: ({ segments }: RunRecord) => segments.inSample.days,
  outOfSampleDays: ({ segments }: RunRecord) => segments.outOfSample.days,
} as const;

/** Runs as columns; NaN means "no value". */
export type RunColumns = Readonly<Record<keyof typeof OF_RUN, Float64Array>>;

export function runColumns(runs: readonly RunRecord[]): RunColumns {
  const columns = Object.entries(OF_RUN).map(
    ([name, valueOf]) => [name, columnOf(runs, valueOf)] as const,
  );
  return Object.fromEntries(columns) as RunColumns; // every figure has a column
}
