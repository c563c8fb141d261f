import { blockBootstrapTest } from "./block-bootstrap.ts";
import type { FamilyBlocks } from "./block-length.ts";
import type { CheckOptions } from "./check-options.ts";
import type { CheckProgress } from "./check-progress.ts";
import { coinResiduals, coveredBy, portfoliosOf } from "./coin-residuals.ts";
import type { Panel } from "./panel.ts";
import { realityCheck } from "./reality-check.ts";
import { signFlipTest } from "./sign-flips.ts";
import { stepDown } from "./step-down.ts";

/** Constant, so that the same panel always has the same p-values. */
const FAMILY_SEED = 20_261_128;
const FAMILY_RESAMPLES = 2_000;
const COMPARISON_RESAMPLES = 5_000;
const SURVIVAL_P = 0.05;
export const DEPENDENT_REASON =
  "the record is too short: returns may depend on one another over more than a tenth of it, which leaves too few " +
  "blocks to test";
const UNTESTED_REASON = "their returns depend on one another over more bars than a block has";

export type FamilyResult = ReturnType<typeof familyTest>;

/** The family tests of a matrix for the variant at `place`, or the reason for having none. */
export function familyOf(
  columns: readonly Float64Array[],
  blocks: FamilyBlocks,
  options: CheckOptions & { readonly index?: number },
): { readonly result: FamilyResult | undefined; readonly reason: string | null } {
  if (columns.length < 2) return { result: undefined, reason: "a single variant isn't a family" };
  if (Number.isNaN(blocks.length)) return { result: undefined, reason: DEPENDENT_REASON };
  return { result: familyTest(columns, blocks, options), reason: null };
}

/**
 * Tests of "no variant has an edge" for all variants together, against cash and against holding the coin. Each
 * p-value is the larger one of the block sign flips and the studentised block bootstrap: the first fails on rare
 * large losses, the second on overlapping holding periods, and the larger of both held 5 % on every shape tried.
 * Variants that need longer blocks, or that are the coin itself, have no p-value.
 */
function familyTest(
  columns: readonly Float64Array[],
  { length, suffices }: FamilyBlocks,
  options: CheckOptions & { readonly index?: number },
) {
  const { coin, onProgress, resamples, index = -1 } = options;
  const draws = resamples ?? FAMILY_RESAMPLES;
  const resampling = { blockLength: length, draws, seed: FAMILY_SEED };
  const told = (step: CheckProgress["step"]) => (done: number) =>
    onProgress?.({ step, done, total: columns.length });
  const cash = adjusted(columns, { ...resampling, index, onVariant: told("cash") });
  const ofCoin =
    coin && againstCoin(columns, coin, { ...resampling, index, onVariant: told("coin") });
  const decides = (ofCoin?.pValues[index] ?? 0) > (cash.pValues[index] ?? 0) ? ofCoin : cash;
  const tested = ({ pValues }: { pValues: Float64Array }) =>
    pValues.map((value, variant) => (suffices[variant] ? value : NaN));
  return {
    /** Adjusted p-value of each variant against cash. */
    cash: tested(cash),
    /** Against holding the coin; undefined without a coin. */
    coin: ofCoin && tested(ofCoin),
    comparison: realityCheck(columns, {
      ...resampling,
      draws: options.comparisonResamples ?? resamples ?? COMPARISON_RESAMPLES,
      onVariant: told("means"),
    }),
    /** The draws that gave the p-value of the variant at `place`, each less its statistic, in standard errors. */
    luck: index < 0 ? undefined : decides?.luck(),
  };
}

interface Resampling {
  readonly blockLength: number;
  readonly draws: number;
  readonly seed: number;
  /** The variant whose luck is wanted; -1 for none. */
  readonly index: number;
  readonly onVariant: (done: number) => void;
}

function adjusted(columns: readonly Float64Array[], resampling: Resampling) {
  const { index, onVariant } = resampling;
  const flips = stepDown(signFlipTest(columns, resampling), index);
  // Progress is that of the bootstrap, which takes the time.
  const bootstrap = stepDown(blockBootstrapTest(columns, resampling), index, onVariant);
  const isFlips = flips.pValues[index]! > bootstrap.pValues[index]!;
  return {
    pValues: flips.pValues.map((value, variant) => Math.max(value, bootstrap.pValues[variant]!)),
    luck: (isFlips ? flips : bootstrap).luck,
  };
}

/** The same tests of what is left of the variants without the coin. */
function againstCoin(
  columns: readonly Float64Array[],
  coin: NonNullable<CheckOptions["coin"]>,
  resampling: Resampling,
) {
  const portfolios = portfoliosOf(coin);
  const residuals = columns.map((column) => coinResiduals(coveredBy(column, coin), portfolios));
  const places = [...residuals.keys()].filter((variant) => residuals[variant] !== undefined);
  const tested = residuals.filter((column) => column !== undefined);
  const { pValues, luck } = adjusted(tested, {
    ...resampling,
    index: places.indexOf(resampling.index),
  });
  const all = new Float64Array(columns.length).fill(NaN);
  for (const [row, variant] of places.entries()) all[variant] = pValues[row]!;
  return { pValues: all, luck };
}

/** The result as it is reported, for the selected variant. */
export function familyFigures(input: {
  panel: Panel;
  options: CheckOptions;
  blocks: FamilyBlocks;
  index: number;
  result: FamilyResult;
}) {
  const { panel, options, blocks, index, result } = input;
  const { cash, coin, comparison } = result;
  const benchmarks: ("cash" | "coin")[] = coin === undefined ? ["cash"] : ["cash", "coin"];
  // A variant that is the coin itself has no p-value against it and survives nothing.
  const larger = cash.map((value, variant) => Math.max(value, coin?.[variant] ?? 0));
  const survivors = panel.names.filter((_, variant) => larger[variant]! <= SURVIVAL_P);
  const untested = panel.names.filter((_, variant) => !blocks.suffices[variant]);
  return {
    benchmarks,
    blockLength: blocks.length,
    blockLengthSetBy: blocks.setBy,
    resamples: options.resamples ?? FAMILY_RESAMPLES,
    pCash: cash[index]!,
    pCoin: coin?.[index] ?? NaN,
    pValue: larger[index]!,
    survivors,
    survivorCount: survivors.length,
    untested,
    untestedReason: untested.length > 0 ? UNTESTED_REASON : null,
    whitePValue: comparison.white,
    hansenPValue: comparison.hansen,
  };
}
