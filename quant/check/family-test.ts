import { blockBootstrapTest } from "./block-bootstrap.ts";
import { coinResiduals } from "./coin-residuals.ts";
import { realityCheck, type RealityCheck } from "./reality-check.ts";
import { signFlipTest } from "./sign-flips.ts";
import { stepDownPValues } from "./step-down.ts";

/** Constant, so that the same panel always has the same p-values. */
export const FAMILY_SEED = 20_261_128;
export const FAMILY_RESAMPLES = 2_000;
const COMPARISON_RESAMPLES = 5_000;

export interface FamilyResult {
  /** Adjusted p-value of each variant against cash. */
  readonly cash: Float64Array;
  /** Against holding the coin; NaN for a variant that is the coin itself. Undefined without a coin. */
  readonly coin: Float64Array | undefined;
  readonly comparison: RealityCheck;
}

interface FamilyOptions {
  readonly blockLength: number;
  /** The coin's returns over the same bars. */
  readonly coin?: Float64Array | undefined;
  readonly resamples?: number;
}

/**
 * Tests of "no variant has an edge" for all variants together. Each p-value is the larger one of the block sign
 * flips and the studentised block bootstrap: the first fails on rare large losses, the second on overlapping
 * holding periods, and the larger of both held 5 % on every shape tried.
 */
export function familyTest(columns: readonly Float64Array[], options: FamilyOptions): FamilyResult {
  const { blockLength, coin } = options;
  const draws = options.resamples ?? FAMILY_RESAMPLES;
  const comparison = {
    blockLength,
    draws: options.resamples ?? COMPARISON_RESAMPLES,
    seed: FAMILY_SEED,
  };
  return {
    cash: adjustedPValues(columns, { blockLength, draws }),
    coin: coin === undefined ? undefined : againstCoin(columns, { blockLength, draws, coin }),
    comparison: realityCheck(columns, comparison),
  };
}

function adjustedPValues(
  columns: readonly Float64Array[],
  of: { blockLength: number; draws: number },
): Float64Array {
  const options = { ...of, seed: FAMILY_SEED };
  const flips = stepDownPValues(signFlipTest(columns, options));
  const bootstrap = stepDownPValues(blockBootstrapTest(columns, options));
  return flips.map((value, variant) => Math.max(value, bootstrap[variant]!));
}

function againstCoin(
  columns: readonly Float64Array[],
  of: { blockLength: number; draws: number; coin: Float64Array },
): Float64Array {
  const residuals = columns.map((column) => coinResiduals(column, of.coin));
  const tested = residuals.filter((column) => column !== undefined);
  const pValues = adjustedPValues(tested, of);
  let next = 0;
  return Float64Array.from(residuals, (column) => (column === undefined ? NaN : pValues[next++]!));
}
