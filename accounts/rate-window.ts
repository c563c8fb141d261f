import type { RateDecision } from "./accounts.ts";

export const RATE_WINDOW_MS = 60_000;

const RATE_WINDOW_SECONDS = RATE_WINDOW_MS / 1000;

/** A decision of the rate limit. `waitMs`: the time until there is room, or if there is room, until there is more. */
export function rateDecision(
  admitted: boolean,
  limit: number,
  remaining: number,
  waitMs: number,
): RateDecision {
  const seconds = Math.ceil(waitMs / 1000);
  return {
    admitted,
    window: {
      limit,
      remaining: Math.max(0, remaining),
      // Since instants are rounded up to the millisecond, the wait can be 60.001 s.
      resetSeconds: Math.min(RATE_WINDOW_SECONDS, seconds),
      windowSeconds: RATE_WINDOW_SECONDS,
    },
    retryAfterSeconds: admitted ? 0 : seconds,
  };
}

/**
 * The admitted requests of one account in the last 60 seconds, as an exact sliding window: an account never gets more
 * than its limit in any 60 seconds, wherever they begin. Refused requests are not counted.
 *
 * The instants come from a monotonic clock. They are rounded up to whole milliseconds and leave 60,000 ms later,
 * never early. If that clock itself steps back, time pauses until it has caught up.
 */
export class RateWindow {
  #total = 0;
  #nowMs = 0;
  /** Admissions by millisecond, oldest first: never more than the limit, and never more than 60,001. */
  readonly #admissions: { readonly atMs: number; requests: number }[] = [];
  /** The index of the first one in the window. Earlier ones are removed many at a time. */
  #first = 0;

  admit(limit: number, monotonicMs: number): RateDecision {
    const nowMs = Math.max(this.#nowMs, monotonicMs);
    this.#forget(nowMs);
    const admitted = this.#total < limit;
    if (admitted) this.add(nowMs, 1);
    const waitMs = this.#waitMs(nowMs, this.#total - limit + 1);
    return rateDecision(admitted, limit, limit - this.#total, waitMs);
  }

  /** Counts requests that were admitted at an instant before a restart. */
  add(atMs: number, requests: number): void {
    this.#nowMs = Math.max(this.#nowMs, atMs);
    const at = Math.ceil(this.#nowMs);
    this.#total += requests;
    const last = this.#admissions.at(-1);
    if (last?.atMs === at) last.requests += requests;
    else this.#admissions.push({ atMs: at, requests });
  }

  /** The number of admitted requests in the window. */
  used(monotonicMs: number): number {
    this.#forget(Math.max(this.#nowMs, monotonicMs));
    return this.#total;
  }

  #forget(nowMs: number): void {
    const before = this.#first;
    for (; this.#first < this.#admissions.length; this.#first++) {
      const { atMs, requests } = this.#admissions[this.#first]!;
      if (nowMs - atMs < RATE_WINDOW_MS) break;
      this.#total -= requests;
    }
    if (this.#first === before || 2 * this.#first < this.#admissions.length) return;
    this.#admissions.splice(0, this.#first);
    this.#first = 0;
  }

  /** Milliseconds until this many requests have left the window, or the oldest if that is below one. */
  #waitMs(nowMs: number, leaving: number): number {
    let left = 0;
    for (let at = this.#first; at < this.#admissions.length; at++) {
      const { atMs, requests } = this.#admissions[at]!;
      left += requests;
      if (left >= leaving) return atMs + RATE_WINDOW_MS - nowMs;
    }
    return 0;
  }
}
