import { studentTRatio } from "../overfitting/student-t.ts";
import { pickOf } from "../robustness/cell-premium.ts";
import { cutAt, sharpeBetween, sharpeOfSums, type RunTracks } from "../robustness/run-track.ts";
import { mean } from "../sample-statistics.ts";

/** How to split the days: a number of tests in the second half, or training and tests of fixed lengths in turn. */
export type Folds = number | { readonly trainDays: number; readonly testDays: number };

/** Rows, counted from the first day of the study: a set is chosen on the first span and followed over the second. */
export interface Fold {
  readonly trainFrom: number;
  readonly split: number;
  readonly end: number;
}

export const FOLDS_MAX = 200;
/** Days that a test, and a choice before it, need at least to say anything. */
const TEST_DAYS_MIN = 5;
const TRAIN_DAYS_MIN = 30;

/** The adjoining tests of a study, oldest first. Throws RangeError where the days do not suffice. */
export function foldsOf(folds: Folds, days: number): Fold[] {
  const found = typeof folds === "number" ? anchored(folds, days) : rolling(folds, days);
  const [first] = found;
  if (first === undefined || found.length > FOLDS_MAX) {
    throw new RangeError(`folds must make 1 to ${FOLDS_MAX} tests, got ${found.length}`);
  }
  const { trainFrom, split, end } = first;
  if (end - split < TEST_DAYS_MIN || split - trainFrom < TRAIN_DAYS_MIN) {
    throw new RangeError(
      `each test needs ${TEST_DAYS_MIN} days after ${TRAIN_DAYS_MIN} to choose on, got ${end - split} after ${split - trainFrom}`,
    );
  }
  return found;
}

function anchored(count: number, days: number): Fold[] {
  const half = Math.floor(days / 2);
  const at = (fold: number) => half + Math.floor(((days - half) * fold) / count);
  return Array.from({ length: count }, (_, k) => ({ trainFrom: 0, split: at(k), end: at(k + 1) }));
}

function rolling({ trainDays, testDays }: Exclude<Folds, number>, days: number) {
  const count = Math.max(0, Math.floor((days - trainDays) / testDays));
  return Array.from({ length: count }, (_, k): Fold => {
    const split = trainDays + k * testDays;
    return { trainFrom: split - trainDays, split, end: split + testDays };
  });
}

/** With fewer tests, an interval over them means nothing. */
const INTERVAL_TESTS = 8;

/**
 * Chooses, at the beginning of each test, the set with the best annual Sharpe ratio in training, and follows it through
 * the test. Every set is one continuous run, of which tests are slices: changing from one to another costs nothing
 * beyond what each pays for its own trades.
 */
export function followBest(tracks: RunTracks, sets: number, folds: readonly Fold[]) {
  const chosen = folds.map(({ trainFrom, split, end }) => {
    const sharpeOf = (set: number, from: number, to: number) =>
      sharpeBetween(tracks, set, cutAt(tracks, from), cutAt(tracks, to));
    const sharpes = Array.from({ length: sets }, (_, set) => sharpeOf(set, trainFrom, split));
    const pick = pickOf(sharpes);
    if (pick < 0) return { split, end, pick, trained: NaN, tested: NaN, lead: NaN };
    const trained = sharpes[pick]!;
    const tested = sharpeOf(pick, split, end);
    return { split, end, pick, trained, tested, lead: trained - mean(sharpes) };
  });
  const leadAfter = leadOf(tracks, sets, chosen);
  return {
    /** The chosen set of each test; -1 for cash, where no set moved in training. */
    picks: chosen.map(({ pick }) => pick),
    /** Sharpe ratio of each chosen set in training and in its test; NaN where it did not move. */
    trained: chosen.map(({ trained }) => trained),
    tested: chosen.map(({ tested }) => tested),
    /** Mean over the tests: Sharpe ratio of the chosen set in training, less the mean of all sets. */
    leadBefore: mean(chosen.map(({ lead }) => lead)),
    leadAfter,
    ...leadInterval(tracks, sets, chosen),
  };
}

interface Followed {
  readonly split: number;
  readonly end: number;
  readonly pick: number;
}

/** 95 % of the lead by the jackknife over the tests (Tukey 1958), with Student's t; NaN with fewer than eight. */
function leadInterval(tracks: RunTracks, sets: number, tests: readonly Followed[]) {
  const count = tests.length;
  if (count < INTERVAL_TESTS) return { low: NaN, high: NaN };
  const without = tests.map((_, left) => leadOf(tracks, sets, tests.toSpliced(left, 1)));
  const middle = mean(without);
  const squares = without.reduce((sum, lead) => sum + (lead - middle) ** 2, 0);
  const reach = studentTRatio(0.05, count - 1) * Math.sqrt(((count - 1) / count) * squares);
  const lead = leadOf(tracks, sets, tests);
  return { low: lead - reach, high: lead + reach };
}

/** Over all test days as one series: the Sharpe ratio of what was followed, less the mean of all sets. */
function leadOf(tracks: RunTracks, sets: number, tests: readonly Followed[]): number {
  const spans = tests.map(({ split, end, pick }) => {
    return { pick, from: cutAt(tracks, split), to: cutAt(tracks, end) };
  });
  const days = tests.reduce((total, { split, end }) => total + end - split, 0);
  const sharpeAlong = (setOf: (pick: number) => number) => {
    let [sum, squares] = [0, 0];
    for (const { pick, from, to } of spans) {
      const set = setOf(pick);
      if (set < 0) continue; // cash
      const first = set * tracks.cuts.length;
      sum += tracks.sums[first + to]! - tracks.sums[first + from]!;
      squares += tracks.squares[first + to]! - tracks.squares[first + from]!;
    }
    return sharpeOfSums(sum, squares, days);
  };
  const all = Array.from({ length: sets }, (_, set) => sharpeAlong(() => set));
  return sharpeAlong((pick) => pick) - mean(all);
}
