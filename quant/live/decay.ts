import { ACTIVE_MIN, bounded, type LiveTrack, type Weights } from "./evidence.ts";

/** Years after which a strategy as good as claimed has a false alarm, on average. */
const FALSE_ALARM_YEARS = 10;
/** Days from which a record is long enough for progress to be reported. */
const SAID_FROM = 1_500;
const SAID_EACH = 250;

export type Decay = ReturnType<typeof decay>;

/**
 * Whether the live record ends with a stretch that a strategy as good as claimed would rarely show, by the
 * Shiryaev-Roberts e-detector: each day k, the sum over all stretches j..k that end on it of
 * `exp(C (C/2 - m_jk) / (e^2 + D/y_jk))`, m_jk the mean of the stretch over the deviation of all days so far. It grows by
 * 1 a day on average while the strategy is as good as claimed, so it reaches A after A days or more. Shin, Ramdas and
 * Rinaldo, "E-detectors: a nonparametric framework for sequential change detection", New England J. of Statistics in
 * Data Science 2, 2024; Pollak, "Optimal detection of a change in distribution", Annals of Statistics 13, 1985.
 */
export function decay(
  returns: Float64Array,
  track: LiveTrack,
  weights: Weights,
  onProgress?: (done: number) => void,
) {
  const found = {
    /** The least days after which such a strategy shows a stretch like this, on average; NaN where none. */
    onceInDays: NaN,
    /** Place of the stretch's first day; -1 for none. */
    since: -1,
    /** Place of the first day on which a stretch was rare enough; -1 for none. */
    reachedAt: -1,
    /** Whether the stretch is rare enough today. */
    isReached: false,
  };
  if (!(weights.claim > 0)) return found;
  const stretchesTo = decayDetector(returns, track, weights);
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

/** How rare a stretch has to be on a day to be called decay, in days after which it is expected once. */
export function decayBound(day: number, periodsPerYear: number): number {
  return Math.max(FALSE_ALARM_YEARS * periodsPerYear, 2 * (day + 1));
}

/**
 * For a day, the sum of the evidence of all stretches that end on it, and the first day of the one that weighs most.
 * Returns are excess returns.
 */
export function decayDetector(
  returns: Float64Array,
  { deviation, periodsPerYear }: LiveTrack,
  { claim, error, dependence }: Weights,
) {
  const annual = Math.sqrt(periodsPerYear);
  const spreads = returns.map((_, index) => {
    const years = (index + 1) / periodsPerYear;
    return claim / (error * error + dependence / years);
  });
  return (day: number) => {
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
