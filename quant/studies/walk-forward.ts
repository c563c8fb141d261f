import { studentPValue } from "../overfitting/student-t.ts";
import { pickOf } from "../robustness/cell-premium.ts";
import { cutAt, sharpeBetween, sharpeOfSums, type RunTracks } from "../robustness/run-track.ts";
import { mean } from "../sample-statistics.ts";

/** How to split the days: `folds` tests of the second half, or training and test of fixed lengths, one after another. */
export type Folds = number | { readonly trainDays: number; readonly testDays: number };

/** Rows, counted from the first day of the study: a set is chosen on the first span and followed over the second. */
export interface Fold {
  readonly trainFrom: number;
  readonly split: number;
  readonly end: number;
}

export const FOLDS_MAX = 200;
/** A test this short says nothing, and a choice on fewer days neither. */
const TEST_DAYS_MIN = 5;
const TRAIN_DAYS_MIN = 30;

/** The tests of a study, oldest first; neighbours. Throws RangeError where the days do not suffice. */
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

function rolling(of: { readonly trainDays: number; readonly testDays: number }, days: number) {
  const { trainDays, testDays } = of;
  const count = Math.max(0, Math.floor((days - trainDays) / testDays));
  return Array.from({ length: count }, (_, k): Fold => {
    const split = trainDays + k * testDays;
    return { trainFrom: split - trainDays, split, end: split + testDays };
  });
}

/** What following the best set from test to test led to. Yearly Sharpe ratios. */
export interface Followed {
  /** The chosen set of each test; -1 for cash, where no set moved in training. */
  readonly picks: readonly number[];
  /** Of each chosen set in training and in its test; NaN where it did not move. */
  readonly trained: readonly number[];
  readonly tested: readonly number[];
  /** Mean over the tests: Sharpe ratio of the chosen set in training, less the mean of all sets. */
  readonly leadBefore: number;
  /** Over all test days as one series: that of what was followed, less the mean of all sets. */
  readonly leadAfter: number;
  /** 95 % of that by leaving out one test at a time; NaN with fewer than eight tests. */
  readonly low: number;
  readonly high: number;
}

/** With fewer tests, an interval over them means nothing. */
const INTERVAL_TESTS = 8;

/**
 * Chooses, at the beginning of each test, the set with the best Sharpe ratio in training, and follows it through the test.
 * Every set is one continuous run, of which tests are slices: changing from one to another costs nothing beyond what
 * each pays for its own trades.
 */
export function followBest(tracks: RunTracks, sets: number, folds: readonly Fold[]): Followed {
  const picks: number[] = [];
  const [trained, tested, leads]: [number[], number[], number[]] = [[], [], []];
  for (const { trainFrom, split, end } of folds) {
    const [from, at, to] = [trainFrom, split, end].map((row) => cutAt(tracks, row)) as [
      number,
      number,
      number,
    ];
    const sharpes = Array.from({ length: sets }, (_, set) => sharpeBetween(tracks, set, from, at));
    const pick = pickOf(sharpes);
    picks.push(pick);
    trained.push(sharpes[pick] ?? NaN);
    tested.push(pick < 0 ? NaN : sharpeBetween(tracks, pick, at, to));
    leads.push(pick < 0 ? NaN : sharpes[pick]! - mean(sharpes));
  }
  const leadAfter = leadOf(tracks, { sets, folds, picks });
  return { picks, trained, tested, leadBefore: mean(leads), leadAfter, ...interval() };

  /** Jackknife over the tests (Tukey 1958), with Student's t. */
  function interval() {
    const count = folds.length;
    if (count < INTERVAL_TESTS) return { low: NaN, high: NaN };
    const without = folds.map((_, left) => leadOf(tracks, { sets, folds, picks, left }));
    const middle = mean(without);
    const squares = without.reduce((sum, lead) => sum + (lead - middle) ** 2, 0);
    const reach = intervalReach(count - 1) * Math.sqrt(((count - 1) / count) * squares);
    return { low: leadAfter - reach, high: leadAfter + reach };
  }
}

/** The t-ratio that 5 % lie beyond, on both sides, by bisection. */
function intervalReach(freedom: number): number {
  let [low, high] = [0, 16]; // 12.7 with one degree of freedom
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (studentPValue(middle, freedom) > 0.05) low = middle;
    else high = middle;
  }
  return high;
}

/** The lead over all tests but one that is left out, if any. */
function leadOf(
  tracks: RunTracks,
  of: {
    readonly sets: number;
    readonly folds: readonly Fold[];
    readonly picks: readonly number[];
    readonly left?: number;
  },
): number {
  const { sets, folds, picks, left = -1 } = of;
  const spans = folds
    .map(({ split, end }) => [cutAt(tracks, split), cutAt(tracks, end)] as const)
    .filter((_, fold) => fold !== left);
  const kept = picks.filter((_, fold) => fold !== left);
  const days = folds.reduce(
    (sum, { split, end }, fold) => sum + (fold === left ? 0 : end - split),
    0,
  );
  const sharpeAlong = (setOf: (fold: number) => number) => {
    let [sum, squares] = [0, 0];
    for (const [fold, [from, to]] of spans.entries()) {
      const set = setOf(fold);
      if (set < 0) continue; // cash
      const first = set * tracks.cuts.length;
      sum += tracks.sums[first + to]! - tracks.sums[first + from]!;
      squares += tracks.squares[first + to]! - tracks.squares[first + from]!;
    }
    return sharpeOfSums(sum, squares, days);
  };
  const all = Array.from({ length: sets }, (_, set) => sharpeAlong(() => set));
  return sharpeAlong((fold) => kept[fold]!) - mean(all);
}
