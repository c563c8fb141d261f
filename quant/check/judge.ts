import { totalReturn } from "../engine/statistics.ts";
import { familyBlocks } from "./block-length.ts";
import type { CheckOptions } from "./check-options.ts";
import { judgedPValue } from "./claims.ts";
import { coinResiduals, coveredBy, portfoliosOf } from "./coin-residuals.ts";
import { DEPENDENT_REASON, type FamilyResult } from "./family-figures.ts";
import { inferSharpe, type SharpeInference } from "./sharpe-inference.ts";
import { verdictOf, type Verdict, type VerdictInput } from "./verdict.ts";

interface Evidence {
  readonly options: CheckOptions;
  readonly inference: SharpeInference;
  readonly family: FamilyResult | undefined;
  /** Place of the selected variant. */
  readonly index: number;
  /** Returns of the selected variant; its excess returns by default. */
  readonly record?: Float64Array;
  /** Excess returns of all variants. */
  readonly columns: readonly Float64Array[];
  readonly early?: VerdictInput["early"];
  /** Whether they are a few finished variants; by default, whether there is only one. */
  readonly isHandful?: boolean;
}

interface Judgement {
  readonly verdict: Verdict;
  readonly basis: "family_step_down" | "one_series";
  /** One series or what is left of it without the coin, the one with the larger p-value. */
  readonly judged: SharpeInference;
}

/** The verdict on the selected variant: by its family where there is a matrix, else by its own series. */
export function judge(evidence: Evidence): Judgement {
  const { options, inference, family, index, columns } = evidence;
  const { coin, source } = options;
  const column = columns[index]!;
  const { record = column } = evidence;
  const isMatrix = columns.length > 1;
  const left = coin && coinResiduals(coveredBy(column, coin), portfoliosOf(coin));
  const judged = isMatrix
    ? inference
    : harderOf(inference, left && inferSharpe(left, 0, coveredBy(record, coin!)));
  const pFamily = Math.max(family?.cash[index] ?? NaN, family?.coin?.[index] ?? 0);
  const noFamilyReason = isMatrix && family === undefined ? DEPENDENT_REASON : null;
  const coinReason = coin && left === undefined ? nothingBut(column, coin) : null;
  const verdict = verdictOf({
    pValue: coinReason !== null ? NaN : isMatrix ? pFamily : judgedPValue(judged),
    measuredTrials: columns.length,
    declaredTrials: options.nTrials,
    isHandful: evidence.isHandful ?? !isMatrix,
    activeBars: inference.activeBars,
    losingBars: inference.losingBars,
    totalReturn: totalReturn(record, 0, record.length),
    hasSuspectedFlows: source.hasSuspectedFlows ?? false,
    early: evidence.early,
    realisedOnly: source.realisedOnly ?? false,
    isTooDependent: !isMatrix && Number.isNaN(familyBlocks(columns, index).length),
    noPValueReason: coinReason ?? noFamilyReason,
  });
  return { verdict, basis: isMatrix ? "family_step_down" : "one_series", judged };
}

/** Drift of the coin isn't skill, so a series is also tested without it. */
function harderOf(inference: SharpeInference, without?: SharpeInference): SharpeInference {
  if (without === undefined) return inference;
  return judgedPValue(without) > judgedPValue(inference) ? without : inference;
}

/** Why a variant that the coin explains has no p-value of its own. */
function nothingBut(column: Float64Array, coin: NonNullable<CheckOptions["coin"]>): string {
  if (coin.basket !== undefined) return `this is holding ${coin.name} and nothing else`;
  const product = coveredBy(column, coin).reduce(
    (sum, value, row) => sum + value * coin.returns[row]!,
    0,
  );
  return `this is ${product < 0 ? "shorting" : "holding"} ${coin.name} and nothing else`;
}
