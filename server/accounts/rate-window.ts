import type { RateDecision } from "./accounts.ts";
import { RATE_WINDOW_MS, rateDecision } from "./rate.ts";

/** Entries an account starts with: most accounts never need more. */
const FIRST_CAPACITY = 4;

/**
 * The admitted requests of one account in the last 60 seconds: an exact sliding window. An account never gets more
 * than its limit in any 60 seconds, wherever they begin. Refused requests count against nothing.
 *
 * The instants come from a monotonic clock. They are rounded up to whole milliseconds and leave 60,000 ms later,
 * never early. If that clock itself steps back, time pauses until it has caught up.
 *
 * A ring of (millisecond, number admitted in it), oldest first: never more entries than the limit, and never more
 * than 60,001.
 */
export class RateWindow {
  #total = 0;
  #nowMs = 0;
  /** Entry e is `#ring[2e]`, the instant, and `#ring[2e + 1]`, the number admitted in it. */
  #ring = new Float64Array(2 * FIRST_CAPACITY);
  #first = 0;
  #length = 0;

  admit(limit: number, monotonicMs: number): RateDecision {
    const nowMs = Math.max(this.#nowMs, monotonicMs);
    this.#forget(nowMs);
    const admitted = this.#total < limit;
    if (admitted) this.add(nowMs, 1);
    const waitMs = this.#waitMs(nowMs, this.#total - limit + 1);
    return rateDecision(admitted, limit, limit - this.#total, waitMs);
  }

  /** Counts requests that were admitted at an instant, as known from before a restart. */
  add(atMs: number, requests: number): void {
    this.#nowMs = Math.max(this.#nowMs, atMs);
    const at = Math.ceil(this.#nowMs);
    this.#total += requests;
    const last = this.#slot(this.#length - 1);
    if (this.#length > 0 && this.#ring[2 * last] === at) {
      this.#ring[2 * last + 1]! += requests;
      return;
    }
    if (2 * this.#length === this.#ring.length) this.#grow();
    const slot = this.#slot(this.#length);
    this.#ring[2 * slot] = at;
    this.#ring[2 * slot + 1] = requests;
    this.#length += 1;
  }

  #forget(nowMs: number): void {
    while (this.#length > 0 && nowMs - this.#ring[2 * this.#first]! >= RATE_WINDOW_MS) {
      this.#total -= this.#ring[2 * this.#first + 1]!;
      this.#first = this.#slot(1);
      this.#length -= 1;
    }
  }

  /**
   * Milliseconds until at least `leaving` of the requests have left the window, which is how long a refused
   * request has to wait. If `leaving` is below one, until the oldest has left.
   */
  #waitMs(nowMs: number, leaving: number): number {
    let left = 0;
    for (let entry = 0; entry < this.#length; entry++) {
      const slot = this.#slot(entry);
      left += this.#ring[2 * slot + 1]!;
      if (left >= leaving) return this.#ring[2 * slot]! + RATE_WINDOW_MS - nowMs;
    }
    return 0;
  }

  /** The ring position of an entry counted from the oldest. Capacities are powers of two. */
  #slot(entry: number): number {
    return (this.#first + entry) & (this.#ring.length / 2 - 1);
  }

  #grow(): void {
    const ring = new Float64Array(this.#ring.length * 2);
    for (let entry = 0; entry < this.#length; entry++) {
      const slot = this.#slot(entry);
      ring[2 * entry] = this.#ring[2 * slot]!;
      ring[2 * entry + 1] = this.#ring[2 * slot + 1]!;
    }
    this.#ring = ring;
    this.#first = 0;
  }
}
