import type { KeyEnvironment } from "../accounts.ts";
import { COUNTERS, WORD_BYTES } from "./meter-layout.ts";
import type { Stamp } from "./meter-stamp.ts";
import type { Meter } from "./meter.ts";

/**
 * What the state file has of an allowance's counters: what they counted for, and how far they were settled.
 */
export type SettledRow = readonly [period: number, day: number, counts: Uint8Array];
/** What it has of one that was never opened. */
export type NoRow = readonly [null, null, null];
export const NO_ROW: NoRow = [null, null, null];

/** Calls made since they were last settled. */
interface Unsettled {
  readonly stamp: Stamp;
  readonly counts: Int32Array;
  readonly calls: Int32Array;
  readonly total: number;
  /** Whether the state file and the record agree about what the counters count for. */
  readonly isKnown: boolean;
  /**
   * Whether the state file has a higher count than one of the counters. Later calls must then be settled from
   * the counter's present value.
   */
  readonly isBehind: boolean;
}

/**
 * The two files can be of different times, because one was restored or the machine lost power. The state file
 * may then disagree about what the counters count for, or have higher counts than they do. In that case
 * nothing is unsettled, rather than counted for the wrong period or twice.
 */
export function unsettledOf(meter: Meter, env: KeyEnvironment, row: SettledRow | NoRow): Unsettled {
  const stamp = meter.stamp(env);
  const counts = meter.counters(env);
  const calls = new Int32Array(COUNTERS);
  const isUnused = stamp.period === 0;
  const isKnown = row[0] !== null && row[0] === stamp.period && row[1] === stamp.day;
  if (!isKnown) return { stamp, counts, calls, total: 0, isKnown: isUnused, isBehind: false };
  const before = countsOf(row[2]);
  let total = 0;
  let isBehind = false;
  for (let place = 0; place < COUNTERS; place++) {
    const since = (counts[place]! - before[place]!) | 0;
    if (since < 0) {
      isBehind = true;
    } else {
      calls[place] = since;
      total += since;
    }
  }
  return { stamp, counts, calls, total, isKnown, isBehind };
}

export function blobOf(counts: Int32Array): Buffer {
  return Buffer.from(counts.buffer, counts.byteOffset, counts.byteLength);
}

function countsOf(blob: Uint8Array): Int32Array {
  const counts = new Int32Array(COUNTERS);
  new Uint8Array(counts.buffer).set(blob.subarray(0, COUNTERS * WORD_BYTES));
  return counts;
}
