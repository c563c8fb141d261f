import type { KnownRun } from "../quant/check/afterwards.ts";

/** The dataset's runs on one coin: the Sharpe ratio of each, its length, and the Sharpe ratio afterwards. */
export interface CoinRuns {
  readonly coin: string;
  readonly inSampleSharpe: ArrayLike<number>;
  readonly inSampleDays: ArrayLike<number>;
  readonly laterSharpe: ArrayLike<number>;
}

/** The same as pages load it. A Sharpe ratio that doesn't exist is null. */
export interface RunsJson {
  readonly coin: string;
  readonly sharpe: readonly (number | null)[];
  readonly days: readonly number[];
  readonly later: readonly (number | null)[];
}

export const RUNS_PATH = "/dataset/runs.json";

/** JSON writes NaN as null. */
export function jsonOfRuns(runs: readonly CoinRuns[]): readonly RunsJson[] {
  return runs.map(({ coin, inSampleSharpe, inSampleDays, laterSharpe }) => ({
    coin,
    sharpe: Array.from(inSampleSharpe),
    days: Array.from(inSampleDays),
    later: Array.from(laterSharpe),
  }));
}

export function runsOfJson(json: readonly RunsJson[]): KnownRun[] {
  return json.flatMap(({ coin, sharpe, days, later }) =>
    days.map((inSampleDays, run) => ({
      coin,
      inSampleSharpe: sharpe[run] ?? NaN,
      inSampleDays,
      laterSharpe: later[run] ?? NaN,
    })),
  );
}
