import { deflatedSharpe, expectedMaximum } from "../overfitting/deflated-sharpe.ts";
import { haircutSharpe } from "../overfitting/haircut-sharpe.ts";
import { normalQuantile } from "../overfitting/normal-quantile.ts";
import {
  CONFIDENCE,
  minTrackRecordLength,
  probabilisticSharpe,
} from "../overfitting/probabilistic-sharpe.ts";
import { studentUpperTail } from "../overfitting/student-t.ts";
import type { SharpeInference } from "./sharpe-inference.ts";

/** The statistics of one Sharpe ratio under one standard error. Per bar; NaN is "no value". */
export interface SharpeClaims {
  readonly standardError: number;
  readonly psr: number;
  /** With the variance of trials without an edge. */
  readonly dsr: number;
  /** With the variance measured among the trials; NaN for one trial. */
  readonly dsrMeasured: number;
  /** Bars until PSR reaches 95 %. */
  readonly minTrackRecord: number;
  readonly haircutSharpe: number;
}

interface Trials {
  readonly count: number;
  /** Variance of the trials' Sharpe ratios per bar; NaN for one trial. */
  readonly variance: number;
}

/**
 * As published: the standard error for independent returns and the normal distribution. PSR and the minimum
 * track record are those of Bailey and Lopez de Prado 2012, DSR that of 2014 with V = 1 / (T - 1), the haircut
 * that of Harvey and Liu 2015 for independent tests.
 */
export function publishedClaims(of: SharpeInference, trials: Trials): SharpeClaims {
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
 * Adjusted: the largest of the standard errors, and Student's t with one degree of freedom less than there are
 * active bars. The record is `1 + T SE^2 (z / SR)^2`; the haircut takes the t-ratio SR / SE; DSR takes
 * V = SE_null^2.
 */
export function adjustedClaims(of: SharpeInference, trials: Trials): SharpeClaims {
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

/** DSR by the adjusted standard error at some number of trials, at least 1. */
export function adjustedDsr(of: SharpeInference, trials: number): number {
  return trials >= 1 ? adjustedClaims(of, { count: trials, variance: NaN }).dsr : NaN;
}
