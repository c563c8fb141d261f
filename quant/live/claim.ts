import { correlation } from "../check/coin-returns.ts";
import { sharpeOf } from "../check/selected-variant.ts";
import { inferSharpe, type SharpeInference } from "../check/sharpe-inference.ts";
import { logNormalCdf } from "../overfitting/normal-cdf.ts";
import { normalQuantile } from "../overfitting/normal-quantile.ts";
import { median } from "../sample-statistics.ts";

const MEDIAN = 0.5;
/** The true Sharpe ratio lies below the lower limit in 1 of 40 cases. */
const LOWER = 0.975;
const HALVINGS = 200;
/** The quantiles of the truth are sought this many standard errors around the estimate. */
const FARTHEST_BELOW = 40;
const FARTHEST_ABOVE = 10;
/** Weight of the squared Sharpe ratio in the least error of a claim; see `claimAfterLuck`. */
const CLUSTERS = 10;
const CLEARLY = 1.1;

export type Claim = ReturnType<typeof claimAfterLuck>;

/** The variant that is claimed, and the others that it was chosen among. */
interface Claimed {
  readonly inference: SharpeInference;
  /** Excess returns of all measured variants; the claimed one is at `place`. */
  readonly columns: readonly Float64Array[];
  readonly index: number;
  readonly periodsPerYear: number;
}

/** A claim and its lower limit, per bar. */
interface Limits {
  readonly claim: number;
  readonly lower: number;
}

/**
 * What is known of the best of some variants, with the median standard error of all where that is clearly larger than its own:
 * the best of many is one whose record hides its dependence. With its own error alone, 18 of 100 sound strategies were
 * stopped that were the best of 200 over 250 days which overlap for 20; now it is 5.
 */
export function amongOthers(
  inference: SharpeInference,
  columns: readonly Float64Array[],
): SharpeInference {
  if (columns.length < 2) return inference;
  const usual = median(columns.map((column) => inferSharpe(column).normalError));
  return usual > CLEARLY * inference.normalError ? { ...inference, normalError: usual } : inference;
}

/**
 * What luck leaves of the Sharpe ratio of the best of N variants, N the larger of those declared and measured. Sharpe
 * ratios are annual. `afterLuck` is median-unbiased, `lower` is its lower limit (97.5 % sure), and `dependence` the
 * days of the backtest that count as one independent day.
 *
 * The standard error is at least `sqrt((1 + 10 x^2) / T)`: volatility comes in clusters, and a record shows too few of
 * them. Under GARCH(1,1) with t(4) innovations a Sharpe ratio of 3 spreads 14 to 21 % more than the sample says.
 */
export function claimAfterLuck(claimed: Claimed, trials: number) {
  const { inference, columns, periodsPerYear } = claimed;
  const { sharpe, bars, normalError } = inference;
  const error = Math.max(normalError, Math.sqrt((1 + CLUSTERS * sharpe * sharpe) / bars));
  const ofAny = bestOfAny(sharpe, error, trials);
  const threshold = trials === columns.length && trials > 1 ? thresholdOf(claimed) : NaN;
  const beating = Number.isNaN(threshold) ? undefined : beatingOthers(sharpe, error, threshold);
  const beats = beating !== undefined && beating.lower > ofAny.lower;
  const { claim, lower } = beats ? beating : ofAny;
  const byTrials = trials === 1 ? ("only_one" as const) : ("best_of_any" as const);
  const annual = Math.sqrt(periodsPerYear);
  return {
    sharpe: sharpe * annual,
    afterLuck: claim * annual,
    error: ((claim - lower) / normalQuantile(LOWER)) * annual,
    lower: lower * annual,
    method: beats ? ("beat_the_others" as const) : byTrials,
    dependence: bars * normalError * normalError,
  };
}

/**
 * The p-quantile of the largest of N standard normals, `-Phi^-1(1 - p^(1/N))`. For dependent ones it is a bound: Sidak,
 * "Rectangular confidence regions for the means of multivariate normal distributions", J. of the American Statistical
 * Association 62, 1967. The largest error bounds that of whichever variant was chosen.
 */
export function quantileOfLargest(p: number, trials: number): number {
  return -normalQuantile(-Math.expm1(Math.log(p) / trials));
}

function bestOfAny(sharpe: number, error: number, trials: number): Limits {
  return {
    claim: sharpe - quantileOfLargest(MEDIAN, trials) * error,
    lower: sharpe - quantileOfLargest(LOWER, trials) * error,
  };
}

/**
 * What the claimed Sharpe ratio had to exceed to be the highest, given how the others differ from it: the truncation
 * point of the polyhedral lemma of Lee, Sun, Sun and Taylor, "Exact post-selection inference, with application to the
 * lasso", Annals of Statistics 44, 2016. NaN where it isn't the highest.
 */
function thresholdOf({ inference, columns, index }: Claimed): number {
  const { sharpe } = inference;
  let threshold = -Infinity;
  for (const [other, column] of columns.entries()) {
    if (other === index) continue;
    const behind = sharpe - sharpeOf(column);
    if (!(behind >= 0)) return NaN;
    const apart = Math.max(1e-6, 1 - correlation(columns[index]!, column));
    threshold = Math.max(threshold, sharpe - behind / apart);
  }
  return threshold;
}

/** Andrews, Kitagawa and McCloskey, "Inference on Winners", Quarterly J. of Economics 139, 2024: the conditional form. */
function beatingOthers(sharpe: number, error: number, threshold: number): Limits {
  const truth = (p: number) => truthAt(p, { sharpe, error, threshold });
  return { claim: truth(MEDIAN), lower: truth(1 - LOWER) };
}

/** The truth at which a normal estimate that is known to exceed the threshold is at least this high with probability p. */
export function truthAt(
  p: number,
  { sharpe, error, threshold }: { sharpe: number; error: number; threshold: number },
): number {
  let below = sharpe - FARTHEST_BELOW * error;
  let above = sharpe + FARTHEST_ABOVE * error;
  for (let step = 0; step < HALVINGS; step++) {
    const truth = (below + above) / 2;
    const logShare =
      logNormalCdf((truth - sharpe) / error) - logNormalCdf((truth - threshold) / error);
    if (logShare < Math.log(p)) below = truth;
    else above = truth;
  }
  return (below + above) / 2;
}
