import * as fc from "fast-check";
import { RATE_WINDOW_MS } from "../../server/accounts/rate.ts";

/** The rule stated as plainly as possible: a log of every admission, searched from the start each time. */
export class NaiveLimiter {
  readonly admittedMs: number[] = [];

  admit(limit: number, nowMs: number): boolean {
    const inWindow = this.admittedMs.filter((at) => nowMs - Math.ceil(at) < RATE_WINDOW_MS).length;
    const admitted = inWindow < limit;
    if (admitted) this.admittedMs.push(nowMs);
    return admitted;
  }
}

/** Requests as steps of time: bursts, and pauses around the window's length. */
export const PAUSES = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.double({ min: 0, max: 3, noNaN: true }),
    fc.integer({ min: 0, max: 20_000 }),
    fc.integer({ min: 59_990, max: 60_010 }),
    fc.integer({ min: 100_000, max: 200_000 }),
  ),
  { maxLength: 200 },
);
