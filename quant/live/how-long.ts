import { DAYS_PER_YEAR } from "../calendar.ts";
import { logNormalCdf, normalCdf } from "../overfitting/normal-cdf.ts";
import { logHolds, REACHED, type Weights } from "./evidence.ts";

const LOG_REACHED = Math.log(REACHED);
/** Longer is never. */
const YEARS_MAX = 100;
const HALVINGS = 100;
/** Simulated medians are 0.68 to 0.88 of the time at which a record that shows just its true Sharpe ratio gets there. */
const HOLDS_MEDIAN = 0.75;

/** How soon live days of some true Sharpe ratio contradict the claim. */
export interface StopTimes {
  readonly share1y: number;
  readonly share3y: number;
  /** Days of the calendar; NaN where it is never. */
  readonly medianDays: number;
}

export interface HowLong {
  /** Without an edge, with half of the claim, and with a Sharpe ratio of -1; null where nothing is claimed. */
  readonly stop: {
    readonly none: StopTimes;
    readonly half: StopTimes;
    readonly minusOne: StopTimes;
  } | null;
  /** Days of the calendar until an edge of that Sharpe ratio shows, as a median; NaN where it never does. */
  readonly holdsDays: {
    readonly claim: number;
    readonly one: number;
    readonly two: number;
    readonly three: number;
  };
}

/**
 * Share that has contradicted the claim after some years, if the true Sharpe ratio is `truth`. The sum of live returns
 * has to fall below a straight line, so the time is inverse Gaussian (Wald 1945; Chhikara and Folks, "The Inverse
 * Gaussian Distribution", 1989, eq. 2.12): `a = ln20 D/C` below, `w = C/2 - ln20 e^2/C - truth` a year towards it.
 */
export function stoppedShare(years: number, truth: number, of: Weights): number {
  const { claim, error, dependence } = of;
  const distance = (LOG_REACHED * dependence) / claim;
  const speed = claim / 2 - (LOG_REACHED * error * error) / claim - truth;
  const log = (2 * distance * speed) / dependence;
  if (years === Infinity) return speed >= 0 ? 1 : Math.exp(log);
  const root = Math.sqrt(dependence * years);
  return (
    normalCdf((speed * years - distance) / root) +
    Math.exp(log + logNormalCdf(-(speed * years + distance) / root))
  );
}

export function howLong(of: Weights): HowLong {
  const { claim, dependence } = of;
  const times = (truth: number): StopTimes => ({
    share1y: stoppedShare(1, truth, of),
    share3y: stoppedShare(3, truth, of),
    medianDays: daysUntil((years) => stoppedShare(years, truth, of) >= 0.5),
  });
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

/** Whether even an endless record without an edge need not contradict the claim: e >= C / sqrt(2 ln 20). */
export function isNeverHeld({ claim, error }: Weights): boolean {
  return error >= claim / Math.sqrt(2 * LOG_REACHED);
}

/** Days of the calendar, times `factor`, until something that stays true becomes true; NaN where that takes too long. */
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
