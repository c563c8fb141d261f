import type { SquareMatrix } from "./correlation-matrix.ts";

/** Cluster number of each point, from 0 up without gaps. */
export type Labels = Int32Array;

/**
 * How well each point fits its cluster, from -1 to 1: `(b - a) / max(a, b)`, where a is its mean distance
 * to the rest of its own cluster and b that to the nearest other cluster; 0 for a point alone in its
 * cluster. Rousseeuw, J. of Computational and Applied Mathematics 20, 1987. NaN when there is only one
 * cluster.
 */
export function silhouettes({ size, values }: SquareMatrix, labels: Labels): Float64Array {
  const counts = clusterSizes(labels);
  const sums = new Float64Array(counts.length);
  const out = new Float64Array(size);
  for (let point = 0; point < size; point++) {
    sums.fill(0);
    for (let other = 0; other < size; other++) {
      sums[labels[other]!]! += values[point * size + other]!;
    }
    const own = labels[point]!;
    let nearest = Infinity;
    for (let cluster = 0; cluster < counts.length; cluster++) {
      if (cluster !== own) nearest = Math.min(nearest, sums[cluster]! / counts[cluster]!);
    }
    const inside = sums[own]! / (counts[own]! - 1);
    const longer = Math.max(inside, nearest);
    if (nearest === Infinity) out[point] = NaN;
    else if (counts[own] === 1 || longer === 0) out[point] = 0;
    else out[point] = (nearest - inside) / longer;
  }
  return out;
}

/** Number of points of each cluster. */
export function clusterSizes(labels: Labels): Int32Array {
  let clusters = 0;
  for (const label of labels) clusters = Math.max(clusters, label + 1);
  const sizes = new Int32Array(clusters);
  for (const label of labels) sizes[label]!++;
  return sizes;
}
