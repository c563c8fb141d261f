/** Readings kept: the most favourable of the last few seconds counts. */
const READINGS_MAX = 8;

/**
 * Redis's clock as this process can know it, never ahead of it: what Redis answered was true before the
 * answer arrived. Deadlines that scripts check are written in it, so that the clocks of machines need not agree.
 */
export class RedisClock {
  readonly #monotonicMs: () => number;
  #offsets: number[] = [];

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Takes an answer of Redis's clock that has just arrived. */
  note(redisMs: number): void {
    const offset = redisMs - this.#monotonicMs();
    this.#offsets = [offset, ...this.#offsets].slice(0, READINGS_MAX);
  }

  /** Forgets what was read: the next Redis may be another. */
  reset(): void {
    this.#offsets = [];
  }

  /** Milliseconds since 1970; NaN while nothing was read. */
  nowMs(): number {
    return this.#monotonicMs() + (this.#offsets.length === 0 ? NaN : Math.max(...this.#offsets));
  }
}
