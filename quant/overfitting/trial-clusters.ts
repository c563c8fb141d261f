import { mean } from "../sample-statistics.ts";
import type { SquareMatrix } from "./correlation-matrix.ts";
import { seededRandom } from "./seeded-random.ts";
import { kMeans, numberedOn } from "./k-means.ts";
import { clusterSizes, silhouettes, type Labels } from "./silhouettes.ts";

/** Fixed, so that the same trials always fall into the same clusters. */
const SEED = 3_167_017;
const STARTS = 10;
const TRIALS_MIN = 3;
/** Silhouettes that differ by less than this differ only by rounding. */
const SPREAD_MIN = 1e-12;

/**
 * Clusters of trials by the correlation of their returns, the ONC algorithm: Lopez de Prado and Lewis,
 * "Detection of False Investment Strategies Using Unsupervised Learning Methods", Quantitative Finance
 * 19(9), 2019 (SSRN 3167017). The number of clusters is the number of different things that were tried.
 *
 * Two trials are `sqrt((1 - correlation) / 2)` apart, and a trial is the point whose coordinates are its
 * distances to all trials. k-means runs for every k from 2 to half the trials, from ten starts each. The
 * best result has the highest mean silhouette divided by its standard deviation, its quality. Then the
 * clusters of below-average quality are clustered again among themselves; the new clusters are kept if the
 * mean quality rises.
 *
 * Conventions:
 * - k ends at half the trials: beyond it most clusters would hold one trial, which says nothing about them.
 * - Standard deviations have the divisor n.
 * - A cluster whose silhouettes are all equal, such as a single trial, has no quality. It is left out of
 *   the mean and not clustered again.
 * - If the silhouettes of all trials are equal, as in groups of copies, their deviation counts as `SPREAD_MIN`,
 *   so that the mean decides among several such clusterings.
 * - One cluster has no silhouettes, so there are at least two unless all trials are the same.
 * - Ten starts may miss the best clusters. The seed is fixed, so the answer is always the same.
 */
export function trialClusters(matrix: SquareMatrix): Labels {
  if (matrix.size < TRIALS_MIN) {
    throw new RangeError(`clusters need at least ${TRIALS_MIN} trials, got ${matrix.size}`);
  }
  return clustersOf(matrix, 0);
}

function clustersOf(matrix: SquareMatrix, depth: number): Labels {
  const distances = distancesOf(matrix);
  const labels = bestClusters(distances, depth);
  const qualities = qualitiesOf(distances, labels);
  const before = mean(qualities);
  const weak = [...labels.keys()].filter((trial) => qualities[labels[trial]!]! < before);
  const weakClusters = qualities.filter((quality) => quality < before).length;
  if (weakClusters < 2) return labels; // each has two trials or more: one alone has no quality
  const again = clustersOf(submatrix(matrix, weak), depth + 1);
  const improved = labels.slice();
  // An offset keeps the new labels apart from those that stay.
  for (const [place, trial] of weak.entries()) improved[trial] = matrix.size + again[place]!;
  const numbered = numberedOn(improved);
  return mean(qualitiesOf(distances, numbered)) > before ? numbered : labels;
}

/** Euclidean distances of the rows of `sqrt((1 - correlation) / 2)`. */
function distancesOf({ size, values }: SquareMatrix): SquareMatrix {
  const rows = values.map((rho) => Math.sqrt(Math.max(0, 1 - rho) / 2));
  const distances = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) {
      let square = 0;
      for (let k = 0; k < size; k++) square += (rows[i * size + k]! - rows[j * size + k]!) ** 2;
      distances[i * size + j] = Math.sqrt(square);
      distances[j * size + i] = Math.sqrt(square);
    }
  }
  return { size, values: distances };
}

function bestClusters(distances: SquareMatrix, depth: number): Labels {
  const squares = {
    size: distances.size,
    values: distances.values.map((distance) => distance ** 2),
  };
  const random = seededRandom(SEED, depth);
  let best: Labels = new Int32Array(distances.size); // a single cluster, for trials that are all the same
  let highest = -Infinity;
  for (let start = 0; start < STARTS; start++) {
    for (let k = 2; k <= Math.max(2, distances.size / 2); k++) {
      const labels = kMeans(squares, k, random);
      const { mean, deviation } = spreadOf(silhouettes(distances, labels));
      const quality = mean / Math.max(deviation, SPREAD_MIN);
      if (quality > highest) {
        highest = quality;
        best = labels;
      }
    }
  }
  return best;
}

/** Quality of each cluster; NaN for one that has none. */
function qualitiesOf(distances: SquareMatrix, labels: Labels): number[] {
  const all = silhouettes(distances, labels);
  return Array.from(clusterSizes(labels), (_, cluster) => {
    const own = all.filter((_silhouette, trial) => labels[trial] === cluster);
    const { mean, deviation } = spreadOf(own);
    return deviation > SPREAD_MIN ? mean / deviation : NaN;
  });
}

function spreadOf(values: Float64Array): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / values.length) };
}

function submatrix({ size, values }: SquareMatrix, members: readonly number[]): SquareMatrix {
  const cells = members.flatMap((i) => members.map((j) => values[i * size + j]!));
  return { size: members.length, values: Float64Array.from(cells) };
}
