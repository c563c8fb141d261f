import { sampleVariance } from "simple-statistics";
import { clusterSizes, type Labels } from "./silhouettes.ts";

/**
 * One column of returns for each cluster of trials, so that a cluster counts as one trial: the members' returns weighted by the
 * inverse of their variance, the weights summing to 1, so that the wildest does not speak for all (Lopez de Prado and Lewis
 * 2019). Those are the weights of least variance for members as little correlated as can be; the paper's own, of the whole
 * covariance matrix, are noise and short positions where members are near copies, as variants of one rule are. No column
 * may be without variance.
 */
export function clusterReturns(columns: readonly Float64Array[], labels: Labels): Float64Array[] {
  const sizes = clusterSizes(labels);
  const rows = columns[0]?.length ?? 0;
  const precisions = columns.map((column) => 1 / sampleVariance(Array.from(column)));
  const totals = new Float64Array(sizes.length);
  for (const [trial, cluster] of labels.entries()) totals[cluster]! += precisions[trial]!;
  const series = Array.from(sizes, () => new Float64Array(rows));
  for (const [trial, cluster] of labels.entries()) {
    const weight = precisions[trial]! / totals[cluster]!;
    const target = series[cluster]!; // there is one for each label
    for (let row = 0; row < rows; row++) target[row]! += weight * columns[trial]![row]!;
  }
  return series;
}
