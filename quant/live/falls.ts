import type { SharpeInference } from "../check/sharpe-inference.ts";
import { normalQuantile } from "../overfitting/normal-quantile.ts";
import { quantile, variance } from "../sample-statistics.ts";
import { claimAfterLuck } from "./claim.ts";
import { eachPath } from "./paths.ts";

const YEARS = [1, 3] as const;
/** One of this many strategies falls deeper than the deep fall. */
const ONE_IN = 20;
/**
 * With 1,000 paths, the standard error of the falls of a record of 750 normal days would be 0.3 to 0.4 points of the median
 * and 1.0 to 1.5 of the deep fall instead of 0.5 to 0.6 and 1.5 to 2.2, for 2.5 times the work.
 */
const PATHS = 400;
/** Prime to the number of paths: spreads deviations evenly over them, whatever their drifts. */
const SCATTER = 247;
const BLOCKS = 10;
/**
 * How unsure the deviation to come is, in the spread of those of ten parts of the record: with less, falls after GARCH days
 * were too deep too often. `docs/methods.md` has the coverage on shapes that played no part in this choice.
 */
const UNSURE = 1.5;

/**
 * How deep strategies as good as a variant may fall below their highest balance within one and three years: the median and
 * what 1 in 20 exceeds, as negative fractions. They have its own days, the Sharpe ratio that luck leaves of it with its error, and a
 * deviation that is unsure, because volatility comes in clusters of which a record shows few. Null where they can't be redrawn.
 */
export function fallsOf(input: {
  readonly columns: readonly Float64Array[];
  readonly index: number;
  readonly inference: SharpeInference;
  readonly trials: number;
  readonly periodsPerYear: number;
}) {
  const { columns, index, inference, trials, periodsPerYear } = input;
  const { afterLuck: claim, error } = claimAfterLuck(input, trials);
  const ends = YEARS.map((years) => Math.round(years * periodsPerYear));
  const at = ends.map(() => new Float64Array(PATHS));
  const unsure = UNSURE * volatilitySpread(columns[index]!);
  const deviations = at[0]!.map((_, path) => {
    const share = (((path * SCATTER) % PATHS) + 0.5) / PATHS;
    return inference.deviation * Math.exp(unsure * normalQuantile(share));
  });
  const claimed = { paths: PATHS, claimed: columns[index]!, claim, error, periodsPerYear };
  const isDrawn = eachPath(claimed, ends.at(-1)!, (path, values) => {
    const deviation = deviations[path]!;
    let [share, deepest, day] = [1, 1, 0]; // of the highest balance
    for (const [index, end] of ends.entries()) {
      for (; day < end; day++) {
        share *= Math.max(0, 1 + deviation * values[day]!);
        if (share > 1) share = 1;
        else if (share < deepest) deepest = share;
      }
      at[index]![path] = deepest - 1;
    }
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
