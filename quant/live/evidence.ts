import { logNormalCdf } from "../overfitting/normal-cdf.ts";

/** Days with a return other than 0 that any verdict needs. */
export const ACTIVE_MIN = 20;
/** Losing days that an edge needs: what wins nearly always looks like an edge until it loses. */
export const LOSING_MIN = 10;
/** The e-value that counts as reached: luck ever reaches it in at most 1 of 20 records (Ville 1939). */
export const REACHED = 20;
/** Smaller deviations are rounding rather than risk. */
const FLAT_WITHIN = 1e-14;
/** The exponential of more would soon leave the range of numbers. */
const LOG_MAX = 690;
/** The annual Sharpe ratio that the mixture of `logHolds` is tuned to. */
const MIXTURE_SHARPE = 2;

/** What was known of the live record on each day: at place k - 1, the figures of its first k days. */
export interface LiveTrack {
  /** Annual Sharpe ratio. */
  readonly sharpe: Float64Array;
  readonly deviation: Float64Array;
  readonly active: Int32Array;
  readonly losing: Int32Array;
  readonly periodsPerYear: number;
}

/** How much the live days speak for something, as an e-value. */
export interface Evidence {
  /** The e-value of all days; NaN where no day could be looked at. */
  readonly today: number;
  readonly highest: number;
  /** Place of the first day on which it was reached; -1 for none. */
  readonly reachedAt: number;
}

export const NO_EVIDENCE: Evidence = { today: NaN, highest: NaN, reachedAt: -1 };

/** A claim and its error, both annual, and the days that count as one independent day. */
export interface Weights {
  readonly claim: number;
  readonly error: number;
  readonly dependence: number;
}

/**
 * The figures of the first days, for each number of days, by Welford's updates (deviations with n - 1). The risk-free
 * rate is taken off the returns but does not decide whether a day is active or losing.
 */
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

/** The daily Sharpe ratio of equal returns: that of a deviation of a hundredth of them, NaN where they are 0. */
function evenSharpe(mean: number): number {
  return Math.abs(mean) > FLAT_WITHIN ? 100 * Math.sign(mean) : NaN;
}

/** The annual Sharpe ratios that a claim is held against, each as likely: no edge, and two that lose. */
const RIVALS = [0, -1, -2];
const HALVINGS = 60;

/**
 * Logarithm of the evidence against the claim C: the mean over the rivals r of the likelihood ratio of drift r and drift
 * C, with the squared errors of both records added, `(C - r) ((C + r)/2 - m) / (e^2 + D/y)`, for C > 0. With e = 0 and one
 * rival it is Wald's, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16, 1945; a mean of
 * e-values is an e-value. What loses is found far sooner than against the rival 0 alone.
 */
export function logContradiction(
  sharpe: number,
  years: number,
  { claim, error, dependence }: Weights,
  rivals = RIVALS,
): number {
  const spread = error * error + dependence / years;
  const logs = rivals.map((rival) => ((claim - rival) * ((claim + rival) / 2 - sharpe)) / spread);
  const most = Math.max(...logs);
  const sum = logs.reduce((total, log) => total + Math.exp(log - most), 0);
  return most + Math.log(sum / rivals.length);
}

/** The annual Sharpe ratio at or below which the claim is contradicted after some years. */
export function stopSharpe(years: number, weights: Weights, rivals = RIVALS): number {
  const spread = weights.error * weights.error + weights.dependence / years;
  const ofLog = (log: number) =>
    Math.max(
      ...rivals.map(
        (rival) => (weights.claim + rival) / 2 - (log * spread) / (weights.claim - rival),
      ),
    );
  let [low, high] = [ofLog(Math.log(REACHED * rivals.length)), ofLog(Math.log(REACHED))];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (logContradiction(middle, years, weights, rivals) >= Math.log(REACHED)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Logarithm of the evidence for an edge against none: the one-sided normal mixture (Robbins, "Statistical methods related
 * to the law of the iterated logarithm", Annals of Mathematical Statistics 41, 1970; Howard, Ramdas, McAuliffe and
 * Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49, 2021:
 * `OneSidedNormalMixture` of their `confseq`) at a Sharpe ratio of 2, used as an asymptotic confidence sequence
 * (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics, 2024). `variance` is the years over the days
 * that count as one.
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

/** Evidence against the claim. */
export function contradiction(track: LiveTrack, weights: Weights): Evidence {
  if (!(weights.claim > 0)) return NO_EVIDENCE;
  return looked(track, (sharpe, years) => logContradiction(sharpe, years, weights));
}

/** Evidence for an edge against none. */
export function holds(track: LiveTrack, dependence: number): Evidence {
  return looked(track, (sharpe, years) => logHolds(sharpe, years / dependence), LOSING_MIN);
}

/** Evidence for a loss against no edge, whatever was claimed. */
export function loses(track: LiveTrack, dependence: number): Evidence {
  return looked(track, (sharpe, years) => logHolds(-sharpe, years / dependence));
}

/** The e-values of the days by which there were enough active and losing days. */
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

/** The exponential of a logarithm, or of 690 where that is less. */
export function bounded(log: number): number {
  return Math.exp(Math.min(log, LOG_MAX));
}
