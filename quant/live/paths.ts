import { blockLengthFor, neededBlock } from "../check/block-length.ts";
import { normalQuantile } from "../overfitting/normal-quantile.ts";
import { seededRandom } from "../overfitting/seeded-random.ts";
import { mean, variance } from "../sample-statistics.ts";

export const PATHS = 1_000;
const SEED = 20261127;

/** What is claimed of a variant, a year, and its excess returns. */
interface ClaimedSeries {
  readonly claimed: Float64Array;
  readonly claim: number;
  readonly error: number;
  readonly periodsPerYear: number;
}

/**
 * Tells the days of strategies as good as claimed, in deviations: paths of the claimed variant's own bars in circular
 * blocks (Politis and Romano 1992), whose drifts are spread evenly over the claim and its error. Returns false, without
 * any, where the variant depends on itself over too many bars to be redrawn.
 */
export function eachDay(
  of: ClaimedSeries,
  days: number,
  tell: (path: number, count: number, value: number) => void,
): boolean {
  const { claimed } = of;
  const bars = claimed.length;
  const length = blockLengthFor(Math.max(Math.cbrt(bars), neededBlock(claimed)), bars);
  if (Number.isNaN(length + of.claim)) return false;
  const [centre, spread] = [mean(claimed), Math.sqrt(variance(claimed))];
  const z = claimed.map((value) => (value - centre) / spread);
  for (let path = 0; path < PATHS; path++) {
    const normal = normalQuantile((path + 0.5) / PATHS);
    const drift = (of.claim + of.error * normal) / Math.sqrt(of.periodsPerYear);
    const random = seededRandom(SEED, path);
    let row = 0;
    for (let count = 1; count <= days; count++) {
      row = (count - 1) % length === 0 ? Math.floor(random() * bars) : (row + 1) % bars;
      tell(path, count, z[row]! + drift);
    }
  }
  return true;
}
