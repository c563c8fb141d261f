import type { Caller } from "../accounts/accounts.ts";

const MIB = 1024 * 1024;
/** Shorter answers are not counted: those that the rate limit admits cannot fill the memory. */
const LARGE_BYTES = 64 * 1024;
const WINDOW_MS = 10_000;
const WINDOW_BYTES_MIN = 32 * MIB;
/** A plan with a higher rate than those of the price list gets more. */
const BYTES_PER_MINUTE_RATE = 56 * 1024;

/**
 * Limits the bytes of large answers that an account gets in each ten seconds of the clock. The kernel takes megabytes
 * for a connection whose client reads nothing, and the socket library does not see that: without a limit, hundreds of
 * such connections would hold a gigabyte, and writing that much would stall everyone else for seconds.
 */
export class LargeAnswers {
  #window = 0;
  readonly #bytesOf = new Map<string, number>();

  /** Counts an answer of this length. Returns 0, or the seconds to wait if it would be too much. */
  admit({ accountId, plan }: Caller, bytes: number, nowMs: number): number {
    if (bytes < LARGE_BYTES) return 0;
    const window = Math.floor(nowMs / WINDOW_MS);
    if (window !== this.#window) this.#bytesOf.clear();
    this.#window = window;
    const sum = bytes + (this.#bytesOf.get(accountId) ?? 0);
    const limit = Math.max(WINDOW_BYTES_MIN, plan.ratePerMinute * BYTES_PER_MINUTE_RATE);
    if (sum > limit) return Math.ceil(((window + 1) * WINDOW_MS - nowMs) / 1000);
    this.#bytesOf.set(accountId, sum);
    return 0;
  }
}
