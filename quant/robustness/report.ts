import { randomBelow, seededRandom } from "../overfitting/seeded-random.ts";
import { mean, quantile } from "../sample-statistics.ts";
import { checksOf, pooled } from "./checks.ts";
import type { Check, CoinTally } from "./checks.ts";
import type { CoinPremiums } from "./coin-premiums.ts";
import { BLOCK_DAYS, INTERVAL_TAIL, NULL_TAIL, RESAMPLES, STREAMS } from "./definition.ts";
import type { BlockDays } from "./definition.ts";
import type { RobustnessDraw } from "./draw.ts";
import { plantedChecks } from "./planted.ts";

/** What permuted days give for a check. */
export interface NullRange {
  readonly low: number;
  readonly high: number;
  /** (1 + permutations with a premium as high) / (1 + permutations). */
  readonly p: number;
}

/** Annual growth as a fraction: the geometric mean over the cells. */
export interface WalkGrowth {
  readonly pick: number;
  readonly byDefault: number;
  readonly meanVariant: number;
  readonly hold: number;
}

/** One row of the robustness table. NaN is "no value". */
export interface RobustnessRow {
  readonly check: string;
  readonly premiumInSample: number;
  readonly premiumOutOfSample: number;
  readonly shareKept: number;
  /** Interval of the out-of-sample premium from coins drawn again. */
  readonly low: number;
  readonly high: number;
  readonly picks: number;
  readonly coins: number;
  readonly nulls: Readonly<Record<BlockDays, NullRange>>;
  /** Only of `walk_forward`. */
  readonly growth?: WalkGrowth;
}

/** The permutations of each kind. */
export type RobustnessDraws = Readonly<Record<BlockDays, readonly RobustnessDraw[]>>;

export function robustnessRows(
  coins: readonly CoinPremiums[],
  isLarge: readonly boolean[],
  of: { seed: number; draws: RobustnessDraws },
): RobustnessRow[] {
  const { seed, draws } = of;
  const checks = checksOf(coins, isLarge);
  return [...checks, ...plantedChecks(coins, seed)].map((check) => {
    const { inSample, outOfSample, picks } = pooled(check.coins);
    const row = {
      check: check.name,
      premiumInSample: inSample,
      premiumOutOfSample: outOfSample,
      shareKept: inSample > 0 ? outOfSample / inSample : NaN,
      ...intervalOf(check.coins, seed),
      picks: Math.round(picks),
      coins: check.coins.length,
      nulls: nullsOf(check, outOfSample, draws),
    };
    return check.name === "walk_forward" ? { ...row, growth: growthOf(coins) } : row;
  });
}

/** Premiums of as many coins drawn with replacement; one coin has no interval. */
function intervalOf(coins: readonly CoinTally[], seed: number): { low: number; high: number } {
  if (coins.length < 2) return { low: NaN, high: NaN };
  const random = seededRandom(seed, STREAMS.resample);
  const premiums = Array.from({ length: RESAMPLES }, () => {
    const drawn = coins.map(() => coins[randomBelow(coins.length, random)]!);
    return pooled(drawn).outOfSample;
  });
  return { low: quantile(premiums, INTERVAL_TAIL), high: quantile(premiums, 1 - INTERVAL_TAIL) };
}

function nullsOf(check: Check, observed: number, draws: RobustnessDraws) {
  const range = (blockDays: BlockDays): NullRange => {
    const known = draws[blockDays]
      .map((draw) => draw.get(check.name) ?? NaN)
      .filter((premium) => !Number.isNaN(premium));
    if (known.length === 0) return { low: NaN, high: NaN, p: NaN };
    const asHigh = known.filter((premium) => premium >= observed).length;
    return {
      low: quantile(known, NULL_TAIL),
      high: quantile(known, 1 - NULL_TAIL),
      p: (1 + asHigh) / (1 + known.length),
    };
  };
  const [short, long] = BLOCK_DAYS;
  return { [short]: range(short), [long]: range(long) } as Record<BlockDays, NullRange>;
}

/** Cells whose picks have a premium, each with the same weight. */
function growthOf(coins: readonly CoinPremiums[]): WalkGrowth {
  const cells = coins.flatMap(({ walks, holdGrowth }) =>
    walks
      .filter(({ premium }) => !Number.isNaN(premium.outOfSample))
      .map((walk) => ({ ...walk, holdGrowth })),
  );
  const annual = (logs: number[]) => Math.exp(mean(logs)) - 1;
  return {
    pick: annual(cells.map(({ pickGrowth }) => pickGrowth)),
    byDefault: annual(cells.map(({ defaultGrowth }) => defaultGrowth)),
    meanVariant: annual(cells.map(({ meanGrowth }) => meanGrowth)),
    hold: annual(cells.map(({ holdGrowth }) => holdGrowth)),
  };
}
