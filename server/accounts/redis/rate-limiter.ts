import type { RateDecision } from "../accounts.ts";
import { RATE_WINDOW_MS, rateDecision } from "../rate.ts";

/** Entries an account starts with: few enough for V8 to keep them on its own heap. */
const FIRST_CAPACITY = 4;

/**
 * The minute as a process counts it by itself, for when Redis is away: an exact sliding window. An account
 * never gets more than its limit in any 60 seconds, wherever they begin. Refused requests count against
 * nothing.
 *
 * The caller injects a monotonic clock, so the wall clock may jump. Instants are rounded up to whole
 * milliseconds and leave 60,000 ms later, never early. If the monotonic clock itself steps back, time stands
 * still until it has caught up; if it leaps ahead, the window is empty.
 *
 * Memory: an account keeps one entry per millisecond in which it was admitted, so never more entries than its
 * limit and never more than 60,001. Accounts idle for a whole window are forgotten.
 */
export class RateLimiter {
  /**
   * Accounts seen in the current window, and in the one before it. Older accounts are dropped all at once.
   */
  #recent = new Map<string, AdmissionLog>();
  #before = new Map<string, AdmissionLog>();
  #turnOverMs = 0;
  #nowMs = 0;

  /** Accounts held in memory now. */
  get size(): number {
    return this.#recent.size + this.#before.size;
  }

  admit(account: string, limit: number, monotonicMs: number): RateDecision {
    const nowMs = Math.max(this.#nowMs, monotonicMs);
    this.#nowMs = nowMs;
    if (nowMs - this.#turnOverMs > RATE_WINDOW_MS + 1) {
      this.#before = nowMs - this.#turnOverMs > 2 * RATE_WINDOW_MS + 2 ? new Map() : this.#recent;
      this.#recent = new Map();
      this.#turnOverMs = nowMs;
    }
    const log = this.#logOf(account);
    log.forget(nowMs);
    const admitted = log.total < limit;
    if (admitted) log.add(nowMs);
    const waitMs = log.waitMs(nowMs, log.total - limit + 1);
    return rateDecision(admitted, limit, limit - log.total, waitMs);
  }

  #logOf(account: string): AdmissionLog {
    let log = this.#recent.get(account);
    if (log !== undefined) return log;
    log = this.#before.get(account);
    if (log === undefined) log = new AdmissionLog();
    else this.#before.delete(account);
    this.#recent.set(account, log);
    return log;
  }
}

/**
 * The admissions of one account in the last minute: a ring of (millisecond, number admitted in it), oldest
 * first.
 */
class AdmissionLog {
  total = 0;
  /** Entry e is `#ring[2e]`, the instant, and `#ring[2e + 1]`, the number admitted in it. */
  #ring = new Float64Array(2 * FIRST_CAPACITY);
  #first = 0;
  #length = 0;

  forget(nowMs: number): void {
    while (this.#length > 0 && nowMs - this.#ring[2 * this.#first]! >= RATE_WINDOW_MS) {
      this.total -= this.#ring[2 * this.#first + 1]!;
      this.#first = this.#slot(1);
      this.#length -= 1;
    }
  }

  add(nowMs: number): void {
    const at = Math.ceil(nowMs);
    this.total += 1;
    const last = this.#slot(this.#length - 1);
    if (this.#length > 0 && this.#ring[2 * last] === at) {
      this.#ring[2 * last + 1]! += 1;
      return;
    }
    if (2 * this.#length === this.#ring.length) this.#grow();
    const slot = this.#slot(this.#length);
    this.#ring[2 * slot] = at;
    this.#ring[2 * slot + 1] = 1;
    this.#length += 1;
  }

  /**
   * Milliseconds until at least `leaving` of the admissions have left the window, which is how long a refused
   * request has to wait. If `leaving` is below one, until the oldest has left.
   */
  waitMs(nowMs: number, leaving: number): number {
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
