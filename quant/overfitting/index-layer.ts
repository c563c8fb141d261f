import { INDEX_WEIGHTS } from "./index-definition.ts";

export type Layer = ReturnType<typeof layerOf>;

/**
 * Sums over the sets of one layer, which can be added in any grouping of coins. The tuning layer has one
 * set of 13 for each template and coin; the shopping layer has one set of all 286 for each coin.
 */
export interface LayerSums {
  readonly sets: number;
  readonly pbo: number;
  readonly rankCorrelation: number;
  /** Annual Sharpe of the best in-sample strategy minus the median Sharpe of its set, in either period. */
  readonly premiumInSample: number;
  readonly premiumOutOfSample: number;
}

export function addLayers(sums: readonly LayerSums[]): LayerSums {
  const total = { sets: 0, pbo: 0, rankCorrelation: 0, premiumInSample: 0, premiumOutOfSample: 0 };
  for (const layer of sums) {
    total.sets += layer.sets;
    total.pbo += layer.pbo;
    total.rankCorrelation += layer.rankCorrelation;
    total.premiumInSample += layer.premiumInSample;
    total.premiumOutOfSample += layer.premiumOutOfSample;
  }
  return total;
}

/**
 * The score of a layer, not clipped, and its components: the mean PBO, the share of the in-sample premium that
 * was left out-of-sample, and the mean rank correlation. The score is 0.4 P + 0.2 R + 0.4 C, where each
 * component is 50 when nothing persists (`docs/methods.md`, "The Crypto Overfitting Index").
 */
export function layerOf(sums: LayerSums) {
  const pbo = sums.pbo / sums.sets;
  const rankCorrelation = sums.rankCorrelation / sums.sets;
  const premiumKept = sums.premiumOutOfSample / sums.premiumInSample;
  const score =
    INDEX_WEIGHTS.pbo * 100 * pbo +
    INDEX_WEIGHTS.premiumKept * 50 * (1 - premiumKept) +
    INDEX_WEIGHTS.rankCorrelation * 50 * (1 - rankCorrelation);
  return { score, pbo, premiumKept, rankCorrelation, sets: sums.sets };
}
