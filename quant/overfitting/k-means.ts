import type { SquareMatrix } from "./correlation-matrix.ts";
import { clusterSizes, type Labels } from "./silhouettes.ts";

/** Each of Lloyd's steps lowers the sum of squares; a handful is usual. */
const STEPS_MAX = 300;

/**
 * k-means of points known only by their squared distances: Lloyd's algorithm ("Least squares quantization
 * in PCM", IEEE Trans. on Information Theory 28, 1982), started from k-means++ centres (Arthur and
 * Vassilvitskii 2007).
 *
 * A point's squared distance to a cluster's centre is its mean squared distance to the members, minus half
 * the mean among the members. A step therefore costs one pass over the pairs, whatever the dimension and k.
 * There are fewer than k clusters when fewer points differ, or when a cluster loses its last point.
 */
export function kMeans(squares: SquareMatrix, k: number, random: () => number): Labels {
  let labels = nearestOf(squares, drawCentres(squares, k, random));
  for (let step = 0; step < STEPS_MAX; step++) {
    const next = reassigned(squares, labels);
    if (next.every((label, point) => label === labels[point])) break;
    labels = next;
  }
  return labels;
}

/**
 * Draws the first centre uniformly. For each further one it draws several candidates in proportion to the
 * squared distance from the nearest centre so far, and keeps the candidate that leaves the smallest sum of
 * those distances (the authors' greedy variant).
 */
function drawCentres({ size, values }: SquareMatrix, k: number, random: () => number): number[] {
  const centres: number[] = [];
  const nearest = new Float64Array(size).fill(Infinity);
  const sumWith = (centre: number) => {
    let sum = 0;
    for (let point = 0; point < size; point++) {
      sum += Math.min(nearest[point]!, values[centre * size + point]!);
    }
    return sum;
  };
  let next = Math.floor(random() * size);
  let left = sumWith(next);
  for (;;) {
    centres.push(next);
    for (let point = 0; point < size; point++) {
      nearest[point] = Math.min(nearest[point]!, values[next * size + point]!);
    }
    if (centres.length === k || !(left > 0)) return centres;
    const total = left;
    left = Infinity;
    for (let candidates = 2 + Math.floor(Math.log(k)); candidates > 0; candidates--) {
      const candidate = drawnByWeight(nearest, random() * total);
      const sum = sumWith(candidate);
      if (sum >= left) continue;
      next = candidate;
      left = sum;
    }
  }
}

/** Index of the weight at which the running sum, from the first weight on, exceeds `share`. */
function drawnByWeight(weights: Float64Array, share: number): number {
  let left = share;
  let last = 0;
  for (let place = 0; place < weights.length; place++) {
    if (!(weights[place]! > 0)) continue;
    last = place;
    left -= weights[place]!;
    if (left < 0) break;
  }
  return last;
}

function nearestOf({ size, values }: SquareMatrix, centres: readonly number[]): Labels {
  const labels = new Int32Array(size);
  for (let point = 0; point < size; point++) {
    let best = Infinity;
    for (const [cluster, centre] of centres.entries()) {
      const square = values[point * size + centre]!;
      if (square < best) {
        best = square;
        labels[point] = cluster;
      }
    }
  }
  return labels;
}

/**
 * Moves each point to the cluster with the nearest centre, the lowest number on a tie, and renumbers
 * without gaps.
 */
function reassigned({ size, values }: SquareMatrix, labels: Labels): Labels {
  const sizes = clusterSizes(labels);
  const clusters = sizes.length;
  const members = membersOf(labels, sizes);
  /** For each point and cluster, the squared distances to the members. */
  const sums = new Float64Array(size * clusters);
  const among = new Float64Array(clusters);
  for (let point = 0; point < size; point++) {
    let place = 0;
    for (let cluster = 0; cluster < clusters; cluster++) {
      let sum = 0;
      for (const end = place + sizes[cluster]!; place < end; place++) {
        sum += values[point * size + members[place]!]!;
      }
      sums[point * clusters + cluster] = sum;
      if (labels[point] === cluster) among[cluster]! += sum;
    }
  }
  const next = new Int32Array(size);
  for (let point = 0; point < size; point++) {
    let best = Infinity;
    for (let cluster = 0; cluster < clusters; cluster++) {
      const count = sizes[cluster]!;
      const square =
        sums[point * clusters + cluster]! / count - among[cluster]! / (2 * count * count);
      if (square < best) {
        best = square;
        next[point] = cluster;
      }
    }
  }
  return numberedOn(next);
}

/** The points of each cluster in turn, those of one in ascending order. */
function membersOf(labels: Labels, sizes: Int32Array): Int32Array {
  const places = new Int32Array(sizes.length);
  for (let cluster = 1; cluster < sizes.length; cluster++) {
    places[cluster] = places[cluster - 1]! + sizes[cluster - 1]!;
  }
  const members = new Int32Array(labels.length);
  for (let point = 0; point < labels.length; point++) members[places[labels[point]!]!++] = point;
  return members;
}

/** The same clusters, numbered from 0 in the order of their first points. */
export function numberedOn(labels: Labels): Labels {
  const numbers = new Map<number, number>();
  return labels.map((label) => {
    const number = numbers.get(label) ?? numbers.size;
    numbers.set(label, number);
    return number;
  });
}
