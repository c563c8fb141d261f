import type { RateDecision } from "../accounts.ts";
import { RATE_WINDOW_MS, rateDecision } from "../rate.ts";
import { MINUTE, RING_ENTRIES } from "./meter-layout.ts";

/**
 * The per-minute rate as a sliding window, in a record of the file of minutes. An account never gets more
 * than its limit in any 60 seconds, wherever they begin and whichever processes it asks. Refused requests
 * count against nothing. Call every function inside the lock of the account's record in the meter file.
 *
 * The ring holds instants, rounded up to whole milliseconds, and how many requests were admitted in each,
 * oldest first. A limit of at most `RING_ENTRIES` is exact to the millisecond. Above it, admissions of one
 * second share an entry that leaves with the latest of them: an admission may leave up to a second late, but
 * never early.
 *
 * Instants are the low 32 bits of the steady clock's milliseconds, and their differences are signed. If that
 * clock steps back, time stands still until it has caught up.
 */
const WINDOW_SECONDS = RATE_WINDOW_MS / 1000;
const GRID_MS = 1000;
const ENTRY_WORDS = 2;
const INDEX = RING_ENTRIES - 1;
const FIRST_SHIFT = 8;
const LENGTH_MASK = 0xff;

/** Counts one request in the record at `base`, or refuses it. */
export function admitAt(
  words: Int32Array,
  base: number,
  limit: number,
  nowMs: number,
): RateDecision {
  let at = Math.ceil(nowMs);
  const seconds = Math.floor(at / 1000) | 0;
  let early = at - nowMs; // what rounding up added: 0 to 1
  if (seconds - words[base + MINUTE.admittedSeconds]! > WINDOW_SECONDS + 1) clearRing(words, base);
  const behind = clockBehind(words, base, at);
  if (behind > 0) {
    at += behind;
    early = 0;
  }
  forget(words, base, at, early);
  const total = words[base + MINUTE.ringTotal]!;
  const admitted = total < limit;
  if (admitted) {
    add(words, base, at | 0, limit > RING_ENTRIES ? GRID_MS : 1);
    if (behind <= 0) words[base + MINUTE.admittedSeconds] = seconds;
  }
  const after = admitted ? total + 1 : total;
  const leaves = leavesAt(words, base, after - limit + 1);
  const waitMs = leaves === undefined ? 0 : ((leaves - at) | 0) + RATE_WINDOW_MS + early;
  return rateDecision(admitted, limit, limit - after, waitMs);
}

/** Empties the minute after a restart of the machine. */
export function clearRing(words: Int32Array, base: number): void {
  words[base + MINUTE.ring] = 0;
  words[base + MINUTE.ringTotal] = 0;
}

/** Adds the minute up again after a process was killed while at work on it. The result is never too low. */
export function repairRing(words: Int32Array, base: number): void {
  const ring = words[base + MINUTE.ring]!;
  const length = ring & LENGTH_MASK;
  let total = 0;
  for (let n = 0; n < length; n++) total += words[entryOf(base, (ring >>> FIRST_SHIFT) + n) + 1]!;
  words[base + MINUTE.ringTotal] = total;
}

/** Milliseconds by which the clock is behind the newest admission; normally 0 or less. */
function clockBehind(words: Int32Array, base: number, at: number): number {
  const ring = words[base + MINUTE.ring]!;
  const length = ring & LENGTH_MASK;
  if (length === 0) return 0;
  return (words[entryOf(base, (ring >>> FIRST_SHIFT) + length - 1)]! - (at | 0)) | 0;
}

function forget(words: Int32Array, base: number, at: number, early: number): void {
  const ring = words[base + MINUTE.ring]!;
  let first = ring >>> FIRST_SHIFT;
  let length = ring & LENGTH_MASK;
  let gone = 0;
  while (length > 0) {
    const entry = entryOf(base, first);
    if (((at - words[entry]!) | 0) - early < RATE_WINDOW_MS) break;
    gone += words[entry + 1]!;
    first = (first + 1) & INDEX;
    length -= 1;
  }
  if (gone === 0) return;
  words[base + MINUTE.ring] = (first << FIRST_SHIFT) | length;
  words[base + MINUTE.ringTotal]! -= gone;
}

function add(words: Int32Array, base: number, at: number, gridMs: number): void {
  let ring = words[base + MINUTE.ring]!;
  if ((ring & LENGTH_MASK) > 0) {
    const newest = entryOf(base, (ring >>> FIRST_SHIFT) + (ring & LENGTH_MASK) - 1);
    if (isSameStep(words[newest]!, at, gridMs)) {
      words[newest] = at;
      words[newest + 1]! += 1;
      words[base + MINUTE.ringTotal]! += 1;
      return;
    }
    // Happens only just after a change from a small limit to a large one.
    if ((ring & LENGTH_MASK) === RING_ENTRIES) ring = compact(words, base, ring);
  }
  const entry = entryOf(base, (ring >>> FIRST_SHIFT) + (ring & LENGTH_MASK));
  words[entry] = at;
  words[entry + 1] = 1;
  words[base + MINUTE.ring] = ring + 1;
  words[base + MINUTE.ringTotal]! += 1;
}

/** Merges admissions of the same second into one entry: a minute has at most 62 of those. */
function compact(words: Int32Array, base: number, ring: number): number {
  const first = ring >>> FIRST_SHIFT;
  let kept = 0;
  for (let n = 1; n < (ring & LENGTH_MASK); n++) {
    const from = entryOf(base, first + n);
    const into = entryOf(base, first + kept);
    const [at, count] = [words[from]!, words[from + 1]!];
    if (isSameStep(words[into]!, at, GRID_MS)) {
      words[into] = at;
      words[into + 1]! += count;
      continue;
    }
    kept += 1;
    const next = entryOf(base, first + kept);
    words[next] = at;
    words[next + 1] = count;
  }
  const compacted = (first << FIRST_SHIFT) | (kept + 1);
  words[base + MINUTE.ring] = compacted;
  return compacted;
}

/**
 * The instant of the admission with whose leaving at least `leaving` have left the window; of the oldest, if
 * `leaving` is below one.
 */
function leavesAt(words: Int32Array, base: number, leaving: number): number | undefined {
  const ring = words[base + MINUTE.ring]!;
  const length = ring & LENGTH_MASK;
  let left = 0;
  for (let n = 0; n < length; n++) {
    const entry = entryOf(base, (ring >>> FIRST_SHIFT) + n);
    left += words[entry + 1]!;
    if (left >= leaving) return words[entry];
  }
  return undefined;
}

function isSameStep(one: number, other: number, gridMs: number): boolean {
  if (gridMs === 1) return one === other;
  return Math.floor((one >>> 0) / gridMs) === Math.floor((other >>> 0) / gridMs);
}

function entryOf(base: number, index: number): number {
  return base + MINUTE.entries + (index & INDEX) * ENTRY_WORDS;
}
