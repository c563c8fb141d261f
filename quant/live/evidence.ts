import { logNormalCdf } from "../overfitting/normal-cdf.ts";

/** Nothing is judged before this many days with a return other than 0. */
export const ACTIVE_MIN = 20;
/** What wins nearly always looks like an edge until it loses. */
export const LOSING_MIN = 10;
/** Evidence that is reached: no more than 1 in 20 reaches it by luck, ever (Ville 1939). */
export const REACHED = 20;
/** Smaller deviations are rounding, not risk. */
const FLAT_WITHIN = 1e-14;
/** Beyond it, exp leaves the range of numbers. */
const LOG_MAX = 690;
/** The Sharpe ratio, a year, that the mixture of `logHolds` is made for. */
const MIXTURE_SHARPE = 2;

/** The live days as each day saw them: of the first k of them, at place k - 1. */
export interface LiveTrack {
  /** Sharpe ratio a year. */
  readonly sharpe: Float64Array;
  readonly deviation: Float64Array;
  readonly active: Int32Array;
  readonly losing: Int32Array;
  readonly periodsPerYear: number;
}

/** How much the days speak for something, as e-values. NaN where nothing was looked at. */
export interface Evidence {
  /** Of all days. */
  readonly today: number;
  readonly highest: number;
  /** Place of the first day on which it was reached; -1 for none. */
  readonly reachedAt: number;
}

/** What the days are weighed with: a claim and its error a year, and days that count as one. */
export interface Weights {
  readonly claim: number;
  readonly error: number;
  readonly dependence: number;
}

/** Means and deviations (n - 1) of the first days, by Welford's updates. Returns are excess, their signs are not. */
export function liveTrack(
  returns: Float64Array,
  { riskFree = 0, periodsPerYear }: { riskFree?: number; periodsPerYear: number },
): LiveTrack {
  const { length } = returns;
  const [sharpe, deviation] = [new Float64Array(length), new Float64Array(length)];
  const [active, losing] = [new Int32Array(length), new Int32Array(length)];
  let [mean, squares] = [0, 0];
  for (let day = 0; day < length; day++) {
    const value = returns[day]!;
    const step = value - riskFree - mean;
    mean += step / (day + 1);
    squares += step * (value - riskFree - mean);
    deviation[day] = Math.sqrt(squares / day);
    const isEven = !(deviation[day]! > FLAT_WITHIN);
    const daily = isEven ? evenSharpe(day === 0 ? 0 : mean) : mean / deviation[day]!;
    sharpe[day] = daily * Math.sqrt(periodsPerYear);
    active[day] = (active[day - 1] ?? 0) + (value === 0 ? 0 : 1);
    losing[day] = (losing[day - 1] ?? 0) + (value < 0 ? 1 : 0);
  }
  return { sharpe, deviation, active, losing, periodsPerYear };
}

/** A day's Sharpe ratio of returns that are all the same: as of a deviation of a hundredth of them. NaN of none. */
function evenSharpe(mean: number): number {
  return Math.abs(mean) > FLAT_WITHIN ? 100 * Math.sign(mean) : NaN;
}

/**
 * For no edge, against the claim: the likelihood ratio of drift 0 and drift C, with the squared errors of both records
 * added, `C (C/2 - m) / (e^2 + D/y)`, for C > 0. With e = 0 it is Wald's, "Sequential tests of statistical hypotheses",
 * Annals of Mathematical Statistics 16, 1945.
 */
export function logContradiction(sharpe: number, years: number, of: Weights): number {
  const { claim, error, dependence } = of;
  return (claim * (claim / 2 - sharpe)) / (error * error + dependence / years);
}

/**
 * For an edge, against none: the one-sided normal mixture (Robbins, "Statistical methods related to the law of the
 * iterated logarithm", Annals of Mathematical Statistics 41, 1970; Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform,
 * nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49, 2021: `OneSidedNormalMixture` of their
 * `confseq`) at a Sharpe ratio of 2, used as an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy and
 * Ramdas, Annals of Statistics, 2024). `variance` is the years over the days that count as one.
 */
export function logHolds(sharpe: number, variance: number): number {
  const scale = MIXTURE_SHARPE * MIXTURE_SHARPE * variance;
  const share = scale / (1 + scale);
  return (
    Math.LN2 -
    Math.log1p(scale) / 2 +
    (share * sharpe * sharpe * variance) / 2 +
    logNormalCdf(Math.sqrt(share * variance) * sharpe)
  );
}

export function contradiction(track: LiveTrack, of: Weights): Evidence {
  if (!(of.claim > 0)) return { today: NaN, highest: NaN, reachedAt: -1 };
  return looked(track, (sharpe, years) => logContradiction(sharpe, years, of));
}

export function holds(track: LiveTrack, dependence: number): Evidence {
  return looked(track, (sharpe, years) => logHolds(sharpe, years / dependence), LOSING_MIN);
}

/** A loss of its own, whatever was claimed. */
export function loses(track: LiveTrack, dependence: number): Evidence {
  return looked(track, (sharpe, years) => logHolds(-sharpe, years / dependence));
}

/** The e-value of each day with enough active and losing days so far. */
function looked(
  { sharpe, active, losing, periodsPerYear }: LiveTrack,
  logOf: (sharpe: number, years: number) => number,
  losingMin = 0,
): Evidence {
  const found = { today: NaN, highest: NaN, reachedAt: -1 };
  for (let day = 0; day < sharpe.length; day++) {
    if (active[day]! < ACTIVE_MIN || losing[day]! < losingMin || Number.isNaN(sharpe[day]))
      continue;
    const value = bounded(logOf(sharpe[day]!, (day + 1) / periodsPerYear));
    found.today = value;
    if (!(value <= found.highest)) found.highest = value;
    if (found.reachedAt < 0 && value >= REACHED) found.reachedAt = day;
  }
  return found;
}

/** The exponential, of what is too large that of 690. */
export function bounded(log: number): number {
  return Math.exp(Math.min(log, LOG_MAX));
}
