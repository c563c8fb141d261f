import { totalReturn } from "../engine/statistics.ts";
import { familyBlocks } from "./block-length.ts";
import type { CheckOptions } from "./check-options.ts";
import { claimPValue } from "./claims.ts";
import { coinResiduals, coveredBy } from "./coin-residuals.ts";
import { DEPENDENT_REASON } from "./family-figures.ts";
import type { FamilyResult } from "./family-test.ts";
import { inferSharpe, type SharpeInference } from "./sharpe-inference.ts";
import { verdictOf, type Verdict } from "./verdict.ts";

interface Evidence {
  readonly options: CheckOptions;
  readonly inference: SharpeInference;
  readonly family: FamilyResult | undefined;
  /** Place of the selected variant. */
  readonly place: number;
  /** Returns of the selected variant; its excess returns by default. */
  readonly record?: Float64Array;
  /** Excess returns of all variants. */
  readonly columns: readonly Float64Array[];
}

/** The verdict on the selected variant: by its family where there is a matrix, else by its own series. */
export function judge(of: Evidence): {
  readonly verdict: Verdict;
  readonly basis: "family_step_down" | "one_series";
} {
  const { options, inference, family, place, columns, record = columns[place]! } = of;
  const isMatrix = columns.length > 1;
  const coinIsAll =
    options.coin !== undefined &&
    coinResiduals(coveredBy(columns[place]!, options.coin), options.coin.returns) === undefined;
  const pCash = isMatrix ? (family?.cash[place] ?? NaN) : claimPValue(inference);
  const pCoin = isMatrix
    ? family?.coin?.[place]
    : onePAgainstCoin(columns[place]!, options.coin, inference.activeBars);
  const missing = isMatrix && family === undefined ? DEPENDENT_REASON : null;
  const verdict = verdictOf({
    pValue: coinIsAll ? NaN : Math.max(pCash, pCoin ?? 0),
    measuredTrials: columns.length,
    declaredTrials: options.nTrials,
    isMatrix,
    activeBars: inference.activeBars,
    losingBars: inference.losingBars,
    totalReturn: totalReturn(record, 0, record.length),
    hasSuspectedFlows: options.source.hasSuspectedFlows ?? false,
    realisedOnly: options.source.realisedOnly ?? false,
    isTooDependent: !isMatrix && Number.isNaN(familyBlocks(columns, place).length),
    noPValueReason: coinIsAll
      ? nothingBut(coveredBy(columns[place]!, options.coin!), options.coin!)
      : missing,
  });
  return { verdict, basis: isMatrix ? "family_step_down" : "one_series" };
}

/** Why a variant that the coin explains has no p-value of its own. */
function nothingBut(column: Float64Array, coin: { name: string; returns: Float64Array }): string {
  const product = column.reduce((sum, value, row) => sum + value * coin.returns[row]!, 0);
  return `this is ${product < 0 ? "shorting" : "holding"} ${coin.name} and nothing else`;
}

/** The same test of one series on its intercept: drift of the coin is no skill. */
function onePAgainstCoin(
  column: Float64Array,
  coin: CheckOptions["coin"],
  activeBars: number,
): number | undefined {
  const residuals =
    coin === undefined ? undefined : coinResiduals(coveredBy(column, coin), coin.returns);
  return residuals === undefined
    ? undefined
    : claimPValue({ ...inferSharpe(residuals), activeBars });
}
