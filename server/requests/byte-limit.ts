import type { Plan } from "../accounts/plans.ts";

const MIB = 1024 * 1024;
/** Shorter answers are not counted: those that the rate limit admits cannot fill the memory. */
export const LARGE_BYTES = 64 * 1024;
const WINDOW_MS = 10_000;
const WINDOW_BYTES_MIN = 32 * MIB;
/** A plan with a higher rate than those of the price list gets more. */
const BYTES_PER_MINUTE_RATE = 56 * 1024;

/** The bytes of large answers that an account on a plan may have in ten seconds. */
export function largeBytesOf({ ratePerMinute }: Plan): number {
  return Math.max(WINDOW_BYTES_MIN, ratePerMinute * BYTES_PER_MINUTE_RATE);
}

/**
 * Limits the bytes of large answers that an account, or a network without a key, gets in each ten seconds of the clock.
 * The kernel takes megabytes for a connection whose client reads nothing, and the socket library does not see that:
 * without a limit, hundreds of such connections would hold a gigabyte, and writing that much would stall everyone else for
 * seconds.
 */
export class ByteLimit {
  #window = 0;
  readonly #bytesOf = new Map<string, number>();

  /** Counts an answer of this length. Returns 0, or the seconds to wait if it would be too much for its receiver. */
  admit(
    receiver: string,
    { bytes, limit }: { readonly bytes: number; readonly limit: number },
    nowMs: number,
  ): number {
    if (bytes < LARGE_BYTES) return 0;
    const window = Math.floor(nowMs / WINDOW_MS);
    if (window !== this.#window) this.#bytesOf.clear();
    this.#window = window;
    const sum = bytes + (this.#bytesOf.get(receiver) ?? 0);
    if (sum > limit) return Math.ceil(((window + 1) * WINDOW_MS - nowMs) / 1000);
    this.#bytesOf.set(receiver, sum);
    return 0;
  }
}
