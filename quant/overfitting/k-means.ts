import type { SquareMatrix } from "./correlation-matrix.ts";
import { clusterSizes, type Labels } from "./silhouettes.ts";

/** Lloyd's steps lower the sum of squares each time; they are a handful. */
const STEPS_MAX = 300;

/**
 * k-means of points of which only the distances, squared, are known: Lloyd's steps ("Least squares quantization in PCM", IEEE
 * Trans. on Information Theory 28, 1982) from the centres that k-means++ draws (Arthur and Vassilvitskii 2007). A point's
 * squared distance to the centre of a cluster is its mean to the members less half the mean among them, so that a step costs
 * the number of pairs, whatever the dimensions and k. There are fewer clusters than k where fewer points differ, or
 * where a cluster loses its last point.
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
 * The first is any point; each further one is drawn in proportion to its squared distance from the nearest so far: of
 * several drawn the one that leaves the least sum of those (the authors' greedy form).
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

/** Place of the weight that a share of their sum, counted from the first on, falls into. */
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

/** Each point with the cluster whose centre is nearest, the lowest number on a tie; numbers are made to follow on. */
function reassigned({ size, values }: SquareMatrix, labels: Labels): Labels {
  const sizes = clusterSizes(labels);
  const sums = Array.from({ length: size }, (_, point) => {
    const row = new Float64Array(sizes.length);
    for (let other = 0; other < size; other++)
      row[labels[other]!]! += values[point * size + other]!;
    return row;
  });
  const among = new Float64Array(sizes.length);
  sums.forEach((row, point) => (among[labels[point]!]! += row[labels[point]!]!));
  const next = new Int32Array(size);
  sums.forEach((row, point) => {
    let best = Infinity;
    for (let cluster = 0; cluster < sizes.length; cluster++) {
      const count = sizes[cluster]!;
      const square = row[cluster]! / count - among[cluster]! / (2 * count * count);
      if (square < best) {
        best = square;
        next[point] = cluster;
      }
    }
  });
  return numberedOn(next);
}

/** The same clusters numbered from 0 in the order of their first points. */
export function numberedOn(labels: Labels): Labels {
  const numbers = new Map<number, number>();
  return labels.map((label) => {
    const number = numbers.get(label) ?? numbers.size;
    numbers.set(label, number);
    return number;
  });
}
