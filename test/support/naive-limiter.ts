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
