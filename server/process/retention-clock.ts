import type { AccountsClock } from "../accounts/clock.ts";

/**
 * A wall clock that moves by this much against the steady one between two readings was set. Slewing moves it by
 * far less.
 */
const SET_MS = 60_000;
/** How long the wall clock must then go evenly before it is believed. */
const EVEN_MS = 60 * 60_000;

/**
 * The clock by which old things are removed for good. A clock that is set a month ahead by mistake and back
 * again must not delete results, so nothing is removed until the wall clock has gone evenly for
 * an hour. It need not have been right at the start either: a machine without a battery begins in 1970 and is
 * set later.
 */
export class RetentionClock {
  readonly #clocks: AccountsClock;
  #aheadMs: number | undefined;
  #evenSinceMs = 0;

  constructor(clocks: AccountsClock) {
    this.#clocks = clocks;
  }

  /** The present, or undefined while nothing may be removed. Read it at least every few minutes. */
  readMs(): number | undefined {
    const nowMs = this.#clocks.nowMs();
    const steadyMs = this.#clocks.monotonicMs();
    const before = this.#aheadMs;
    this.#aheadMs = nowMs - steadyMs;
    // A clock set back removes less, not more, so it needs no proof.
    if (before === undefined || this.#aheadMs - before > SET_MS) this.#evenSinceMs = steadyMs;
    return steadyMs - this.#evenSinceMs < EVEN_MS ? undefined : nowMs;
  }
}
