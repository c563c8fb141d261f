import type { Plan } from "../../accounts/plans.ts";

/** Requests without a key that a network may send in a minute of the clock: more than any reader does. */
export const KEYLESS_PER_MINUTE = 600;
/** How many times as many those around it may send, by width. */
const WIDTH_TIMES = [1, 5, 25];

const MIB = 1024 * 1024;
/** Shorter answers are not counted: those that the rate limit admits cannot fill the memory. */
export const LARGE_BYTES = 64 * 1024;
const LARGE_WINDOW_MS = 10_000;
const LARGE_BYTES_MIN = 32 * MIB;
/** A plan with a higher rate than those of the price list gets more. */
const BYTES_PER_MINUTE_RATE = 56 * 1024;

/** The bytes of large answers that an account on a plan may have in ten seconds. */
export function largeBytesOf({ ratePerMinute }: Plan): number {
  return Math.max(LARGE_BYTES_MIN, ratePerMinute * BYTES_PER_MINUTE_RATE);
}

/** Callers that are counted in a window one by one. All others are counted as one. */
const NAMES_MAX = 100_000;
const OTHERS = "others";

/**
 * Refusals for their rate that all keyless callers, or an account, get in a second on open connections. Any further one
 * ends its connection: opening another takes the caller longer than the refusal takes the server.
 */
export const REFUSALS_PER_SECOND = 200;

/** Limits what each caller gets in a window of the clock. */
export class WindowLimit {
  readonly #windowMs: number;
  #window = 0;
  readonly #used = new Map<string, number>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Counts an amount and returns 0. If that would exceed `max`, returns the seconds until the next window instead. */
  admit(caller: string, amount: number, max: number, nowMs: number): number {
    const seconds = this.wait(caller, amount, max, nowMs);
    if (seconds === 0) this.count(caller, amount);
    return seconds;
  }

  wait(caller: string, amount: number, max: number, nowMs: number): number {
    const window = Math.floor(nowMs / this.#windowMs);
    if (window !== this.#window) this.#used.clear();
    this.#window = window;
    const used = amount + (this.#used.get(this.#counted(caller)) ?? 0);
    return used > max ? Math.ceil(((window + 1) * this.#windowMs - nowMs) / 1000) : 0;
  }

  count(caller: string, amount: number): void {
    const name = this.#counted(caller);
    this.#used.set(name, amount + (this.#used.get(name) ?? 0));
  }

  #counted(caller: string): string {
    return this.#used.has(caller) || this.#used.size < NAMES_MAX ? caller : OTHERS;
  }
}

/** Limits what a network sends in a minute of the clock, and what those around it do. */
export class NetworkRate {
  readonly #limit = new WindowLimit(60_000);
  readonly #perMinute: number;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts a request in every width of its network and returns 0, or counts nothing and returns the seconds to wait. */
  admit(networks: readonly string[], nowMs: number): number {
    const seconds = this.wait(networks, nowMs);
    if (seconds === 0) this.count(networks);
    return seconds;
  }

  wait(networks: readonly string[], nowMs: number): number {
    const waits = networks.map(
      (network, n) => this.#limit.wait(network, 1, this.#perMinute * WIDTH_TIMES[n]!, nowMs), // one for each width
    );
    return Math.max(0, ...waits);
  }

  count(networks: readonly string[]): void {
    for (const network of networks) this.#limit.count(network, 1);
  }
}

/**
 * Limits the bytes of large answers that an account, or a network without a key, gets in each ten seconds of the clock.
 * For a connection whose client reads nothing, the kernel buffers megabytes that the socket library does not see. Without
 * a limit, hundreds of such connections would hold a gigabyte, and writing that much would delay everybody else for
 * seconds.
 */
export class ByteLimit {
  readonly #limit = new WindowLimit(LARGE_WINDOW_MS);

  /** Counts an answer of this length and returns 0, or the seconds to wait if it is too much for its receiver. */
  admit(receiver: string, bytes: number, max: number, nowMs: number): number {
    return bytes < LARGE_BYTES ? 0 : this.#limit.admit(receiver, bytes, max, nowMs);
  }
}
