import { expectedMaximum, deflatedSharpe } from "../overfitting/deflated-sharpe.ts";
import { haircutSharpe } from "../overfitting/haircut-sharpe.ts";
import { normalQuantile } from "../overfitting/normal-quantile.ts";
import {
  CONFIDENCE,
  minTrackRecordLength,
  probabilisticSharpe,
} from "../overfitting/probabilistic-sharpe.ts";
import { studentUpperTail } from "../overfitting/student-t.ts";
import type { SharpeInference } from "./sharpe-inference.ts";

/** The number of trials, and the variance of their Sharpe ratios per bar, which is NaN for one trial. */
interface Trials {
  readonly count: number;
  readonly variance: number;
}

/**
 * The statistics of a Sharpe ratio as published, per bar: by the standard error for independent returns and the
 * normal distribution. PSR and the minimum track record are those of Bailey and Lopez de Prado 2012, DSR that of
 * 2014 with V = 1 / (T - 1), and with V as measured among the trials. The haircut is that of Harvey and Liu 2015
 * for independent tests, NaN for a loss.
 */
export function publishedClaims(of: SharpeInference, trials: Trials) {
  const { bars: observations, sharpe, skew, kurtosis } = of;
  const estimate = { sharpe, observations, skew, kurtosis };
  const deflated = (trialsVariance: number) =>
    deflatedSharpe(estimate, { trials: trials.count, trialsVariance });
  return {
    standardError: of.standardErrorIid,
    psr: probabilisticSharpe(estimate, 0),
    dsr: deflated(1 / (observations - 1)),
    dsrMeasured: deflated(trials.variance),
    minTrackRecord: minTrackRecordLength(estimate, 0, CONFIDENCE),
    haircutSharpe:
      sharpe >= 0 ? haircutSharpe({ sharpe, observations, trials: trials.count }).sharpe : NaN,
  };
}

/**
 * The same statistics adjusted: by the largest of the standard errors, and Student's t with one degree of freedom
 * less than there are active bars. The record is `1 + T SE^2 (z / SR)^2`, the haircut takes the t-ratio SR / SE, and
 * DSR takes V = SE_null^2.
 */
export function adjustedClaims(
  of: SharpeInference,
  trials: Trials,
): ReturnType<typeof publishedClaims> {
  const { bars, sharpe, standardError, standardErrorNull } = of;
  const probability = (benchmark: number) =>
    1 - claimPValue({ sharpe: sharpe - benchmark, standardError, activeBars: of.activeBars });
  const ratio = normalQuantile(CONFIDENCE) / sharpe;
  const tRatio = sharpe / standardError;
  const maximum = expectedMaximum(trials.count);
  return {
    standardError,
    psr: probability(0),
    dsr: probability(standardErrorNull * maximum),
    dsrMeasured: probability(Math.sqrt(trials.variance) * maximum),
    minTrackRecord:
      sharpe > 0 ? 1 + bars * standardError * standardError * ratio * ratio : Infinity,
    haircutSharpe:
      sharpe >= 0
        ? haircutSharpe({ sharpe: tRatio, observations: 1, trials: trials.count }).sharpe *
          standardError
        : NaN,
  };
}

/** The one-sided p-value of a Sharpe ratio by Student's t. */
export function claimPValue(
  of: Pick<SharpeInference, "sharpe" | "standardError" | "activeBars">,
): number {
  const freedom = of.activeBars - 1;
  return freedom >= 1 ? studentUpperTail(of.sharpe / of.standardError, freedom) : NaN;
}
