import { blockBootstrapTest } from "./block-bootstrap.ts";
import { coinResiduals, coveredBy } from "./coin-residuals.ts";
import { realityCheck, type RealityCheck } from "./reality-check.ts";
import { signFlipTest } from "./sign-flips.ts";
import type { CheckProgress } from "./check-progress.ts";
import { stepDown, type FamilyTest } from "./step-down.ts";

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
  /** The draws that gave the p-value of the variant at `place`, each less its statistic, in standard errors. */
  readonly luck?: Float64Array | undefined;
}

interface FamilyOptions {
  readonly blockLength: number;
  /** The coin's returns over the same bars, or over those from `from` on. */
  readonly coin?: { readonly returns: Float64Array; readonly from?: number } | undefined;
  readonly resamples?: number;
  /** Of the variant that is judged. */
  readonly place?: number;
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
  const place = options.place ?? -1;
  const told = (step: CheckProgress["step"]) => (done: number) =>
    onProgress?.({ step, done, total: columns.length });
  const cash = adjustedPValues(columns, { ...of, place }, told("cash"));
  const ofCoin = coin && againstCoin(columns, coin, { ...of, place }, told("coin"));
  const decides = (ofCoin?.pValues[place] ?? 0) > (cash.pValues[place] ?? 0) ? ofCoin : cash;
  return {
    cash: cash.pValues,
    coin: ofCoin?.pValues,
    luck: place < 0 ? undefined : decides?.luck(),
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
  readonly place: number;
}

interface Adjusted {
  readonly pValues: Float64Array;
  readonly luck: () => Float64Array;
}

function adjustedPValues(
  columns: readonly Float64Array[],
  of: Resampling,
  onVariant: (done: number) => void,
): Adjusted {
  const { place } = of;
  const flips = stepDown(signFlipTest(columns, of), place);
  // This is the test that takes time.
  const bootstrap = stepDown(counted(blockBootstrapTest(columns, of), onVariant), place);
  const isFlips = flips.pValues[place]! > bootstrap.pValues[place]!;
  return {
    pValues: flips.pValues.map((value, variant) => Math.max(value, bootstrap.pValues[variant]!)),
    luck: (isFlips ? flips : bootstrap).luck,
  };
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
): Adjusted {
  const residuals = columns.map((column) => coinResiduals(coveredBy(column, coin), coin.returns));
  const tested = residuals.filter((column) => column !== undefined);
  const isTested = residuals[of.place] !== undefined;
  const place = residuals.slice(0, of.place).filter((column) => column !== undefined).length;
  const found = adjustedPValues(tested, { ...of, place: isTested ? place : -1 }, onVariant);
  let next = 0;
  const pValues = Float64Array.from(residuals, (column) =>
    column === undefined ? NaN : found.pValues[next++]!,
  );
  return { pValues, luck: found.luck };
}
