import type { FamilyBlocks } from "./block-length.ts";
import type { CheckOptions } from "./check-options.ts";
import { FAMILY_RESAMPLES, familyTest, type FamilyResult } from "./family-test.ts";
import type { Panel } from "./panel.ts";
import type { FamilyFigures } from "./report.ts";

const SURVIVAL_P = 0.05;
export const DEPENDENT_REASON =
  "the record is too short: returns may depend on one another over more than a tenth of it, which leaves too few " +
  "blocks to test";
const UNTESTED_REASON = "their returns depend on one another over more bars than a block has";

/** The family tests of a matrix, or the reason for having none. Variants that need longer blocks have no p-value. */
export function familyOf(
  columns: readonly Float64Array[],
  blocks: FamilyBlocks,
  {
    coin,
    resamples,
    comparisonResamples,
    onProgress,
    place,
  }: CheckOptions & { readonly place?: number },
): { readonly result: FamilyResult | undefined; readonly reason: string | null } {
  if (columns.length < 2) return { result: undefined, reason: "a single variant is no family" };
  if (Number.isNaN(blocks.length)) return { result: undefined, reason: DEPENDENT_REASON };
  const result = familyTest(columns, {
    blockLength: blocks.length,
    coin,
    onProgress,
    ...(place === undefined ? {} : { place }),
    ...(resamples === undefined ? {} : { resamples }),
    ...(comparisonResamples === undefined ? {} : { comparisonResamples }),
  });
  const tested = (pValues: Float64Array) =>
    pValues.map((value, variant) => (blocks.suffices[variant] ? value : NaN));
  const { cash, coin: ofCoin } = result;
  return {
    result: { ...result, cash: tested(cash), coin: ofCoin && tested(ofCoin) },
    reason: null,
  };
}

/** The result as it is reported, for the selected variant. */
export function familyFigures(of: {
  panel: Panel;
  options: CheckOptions;
  blocks: FamilyBlocks;
  place: number;
  result: FamilyResult;
}): FamilyFigures {
  const { panel, options, blocks, place, result } = of;
  const { cash, coin, comparison } = result;
  // A variant that is the coin itself has no p-value against it and survives nothing.
  const larger = cash.map((value, variant) => Math.max(value, coin?.[variant] ?? 0));
  const survivors = panel.names.filter((_, variant) => larger[variant]! <= SURVIVAL_P);
  const untested = panel.names.filter((_, variant) => !blocks.suffices[variant]);
  return {
    benchmarks: coin === undefined ? ["cash"] : ["cash", "coin"],
    blockLength: blocks.length,
    blockLengthSetBy: blocks.setBy,
    resamples: options.resamples ?? FAMILY_RESAMPLES,
    pCash: cash[place]!,
    pCoin: coin?.[place] ?? NaN,
    pValue: larger[place]!,
    survivors,
    survivorCount: survivors.length,
    untested,
    untestedReason: untested.length > 0 ? UNTESTED_REASON : null,
    whitePValue: comparison.white,
    hansenPValue: comparison.hansen,
  };
}
