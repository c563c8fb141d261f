import { DAYS_PER_YEAR } from "../calendar.ts";
import { ONE_OVER_SQRT_2PI } from "../overfitting/normal-cdf.ts";
import { logContradiction, logHolds, REACHED, stopSharpe, type Weights } from "./evidence.ts";

const LOG_REACHED = Math.log(REACHED);
/** Beyond this many years a time counts as never. */
const YEARS_MAX = 100;
const HALVINGS = 100;
/** Simulated medians are 0.68 to 0.88 of the time that a record takes if it always shows its true Sharpe ratio. */
const HOLDS_MEDIAN = 0.75;

export type HowLong = ReturnType<typeof howLong>;
export type StopTimes = ReturnType<ReturnType<typeof stopTimes>>;

/** Years on which shares are summed up, evenly spaced by their logarithm. */
const STEPS = 2_000;
const YEARS_FIRST = 0.005;
const YEARS = Float64Array.from(
  { length: STEPS + 1 },
  (_, step) => YEARS_FIRST * (YEARS_MAX / YEARS_FIRST) ** (step / STEPS),
);

/**
 * Share of records that have contradicted the claim after each of `YEARS`, if the true Sharpe ratio is `truth`: the first
 * passage of the sum of live returns through the stop line, `sum sqrt(y/D) phi((truth - m) sqrt(y/D)) dm` for the Sharpe
 * ratio m on that line. It takes the tangent for the line (Daniels, "Approximating the first crossing-time density for a
 * curved boundary", Bernoulli 2, 1996), and is exact where the line is straight, for one rival.
 */
function stoppedShares(truth: number, line: Float64Array, dependence: number): Float64Array {
  const density = YEARS.map((years, step) => {
    const root = Math.sqrt(years / dependence);
    return root * ONE_OVER_SQRT_2PI * Math.exp(-(((truth - line[step]!) * root) ** 2) / 2);
  });
  let share = 0;
  return YEARS.map((_, step) => {
    if (step > 0)
      share += ((density[step]! + density[step - 1]!) / 2) * (line[step]! - line[step - 1]!);
    return Math.min(1, share);
  });
}

/** How soon a claim is contradicted, as a function of the true Sharpe ratio. */
export function stopTimes(weights: Weights, rivals?: number[]) {
  const line = YEARS.map((years) => stopSharpe(years, weights, rivals));
  return (truth: number) => {
    const shares = stoppedShares(truth, line, weights.dependence);
    const until = (years: number) => {
      const after = YEARS.findIndex((grid) => grid >= years);
      const part = (years - YEARS[after - 1]!) / (YEARS[after]! - YEARS[after - 1]!);
      return shares[after - 1]! + part * (shares[after]! - shares[after - 1]!);
    };
    const median = shares.findIndex((share) => share >= 0.5);
    return {
      share1y: until(1),
      share3y: until(3),
      medianDays: median < 0 ? NaN : Math.round(YEARS[median]! * DAYS_PER_YEAR),
    };
  };
}

/**
 * How soon live days contradict the claim without an edge, with half of the claim and with a Sharpe ratio of -1 (null
 * where nothing is claimed), and how soon an edge of some Sharpe ratio shows. Medians are in calendar days, NaN for never.
 */
export function howLong(weights: Weights) {
  const { claim, dependence } = weights;
  const times = stopTimes(weights);
  const days = (truth: number) =>
    daysUntil((years) => logHolds(truth, years / dependence) >= LOG_REACHED, HOLDS_MEDIAN);
  return {
    stop: claim > 0 ? { none: times(0), half: times(claim / 2), minusOne: times(-1) } : null,
    holdsDays: {
      claim: claim > 0 ? days(claim) : NaN,
      one: days(1),
      two: days(2),
      three: days(3),
    },
  };
}

/** Whether even an endless record without an edge need not contradict the claim. */
export function isNeverHeld(weights: Weights): boolean {
  return logContradiction(0, Infinity, weights) < LOG_REACHED;
}

/** Calendar days, times `factor`, until a condition holds that then holds for ever; NaN where that takes too long. */
function daysUntil(isTrue: (years: number) => boolean, factor = 1): number {
  if (!isTrue(YEARS_MAX / factor)) return NaN;
  let [before, after] = [0, YEARS_MAX / factor];
  for (let step = 0; step < HALVINGS; step++) {
    const years = (before + after) / 2;
    if (isTrue(years)) after = years;
    else before = years;
  }
  return Math.round(factor * after * DAYS_PER_YEAR);
}
