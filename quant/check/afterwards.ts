import { quantile } from "../sample-statistics.ts";

/** One run of the dataset: what it showed, over how many days, and what came next. Sharpe ratios are annual. */
export interface KnownRun {
  readonly coin: string;
  readonly inSampleSharpe: number;
  readonly inSampleDays: number;
  readonly laterSharpe: number;
}

/** A backtest: its annual Sharpe ratio and its length. */
interface Shown {
  readonly sharpe: number;
  readonly days: number;
}

export type LaterSharpes = ReturnType<typeof laterSharpes>;
export type Afterwards = LaterSharpes & { readonly coins: number };

const SHARPE_WITHIN = 0.25;
const LENGTH_FACTOR = 1.5;
const RUNS_PER_COIN_MAX = 10;
const COINS_MIN = 20;
/** Fewer runs have no meaningful 5 % quantile. */
const RUNS_MIN = 20;

/**
 * What came after backtests like this one: the later Sharpe ratios of the dataset's runs with a similar Sharpe ratio
 * over a similar length, the nearest ten of each coin. Undefined for fewer than 20 coins. The figures have no interval
 * because the coins share one calendar.
 */
export function afterwardsOf(known: readonly KnownRun[], shown: Shown): Afterwards | undefined {
  const byCoin = alikeByCoin(known, shown);
  if (byCoin.size < COINS_MIN) return undefined;
  const distance = ({ inSampleSharpe }: KnownRun) => Math.abs(inSampleSharpe - shown.sharpe);
  const nearest = [...byCoin.values()].flatMap((runs) =>
    runs.toSorted((a, b) => distance(a) - distance(b)).slice(0, RUNS_PER_COIN_MAX),
  );
  return { ...laterSharpes(nearest), coins: byCoin.size };
}

/** The same for all similar runs of one coin; undefined for fewer than 20. */
export function afterwardsOnCoin(
  known: readonly KnownRun[],
  coin: string,
  shown: Shown,
): LaterSharpes | undefined {
  const runs = alikeByCoin(known, shown).get(coin) ?? [];
  return runs.length < RUNS_MIN ? undefined : laterSharpes(runs);
}

/** The percentage of what came next that such a range held, by year ("Coverage" in `docs/methods.md`). */
const HELD = { least: 24, most: 97 };

/** The caveat that belongs to the figures, or why there are none. */
export function afterwardsNote(afterwards: Afterwards | undefined): string {
  if (afterwards === undefined) {
    return `fewer than ${COINS_MIN} coins have runs of a similar Sharpe ratio and length`;
  }
  return (
    `${afterwards.coins} coins, one shared market; the coins are today's board, so survivors; on coins and years left ` +
    `out, such a range held ${HELD.least} to ${HELD.most} % of what came next, by year`
  );
}

function alikeByCoin(
  known: readonly KnownRun[],
  { sharpe, days }: Shown,
): ReadonlyMap<string, readonly KnownRun[]> {
  const byCoin = new Map<string, KnownRun[]>();
  for (const run of known) {
    const near = Math.abs(run.inSampleSharpe - sharpe) <= SHARPE_WITHIN;
    const factor = run.inSampleDays / days;
    const alike = factor <= LENGTH_FACTOR && factor >= 1 / LENGTH_FACTOR;
    if (!near || !alike || Number.isNaN(run.laterSharpe)) continue;
    const runs = byCoin.get(run.coin);
    if (runs === undefined) byCoin.set(run.coin, [run]);
    else runs.push(run);
  }
  return byCoin;
}

/** `low` and `high` bound the middle nine tenths. */
function laterSharpes(runs: readonly KnownRun[]) {
  const later = runs.map(({ laterSharpe }) => laterSharpe);
  return {
    runs: later.length,
    median: quantile(later, 0.5),
    low: quantile(later, 0.05),
    high: quantile(later, 0.95),
    shareBelowZero: later.filter((value) => value < 0).length / later.length,
  };
}
