/** Requests without a key that a network may send in a minute of the clock: more than any reader does. */
export const KEYLESS_PER_MINUTE = 600;
const WINDOW_MS = 60_000;
/** Networks that are counted in a minute; all others are counted as one. */
const NETWORKS_MAX = 100_000;
const OTHERS = "others";

/** Counts requests without a key by network. */
export class NetworkRate {
  #window = 0;
  readonly #countOf = new Map<string, number>();

  /** Counts a request. Returns 0, or the seconds to wait if it is one too many. */
  admit(network: string, nowMs: number): number {
    const window = Math.floor(nowMs / WINDOW_MS);
    if (window !== this.#window) this.#countOf.clear();
    this.#window = window;
    const isCounted = this.#countOf.has(network) || this.#countOf.size < NETWORKS_MAX;
    const name = isCounted ? network : OTHERS;
    const count = (this.#countOf.get(name) ?? 0) + 1;
    this.#countOf.set(name, count);
    if (count <= KEYLESS_PER_MINUTE) return 0;
    return Math.ceil(((window + 1) * WINDOW_MS - nowMs) / 1000);
  }
}
