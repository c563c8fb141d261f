import { ACTIVE_MIN, bounded, type LiveTrack, type Weights } from "./evidence.ts";

/** A strategy as good as claimed may reach it once in so many years on average. */
const FALSE_ALARM_YEARS = 10;
/** Progress is reported for records longer than this, in days. */
const SAID_FROM = 1_500;
const SAID_EACH = 250;

/** A stretch of late that a strategy as good as claimed would rarely show. */
export interface Decay {
  /** Days after which one that is as good as claimed shows a stretch like this, on average and at the least; NaN where none. */
  readonly onceInDays: number;
  /** Place of the stretch's first day; -1 for none. */
  readonly since: number;
  /** Place of the first day on which it was rare enough; -1 for none. */
  readonly reachedAt: number;
  /** Whether it is rare enough today. */
  readonly isReached: boolean;
}

export const NO_DECAY: Decay = { onceInDays: NaN, since: -1, reachedAt: -1, isReached: false };

/** The sum of the evidence of all stretches that end on a day, and the first day of the one that weighs most. */
interface Stretches {
  readonly total: number;
  readonly since: number;
}

/**
 * The Shiryaev-Roberts e-detector: each day k, the sum over all stretches j..k that end on it of
 * `exp(C (C/2 - m_jk) / (e^2 + D/y_jk))`, m_jk the mean of the stretch over the deviation of all days so far. It grows by
 * 1 a day on average while the strategy is as good as claimed, so it reaches A after A days or more. Shin, Ramdas and
 * Rinaldo, "E-detectors: a nonparametric framework for sequential change detection", New England J. of Statistics in
 * Data Science 2, 2024; Pollak, "Optimal detection of a change in distribution", Annals of Statistics 13, 1985.
 */
export function decay(
  returns: Float64Array,
  track: LiveTrack,
  of: Weights,
  onProgress?: (done: number) => void,
): Decay {
  if (!(of.claim > 0)) return NO_DECAY;
  const stretchesTo = decayDetector(returns, track, of);
  const found = { onceInDays: NaN, since: -1, reachedAt: -1, isReached: false };
  for (let day = 0; day < returns.length; day++) {
    if (track.active[day]! < ACTIVE_MIN || Number.isNaN(track.sharpe[day])) continue;
    if (returns.length > SAID_FROM && day % SAID_EACH === 0) onProgress?.(day);
    const { total, since } = stretchesTo(day);
    found.onceInDays = total;
    found.since = since;
    found.isReached = total >= decayBound(day, track.periodsPerYear);
    if (found.isReached && found.reachedAt < 0) found.reachedAt = day;
  }
  return found;
}

/** Days after which a stretch has to be expected once, and not before, to be called decay on a day. */
export function decayBound(day: number, periodsPerYear: number): number {
  return Math.max(FALSE_ALARM_YEARS * periodsPerYear, 2 * (day + 1));
}

/** What the stretches that end on a day say; the returns are excess. */
export function decayDetector(
  returns: Float64Array,
  { deviation, periodsPerYear }: LiveTrack,
  { claim, error, dependence }: Weights,
): (day: number) => Stretches {
  const annual = Math.sqrt(periodsPerYear);
  const spreads = returns.map((_, place) => {
    const years = (place + 1) / periodsPerYear;
    return claim / (error * error + dependence / years);
  });
  return (day) => {
    const scale = annual / deviation[day]!;
    let [sum, total, most, since] = [0, 0, -Infinity, -1];
    for (let first = day; first >= 0; first--) {
      sum += returns[first]!;
      const length = day - first + 1;
      const log = spreads[length - 1]! * (claim / 2 - (sum / length) * scale);
      total += bounded(log);
      if (log >= most) [most, since] = [log, first];
    }
    return { total, since };
  };
}
