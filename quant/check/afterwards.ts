import { quantile } from "../sample-statistics.ts";

/** One run of the dataset: what it showed, over how many days, and what came next. Yearly Sharpe ratios. */
export interface KnownRun {
  readonly coin: string;
  readonly inSampleSharpe: number;
  readonly inSampleDays: number;
  readonly laterSharpe: number;
}

export interface Afterwards {
  readonly runs: number;
  readonly coins: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly share_below_zero: number;
}

const SHARPE_WITHIN = 0.25;
const LENGTH_FACTOR = 1.5;
const RUNS_PER_COIN_MAX = 10;
const COINS_MIN = 20;

/**
 * What came after backtests like this one: the later Sharpe ratios of the dataset's runs with a similar Sharpe ratio
 * over a similar length, the nearest ones of each coin. Undefined for fewer than 20 coins. No interval is given for
 * the figures: the coins share one calendar.
 */
export function afterwardsOf(
  known: readonly KnownRun[],
  { sharpe, days }: { readonly sharpe: number; readonly days: number },
): Afterwards | undefined {
  const byCoin = new Map<string, KnownRun[]>();
  for (const run of known) {
    const near = Math.abs(run.inSampleSharpe - sharpe) <= SHARPE_WITHIN;
    const factor = run.inSampleDays / days;
    const alike = factor <= LENGTH_FACTOR && factor >= 1 / LENGTH_FACTOR;
    if (!near || !alike || Number.isNaN(run.laterSharpe)) continue;
    byCoin.set(run.coin, [...(byCoin.get(run.coin) ?? []), run]);
  }
  if (byCoin.size < COINS_MIN) return undefined;
  const later = [...byCoin.values()].flatMap((runs) =>
    runs
      .toSorted((a, b) => Math.abs(a.inSampleSharpe - sharpe) - Math.abs(b.inSampleSharpe - sharpe))
      .slice(0, RUNS_PER_COIN_MAX)
      .map(({ laterSharpe }) => laterSharpe),
  );
  return {
    runs: later.length,
    coins: byCoin.size,
    median: quantile(later, 0.5),
    low: quantile(later, 0.05),
    high: quantile(later, 0.95),
    share_below_zero: later.filter((value) => value < 0).length / later.length,
  };
}
