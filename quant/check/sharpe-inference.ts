import { sharpeStandardError } from "../overfitting/probabilistic-sharpe.ts";
import { mean, variance } from "../sample-statistics.ts";
import { shapeAbout } from "../engine/statistics.ts";
import { lagSum, longRunVariance } from "./long-run-variance.ts";

/** A Sharpe ratio and its standard errors, all per bar. */
export interface SharpeInference {
  readonly bars: number;
  readonly mean: number;
  readonly deviation: number;
  readonly sharpe: number;
  readonly skew: number;
  /** Not the excess: 3 for a normal. */
  readonly kurtosis: number;
  /** Correlation of a bar's return with that of the bar before. */
  readonly autocorrelation: number;
  readonly standardErrorIid: number;
  readonly standardErrorDependent: number;
  readonly standardErrorNull: number;
  /** The largest of the three, by which a claim is measured. */
  readonly standardError: number;
  /** Bars with a return other than 0, before the risk-free rate. */
  readonly activeBars: number;
  readonly losingBars: number;
}

/**
 * The Sharpe ratio of a series, less `riskFree` per bar, with three standard errors. The series must vary.
 *
 * - `iid`: `sqrt((1 - g3 SR + (g4 - 1)/4 SR^2) / (T - 1))`, Bailey and Lopez de Prado 2012 after Mertens 2002.
 * - `dependent`: `sqrt(LRV(psi) / T)`, where `psi = z - SR/2 (z^2 - 1)` is the influence function of the Sharpe
 *   ratio (Lo 2002; Ledoit and Wolf 2008). For independent returns its variance is that of the first.
 * - `null`: `sqrt(max(1/(T - 1), LRV(z)/T))`, the spread of a strategy without an edge. The skew of a lucky
 *   sample shrinks the first error exactly when its Sharpe ratio is high; it does not shrink this one.
 */
export function inferSharpe(returns: Float64Array, riskFree = 0): SharpeInference {
  const bars = returns.length;
  const excess = riskFree === 0 ? returns : returns.map((value) => value - riskFree);
  const centre = mean(excess);
  const deviation = Math.sqrt(variance(excess));
  const sharpe = centre / deviation;
  const shape = shapeAbout({ mean: centre, deviation }, excess, 0, bars);
  const z = excess.map((value) => (value - centre) / deviation);
  const psi = z.map((value) => value - (sharpe / 2) * (value * value - 1));
  const iid = sharpeStandardError({ sharpe, observations: bars, ...shape });
  const dependent = Math.sqrt(longRunVariance(psi) / bars);
  const ofNull = Math.sqrt(Math.max(1 / (bars - 1), longRunVariance(z) / bars));
  return {
    bars,
    mean: centre,
    deviation,
    sharpe,
    ...shape,
    autocorrelation: lagSum(z, 1) / lagSum(z, 0),
    standardErrorIid: iid,
    standardErrorDependent: dependent,
    standardErrorNull: ofNull,
    standardError: Math.max(iid, dependent, ofNull),
    activeBars: returns.filter((value) => value !== 0).length,
    losingBars: returns.filter((value) => value < 0).length,
  };
}
