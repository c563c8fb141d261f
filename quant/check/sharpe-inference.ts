import { sharpeStandardError } from "../overfitting/probabilistic-sharpe.ts";
import { mean, variance } from "../sample-statistics.ts";
import { shapeAbout } from "../engine/statistics.ts";
import { studentUpperTail } from "../overfitting/student-t.ts";
import { errorOfMean, lagSum, type ErrorOfMean } from "./long-run-variance.ts";

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
  readonly standardErrorNull: number;
  /** The errors by which a claim is measured; the one that leaves the largest p-value counts. */
  readonly errors: readonly ErrorOfMean[];
  /** That one. */
  readonly standardError: number;
  readonly freedom: number;
  /** The largest error, with those that are estimated from few independent bars made larger for the normal distribution. */
  readonly normalError: number;
  /** Bars with a return other than 0, before the risk-free rate. */
  readonly activeBars: number;
  readonly losingBars: number;
  /** Skew of the active bars. */
  readonly activeSkew: number;
}

/** The normal deviation beyond which 5 % lie. */
const NORMAL_5 = 1.645;

/**
 * The Sharpe ratio of a series, less `riskFree` per bar, with the errors that it may have. The series must vary. `record`
 * has the bars that are active, where those of the series itself are not: of what is left without a coin.
 *
 * - `iid`: `sqrt((1 - g3 SR + (g4 - 1)/4 SR^2) / (T - 1))`, Bailey and Lopez de Prado 2012 after Mertens 2002.
 * - `null`: the larger of `1/sqrt(T - 1)` and the error of the mean of z, the spread of a strategy without an edge. The
 *   skew of a lucky sample shrinks the first error exactly when its Sharpe ratio is high; it does not shrink this one.
 * - dependent: that of the mean of `psi = z - SR/2 (z^2 - 1)`, the influence function of the Sharpe ratio (Lo 2002; Ledoit
 *   and Wolf 2008). For independent returns its variance is that of the first.
 */
export function inferSharpe(
  returns: Float64Array,
  riskFree = 0,
  record: Float64Array = returns,
): SharpeInference {
  const bars = returns.length;
  const excess = riskFree === 0 ? returns : returns.map((value) => value - riskFree);
  const centre = mean(excess);
  const deviation = Math.sqrt(variance(excess));
  const sharpe = centre / deviation;
  const shape = shapeAbout({ mean: centre, deviation }, excess, 0, bars);
  const z = excess.map((value) => (value - centre) / deviation);
  const psi = z.map((value) => value - (sharpe / 2) * (value * value - 1));
  const active = record.filter((value) => value !== 0);
  const iid = sharpeStandardError({ sharpe, observations: bars, ...shape });
  const white = 1 / Math.sqrt(bars - 1);
  const [ofPsi, ofZ] = [errorOfMean(psi), errorOfMean(z)];
  const freedomMax = active.length - 1;
  const capped = ({ error, freedom }: ErrorOfMean) => ({
    error,
    freedom: Math.min(freedom, freedomMax),
  });
  const errors = [
    { error: iid, freedom: freedomMax },
    { error: white, freedom: freedomMax },
    capped(ofPsi),
    capped(ofZ),
  ];
  const hardest = hardestOf(errors, Math.abs(sharpe));
  return {
    bars,
    mean: centre,
    deviation,
    sharpe,
    ...shape,
    autocorrelation: lagSum(z, 1) / lagSum(z, 0),
    standardErrorIid: iid,
    standardErrorNull: Math.max(white, ofZ.error),
    errors,
    standardError: hardest.error,
    freedom: hardest.freedom,
    normalError: Math.max(iid, white, normalErrorOf(ofPsi), normalErrorOf(ofZ)),
    activeBars: active.length,
    losingBars: record.filter((value) => value < 0).length,
    activeSkew: skewOf(active),
  };
}

/** The first error by which a Sharpe ratio has the largest p-value. */
function hardestOf(errors: readonly ErrorOfMean[], sharpe: number): ErrorOfMean {
  const p = ({ error, freedom }: ErrorOfMean) => studentUpperTail(sharpe / error, freedom);
  return errors.reduce((hardest, error) => (p(error) > p(hardest) ? error : hardest));
}

/** Cornish and Fisher's first term takes Student's t to the normal distribution, here where 5 % lie beyond. */
function normalErrorOf({ error, freedom }: ErrorOfMean): number {
  return error * (1 + (NORMAL_5 * NORMAL_5 + 1) / (4 * freedom));
}

/** Divisor n; 0 for fewer than two values, or equal ones. */
function skewOf(values: Float64Array): number {
  const deviation = Math.sqrt(variance(values));
  return deviation > 0
    ? shapeAbout({ mean: mean(values), deviation }, values, 0, values.length).skew
    : 0;
}
