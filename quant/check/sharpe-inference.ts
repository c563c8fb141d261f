import { sharpeStandardError } from "../overfitting/probabilistic-sharpe.ts";
import { mean, variance } from "../sample-statistics.ts";
import { shapeAbout } from "../engine/statistics.ts";
import { longRunVariance } from "./long-run-variance.ts";

/** What one series says about its Sharpe ratio. Everything is per bar. */
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
  /** The largest of the three: what a claim is measured by. */
  readonly standardError: number;
  /** Bars with a return other than 0, before the risk-free rate. */
  readonly activeBars: number;
  readonly losingBars: number;
}

/**
 * The Sharpe ratio of a series and three standard errors of it. The series is less `riskFree` a bar and must
 * vary.
 *
 * - `iid`: `sqrt((1 - g3 SR + (g4 - 1)/4 SR^2) / (T - 1))`, Bailey and Lopez de Prado 2012 after Mertens 2002.
 * - `dependent`: `sqrt(LRV(psi) / T)`, where `psi = z - SR/2 (z^2 - 1)` is the influence function of the Sharpe
 *   ratio (Lo 2002; Ledoit and Wolf 2008). For independent returns its variance is that of the first.
 * - `null`: `sqrt(max(1/(T - 1), LRV(z)/T))`, the spread of a strategy without an edge. The skew of a lucky
 *   sample shrinks the first one exactly when its Sharpe ratio is high; this one it does not.
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
    autocorrelation: autocorrelationOf(z),
    standardErrorIid: iid,
    standardErrorDependent: dependent,
    standardErrorNull: ofNull,
    standardError: Math.max(iid, dependent, ofNull),
    activeBars: count(returns, (value) => value !== 0),
    losingBars: count(returns, (value) => value < 0),
  };
}

/** First autocorrelation of a standardised series: its autocovariance over its variance. */
function autocorrelationOf(z: Float64Array): number {
  let products = 0;
  let squares = 0;
  for (let row = 0; row < z.length; row++) {
    if (row > 0) products += z[row]! * z[row - 1]!;
    squares += z[row]! * z[row]!;
  }
  return products / squares;
}

function count(values: Float64Array, holds: (value: number) => boolean): number {
  let total = 0;
  for (let row = 0; row < values.length; row++) if (holds(values[row]!)) total++;
  return total;
}
