import type { SharpeInference } from "../check/sharpe-inference.ts";
import { normalQuantile } from "../overfitting/normal-quantile.ts";
import { quantile, variance } from "../sample-statistics.ts";
import { claimAfterLuck } from "./claim.ts";
import { eachDay, PATHS } from "./paths.ts";

const YEARS = [1, 3] as const;
/** One of this many strategies falls deeper than the deep fall. */
const ONE_IN = 20;
/** Prime to the number of paths: spreads deviations evenly over them, whatever their drifts. */
const SCATTER = 617;
const BLOCKS = 10;
/**
 * How unsure the deviation to come is, in the spread of those of ten parts of the record: with less, falls after GARCH
 * days were too deep too often. Coverage of the deep fall within one and three years, 400 records of 750 days at a Sharpe
 * ratio of 1.5: normal 96.8 and 96.8 %, GARCH(1,1) with t(4) 95.2 and 93.7 %, where 95 % would be its name.
 */
const UNSURE = 1.5;

/**
 * How deep strategies as good as a variant may fall below their highest balance within one and three years: the median and
 * what 1 in 20 exceeds, as negative fractions. They have its own days, the Sharpe ratio that luck leaves of it with its error, and a
 * deviation that is unsure, because volatility comes in clusters of which a record shows few. Null where they can't be redrawn.
 */
export function fallsOf(of: {
  readonly columns: readonly Float64Array[];
  readonly place: number;
  readonly inference: SharpeInference;
  readonly trials: number;
  readonly periodsPerYear: number;
}) {
  const { columns, place, inference, trials, periodsPerYear } = of;
  const { afterLuck: claim, error } = claimAfterLuck(of, trials);
  const [balance, highest] = [new Float64Array(PATHS).fill(1), new Float64Array(PATHS).fill(1)];
  const deepest = new Float64Array(PATHS);
  const ends = YEARS.map((years) => Math.round(years * periodsPerYear));
  const at = ends.map(() => new Float64Array(PATHS));
  const unsure = UNSURE * volatilitySpread(columns[place]!);
  const deviations = at[0]!.map((_, path) => {
    const share = (((path * SCATTER) % PATHS) + 0.5) / PATHS;
    return inference.deviation * Math.exp(unsure * normalQuantile(share));
  });
  const claimed = { claimed: columns[place]!, claim, error, periodsPerYear };
  const isDrawn = eachDay(claimed, ends.at(-1)!, (path, count, value) => {
    balance[path]! *= Math.max(0, 1 + deviations[path]! * value);
    highest[path] = Math.max(highest[path]!, balance[path]!);
    deepest[path] = Math.min(deepest[path]!, balance[path]! / highest[path]! - 1);
    const end = ends.indexOf(count);
    if (end >= 0) at[end]![path] = deepest[path]!;
  });
  if (!isDrawn) return null;
  const [year, threeYears] = at.map((falls) => ({
    median: quantile(falls, 0.5),
    deep: quantile(falls, 1 / ONE_IN),
  })) as [Fall, Fall];
  return { year, threeYears };
}

interface Fall {
  readonly median: number;
  readonly deep: number;
}

/** How far apart the deviations of ten parts of a record lie: the deviation of their logarithms. */
function volatilitySpread(returns: Float64Array): number {
  const bars = Math.floor(returns.length / BLOCKS);
  const parts = Array.from({ length: BLOCKS }, (_, block) => {
    return variance(returns.subarray(block * bars, (block + 1) * bars));
  });
  const known = parts.filter((value) => value > 0).map((value) => Math.log(value) / 2);
  return known.length > 1 ? Math.sqrt(variance(known)) : 0;
}
