import { INDEX_WEIGHTS } from "./index-definition.ts";

/**
 * Sums over the sets of one layer, so that coins are added up in any grouping: tuning has a set of
 * 13 for each template and coin, shopping one set of all 286 for each coin.
 */
export interface LayerSums {
  readonly sets: number;
  readonly pbo: number;
  readonly rankCorrelation: number;
  /** Sharpe of the best in-sample strategy above the median strategy, in-sample and out-of-sample. */
  readonly premiumInSample: number;
  readonly premiumOutOfSample: number;
}

/** What the sets of a layer say together. */
export interface Layer {
  /** 0: the ranking persists; 50: a coin flip; above: it misleads. Not clipped. */
  readonly score: number;
  /** Mean probability of overfitting. */
  readonly pbo: number;
  /** Share of the in-sample premium of the best over the median that was left out-of-sample. */
  readonly premiumKept: number;
  /** Mean Spearman correlation of in-sample and out-of-sample Sharpe. */
  readonly rankCorrelation: number;
  readonly sets: number;
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

/** `docs/methods.md`, "The Crypto Overfitting Index": 0.4 P + 0.2 R + 0.4 C, each of which is 50 when nothing persists. */
export function layerOf(sums: LayerSums): Layer {
  const pbo = sums.pbo / sums.sets;
  const rankCorrelation = sums.rankCorrelation / sums.sets;
  const premiumKept = sums.premiumOutOfSample / sums.premiumInSample;
  const score =
    INDEX_WEIGHTS.pbo * 100 * pbo +
    INDEX_WEIGHTS.premiumKept * 50 * (1 - premiumKept) +
    INDEX_WEIGHTS.rankCorrelation * 50 * (1 - rankCorrelation);
  return { score, pbo, premiumKept, rankCorrelation, sets: sums.sets };
}
