import { blockLengthFor, neededBlock } from "../check/block-length.ts";
import { normalQuantile } from "../overfitting/normal-quantile.ts";
import { seededRandom } from "../overfitting/seeded-random.ts";
import { mean, variance } from "../sample-statistics.ts";

const SEED = 20261127;

/** What is claimed of a variant, a year, and its excess returns. */
interface ClaimedSeries {
  readonly paths: number;
  readonly claimed: Float64Array;
  readonly claim: number;
  readonly error: number;
  readonly periodsPerYear: number;
}

/**
 * Tells the days of strategies as good as claimed, in deviations: paths of the claimed variant's own bars in circular
 * blocks (Politis and Romano 1992), whose drifts are spread evenly over the claim and its error. Returns false, without
 * any, where the variant depends on itself over too many bars to be redrawn. The next path
 * overwrites the values, of which more than the days may be filled.
 */
export function eachPath(
  series: ClaimedSeries,
  days: number,
  tell: (path: number, values: Float64Array) => void,
): boolean {
  const { claimed, paths } = series;
  const bars = claimed.length;
  const length = blockLengthFor(Math.max(Math.cbrt(bars), neededBlock(claimed)), bars);
  if (Number.isNaN(length + series.claim)) return false;
  const [centre, spread] = [mean(claimed), Math.sqrt(variance(claimed))];
  // Its first bars follow its last, so that no block needs to look for the end.
  const z = Float64Array.from({ length: bars + length }, (_, row) => {
    return (claimed[row % bars]! - centre) / spread;
  });
  const values = new Float64Array(days + length);
  for (let path = 0; path < paths; path++) {
    const normal = normalQuantile((path + 0.5) / paths);
    const drift = (series.claim + series.error * normal) / Math.sqrt(series.periodsPerYear);
    const random = seededRandom(SEED, path);
    for (let start = 0; start < days; start += length) {
      const row = Math.floor(random() * bars);
      for (let day = 0; day < length; day++) values[start + day] = z[row + day]! + drift;
    }
    tell(path, values);
  }
  return true;
}
