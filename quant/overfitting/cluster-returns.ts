import { sampleVariance } from "simple-statistics";
import { clusterSizes, type Labels } from "./silhouettes.ts";

/**
 * One column of returns for each cluster of trials, so that a cluster counts as one trial (Lopez de Prado
 * and Lewis 2019).
 *
 * A column is the mean of its members' returns weighted by inverse variance, so that the most volatile
 * member does not dominate. These weights minimise the variance when members are uncorrelated. The paper
 * uses the whole covariance matrix instead; for near-copies, such as variants of one rule, those weights
 * are noise and short positions. Every column must have variance.
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
    const target = series[cluster]!; // one column exists for each label
    for (let row = 0; row < rows; row++) target[row]! += weight * columns[trial]![row]!;
  }
  return series;
}
