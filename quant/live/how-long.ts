import { DAYS_PER_YEAR } from "../calendar.ts";
import { logNormalCdf, normalCdf } from "../overfitting/normal-cdf.ts";
import { logHolds, REACHED, type Weights } from "./evidence.ts";

const LOG_REACHED = Math.log(REACHED);
/** Beyond this many years a time counts as never. */
const YEARS_MAX = 100;
const HALVINGS = 100;
/** Simulated medians are 0.68 to 0.88 of the time that a record takes if it always shows its true Sharpe ratio. */
const HOLDS_MEDIAN = 0.75;

export type HowLong = ReturnType<typeof howLong>;
export type StopTimes = NonNullable<HowLong["stop"]>["none"];

/**
 * Share of records that have contradicted the claim after some years, if the true Sharpe ratio is `truth`. The sum of
 * live returns has to fall below a straight line, so the time is inverse Gaussian (Wald 1945; Chhikara and Folks, "The
 * Inverse Gaussian Distribution", 1989, eq. 2.12). The line lies `a = ln20 D/C` below, and the sum approaches it by
 * `w = C/2 - ln20 e^2/C - truth` a year.
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

/**
 * How soon live days contradict the claim without an edge, with half of the claim and with a Sharpe ratio of -1 (null
 * where nothing is claimed), and how soon an edge of some Sharpe ratio shows. Medians are in calendar days, NaN for never.
 */
export function howLong(of: Weights) {
  const { claim, dependence } = of;
  const times = (truth: number) => ({
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
