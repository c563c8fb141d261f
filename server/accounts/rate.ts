import type { RateDecision } from "./accounts.ts";

/** The minute the rate is for. */
export const RATE_WINDOW_MS = 60_000;

const RATE_WINDOW_SECONDS = RATE_WINDOW_MS / 1000;
/** Entries an account starts with: few enough for V8 to keep them on its own heap. */
const FIRST_CAPACITY = 4;

/**
 * The per-minute rate as an exact sliding window: in no 60 seconds, wherever they begin, does an
 * account get more than its limit. Refused requests count against nothing.
 *
 * Time is a monotonic clock the caller injects, so the wall clock may jump as it likes. Instants are
 * kept rounded up to whole milliseconds and leave 60,000 ms later: never early. If the monotonic clock
 * itself steps back, time stands still until it has caught up; if it leaps, the window is empty.
 *
 * Memory: an account keeps one entry per millisecond in which it was admitted, so never more than its
 * limit and never more than 60,001; accounts idle for a whole window are forgotten.
 */
export class RateLimiter {
  /** Accounts seen since the last turn-over, and in the window before it. Older ones are dropped whole. */
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
    return {
      admitted,
      minute: {
        limit,
        remaining: Math.max(0, limit - log.total),
        // Rounding up to the millisecond can make the wait of a request in this very one 60.001 s.
        resetSeconds: Math.min(RATE_WINDOW_SECONDS, Math.ceil(waitMs / 1000)),
        windowSeconds: RATE_WINDOW_SECONDS,
      },
      retryAfterSeconds: admitted ? 0 : Math.ceil(waitMs / 1000),
    };
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

/** The admissions of one account in the last minute: a ring of (millisecond, how many in it), oldest first. */
class AdmissionLog {
  total = 0;
  /** Entry e is `#ring[2e]`, the instant, and `#ring[2e + 1]`, the admissions in it. */
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
   * Milliseconds until at least `leaving` of the admissions have left the window: how long a refused
   * request has to wait. With `leaving` below one, until the oldest one has left.
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

  /** Where the entry stands that is `entry` behind the oldest; capacities are powers of two. */
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
