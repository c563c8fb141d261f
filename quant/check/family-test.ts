import { blockBootstrapTest } from "./block-bootstrap.ts";
import { coinResiduals, coveredBy } from "./coin-residuals.ts";
import { realityCheck, type RealityCheck } from "./reality-check.ts";
import { signFlipTest } from "./sign-flips.ts";
import type { CheckProgress } from "./check-progress.ts";
import { stepDownPValues, type FamilyTest } from "./step-down.ts";

/** Constant, so that the same panel always has the same p-values. */
const FAMILY_SEED = 20_261_128;
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
  /** The coin's returns over the same bars, or over those from `from` on. */
  readonly coin?: { readonly returns: Float64Array; readonly from?: number } | undefined;
  readonly resamples?: number;
  readonly comparisonResamples?: number;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}

/**
 * Tests of "no variant has an edge" for all variants together. Each p-value is the larger one of the block sign
 * flips and the studentised block bootstrap: the first fails on rare large losses, the second on overlapping
 * holding periods, and the larger of both held 5 % on every shape tried.
 */
export function familyTest(columns: readonly Float64Array[], options: FamilyOptions): FamilyResult {
  const { blockLength, coin, onProgress } = options;
  const draws = options.resamples ?? FAMILY_RESAMPLES;
  const of = { blockLength, draws, seed: FAMILY_SEED };
  const told = (step: CheckProgress["step"]) => (done: number) =>
    onProgress?.({ step, done, total: columns.length });
  return {
    cash: adjustedPValues(columns, of, told("cash")),
    coin: coin === undefined ? undefined : againstCoin(columns, coin, of, told("coin")),
    comparison: realityCheck(columns, {
      ...of,
      draws: options.comparisonResamples ?? options.resamples ?? COMPARISON_RESAMPLES,
      onVariant: told("means"),
    }),
  };
}

interface Resampling {
  readonly blockLength: number;
  readonly draws: number;
  readonly seed: number;
}

function adjustedPValues(
  columns: readonly Float64Array[],
  of: Resampling,
  onVariant: (done: number) => void,
): Float64Array {
  const flips = stepDownPValues(signFlipTest(columns, of));
  // This is the test that takes time.
  const bootstrap = stepDownPValues(counted(blockBootstrapTest(columns, of), onVariant));
  return flips.map((value, variant) => Math.max(value, bootstrap[variant]!));
}

/** The same test, which counts the variants it has done. */
function counted(test: FamilyTest, onVariant: (done: number) => void): FamilyTest {
  let done = 0;
  return {
    ...test,
    redrawn(variant, out, settled) {
      test.redrawn(variant, out, settled);
      onVariant(++done);
    },
  };
}

function againstCoin(
  columns: readonly Float64Array[],
  coin: NonNullable<FamilyOptions["coin"]>,
  of: Resampling,
  onVariant: (done: number) => void,
): Float64Array {
  const residuals = columns.map((column) => coinResiduals(coveredBy(column, coin), coin.returns));
  const tested = residuals.filter((column) => column !== undefined);
  const pValues = adjustedPValues(tested, of, onVariant);
  let next = 0;
  return Float64Array.from(residuals, (column) => (column === undefined ? NaN : pValues[next++]!));
}
