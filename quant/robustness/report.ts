import { randomBelow, seededRandom } from "../overfitting/seeded-random.ts";
import { mean, quantile } from "../sample-statistics.ts";
import { checksOf, pooled, type Check, type CoinTally } from "./checks.ts";
import type { CoinPremiums } from "./coin-premiums.ts";
import { INTERVAL_TAIL, NULL_TAIL, RESAMPLES, STREAMS, type BlockDays } from "./definition.ts";
import type { RobustnessDraw } from "./draw.ts";
import { plantedChecks } from "./planted.ts";

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
  /** What permuted days give for the check. */
  readonly nulls: Readonly<Record<BlockDays, ReturnType<typeof nullRange>>>;
  /** Only of `walk_forward`. */
  readonly growth?: ReturnType<typeof growthOf>;
}

/** The permutations of each kind. */
export type RobustnessDraws = Readonly<Record<BlockDays, readonly RobustnessDraw[]>>;

export function robustnessRows(
  coins: readonly CoinPremiums[],
  isLarge: readonly boolean[],
  input: { seed: number; draws: RobustnessDraws },
): RobustnessRow[] {
  const { seed, draws } = input;
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
      nulls: {
        5: nullRange(check, outOfSample, draws[5]),
        60: nullRange(check, outOfSample, draws[60]),
      },
    };
    return check.name === "walk_forward" ? { ...row, growth: growthOf(coins) } : row;
  });
}

/** Interval of the out-of-sample premium from coins drawn again, with replacement; one coin has none. */
function intervalOf(coins: readonly CoinTally[], seed: number) {
  if (coins.length < 2) return { low: NaN, high: NaN };
  const random = seededRandom(seed, STREAMS.resample);
  const premiums = Array.from({ length: RESAMPLES }, () => {
    const drawn = coins.map(() => coins[randomBelow(coins.length, random)]!);
    return pooled(drawn).outOfSample;
  });
  return { low: quantile(premiums, INTERVAL_TAIL), high: quantile(premiums, 1 - INTERVAL_TAIL) };
}

/** Range of a check in permutations. p is (1 + permutations with a premium as high) / (1 + permutations). */
function nullRange(check: Check, observed: number, draws: readonly RobustnessDraw[]) {
  const known = draws
    .map((draw) => draw.get(check.name) ?? NaN)
    .filter((premium) => !Number.isNaN(premium));
  if (known.length === 0) return { low: NaN, high: NaN, p: NaN };
  const asHigh = known.filter((premium) => premium >= observed).length;
  return {
    low: quantile(known, NULL_TAIL),
    high: quantile(known, 1 - NULL_TAIL),
    p: (1 + asHigh) / (1 + known.length),
  };
}

/** Annual growth as a fraction: the geometric mean over the cells whose picks have a premium. */
function growthOf(coins: readonly CoinPremiums[]) {
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
