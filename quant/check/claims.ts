import {
  expectedMaximum,
  deflatedSharpe,
  nullTrialsVariance,
} from "../overfitting/deflated-sharpe.ts";
import { haircutSharpe } from "../overfitting/haircut-sharpe.ts";
import { normalCdf } from "../overfitting/normal-cdf.ts";
import { normalQuantile } from "../overfitting/normal-quantile.ts";
import {
  CONFIDENCE,
  minTrackRecordLength,
  probabilisticSharpe,
} from "../overfitting/probabilistic-sharpe.ts";
import { studentTRatio, studentUpperTail } from "../overfitting/student-t.ts";
import type { SharpeInference } from "./sharpe-inference.ts";

/** The number of trials, and the variance of their Sharpe ratios per bar, which is NaN for one trial. */
interface Trials {
  readonly count: number;
  readonly variance: number;
}

/**
 * The statistics of a Sharpe ratio as published, per bar: by the standard error for independent returns and the
 * normal distribution. PSR and the minimum track record are those of Bailey and Lopez de Prado 2012, DSR that of
 * 2014 with the V of trials without skill, and with V as measured among the trials. The haircut is that of Harvey and Liu 2015
 * for independent tests, NaN for a loss.
 */
export function publishedClaims(inference: SharpeInference, trials: Trials) {
  const { bars: observations, sharpe, skew, kurtosis } = inference;
  const estimate = { sharpe, observations, skew, kurtosis };
  const deflated = (trialsVariance: number) =>
    deflatedSharpe(estimate, { trials: trials.count, trialsVariance });
  return {
    standardError: inference.standardErrorIid,
    freedom: Infinity,
    psr: probabilisticSharpe(estimate, 0),
    dsr: deflated(nullTrialsVariance(observations)),
    dsrMeasured: deflated(trials.variance),
    minTrackRecord: minTrackRecordLength(estimate, 0, CONFIDENCE),
    haircutSharpe:
      sharpe >= 0 ? haircutSharpe({ sharpe, observations, trials: trials.count }).sharpe : NaN,
  };
}

/**
 * The same statistics adjusted: by the p-value of `claimPValue`. The record is that at which it is 5 % for one try, the
 * haircut takes off what N tries add to it, and DSR takes V = SE_null^2.
 */
export function adjustedClaims(
  inference: SharpeInference,
  trials: Trials,
): ReturnType<typeof publishedClaims> {
  const { bars, sharpe, standardErrorNull } = inference;
  const maximum = expectedMaximum(trials.count);
  const ratio = sharpeAtPValue(inference, 1 - CONFIDENCE) / sharpe;
  const twoSided = -Math.expm1(trials.count * Math.log1p(-2 * claimPValue(inference)));
  return {
    standardError: inference.standardError,
    freedom: inference.freedom,
    psr: 1 - claimPValue(inference),
    dsr: 1 - claimPValue(inference, standardErrorNull * maximum),
    dsrMeasured: 1 - claimPValue(inference, Math.sqrt(trials.variance) * maximum),
    minTrackRecord: sharpe > 0 ? 1 + bars * ratio * ratio : Infinity,
    haircutSharpe: sharpe >= 0 ? Math.min(sharpe, sharpeAtPValue(inference, twoSided / 2)) : NaN,
  };
}

/**
 * The one-sided p-value of a Sharpe ratio above a benchmark: the largest by any of its errors, each by Student's t. NaN
 * with fewer than two active bars.
 */
export function claimPValue({ sharpe, errors }: ClaimErrors, benchmark = 0): number {
  const tails = errors.map(({ error, freedom }) =>
    freedom > 0 ? studentUpperTail((sharpe - benchmark) / error, freedom) : NaN,
  );
  return Math.max(...tails);
}

/** The Sharpe ratio, 0 or more, that has this p-value by the same errors. */
function sharpeAtPValue({ errors }: Pick<SharpeInference, "errors">, pValue: number): number {
  return Math.max(
    ...errors.map(({ error, freedom }) =>
      freedom > 0 ? error * studentTRatio(2 * pValue, freedom) : NaN,
    ),
  );
}

/** The least by which a record of gains is taken to hide rare losses. */
const HIDDEN_SKEW = 1;
/** Smaller p-values would leave the range of numbers. */
const P_VALUE_MIN = 1e-300;

/**
 * The p-value of one series by which it is judged: `p exp(g z^3 / (3 sqrt(k)))` for z = Phi^-1(1 - p) above 0, where k is the
 * number of active bars and `g = max(1, -skew)` of those. Beyond a few errors, the tail of a mean of skewed returns is
 * heavier than Student's by this factor (Wang, "Limit theorems for self-normalized large deviation", Electronic J. of
 * Probability 10, 2005), and the luckiest of many tries lies there. The skew of that one doesn't show it, as luck hides the
 * losses: so -1 is assumed even where the sample has none. Above z = sqrt(k)/g, where the product would rise again, it
 * stays, so that a better record never has the larger p-value.
 */
export function judgedPValue(series: JudgedSeries): number {
  const { activeBars, activeSkew } = series;
  const root = Math.sqrt(activeBars) / Math.max(HIDDEN_SKEW, -activeSkew);
  const pValue = Math.max(claimPValue(series), normalCdf(-root), P_VALUE_MIN);
  const z = Math.max(0, -normalQuantile(pValue));
  return Math.min(1, pValue * Math.exp(z ** 3 / (3 * root)));
}

type ClaimErrors = Pick<SharpeInference, "sharpe" | "errors">;
export type JudgedSeries = ClaimErrors & Pick<SharpeInference, "activeBars" | "activeSkew">;
