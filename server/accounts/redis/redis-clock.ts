import type { RedisLink } from "../../redis/redis-link.ts";

/**
 * A reading that falls below the estimate by more than this means that Redis's clock was set back, not that
 * an answer was slow.
 */
const SET_BACK_MS = 500;
/**
 * How much of the difference a lower reading moves the estimate: enough to follow drift, while a slow answer
 * hardly matters.
 */
const FOLLOWED = 0.01;

/** What Redis's command TIME says, in milliseconds. */
export async function redisTimeMs(link: RedisLink, withinMs: number): Promise<number> {
  const [seconds, micros] = (await link.call("TIME", [], withinMs)) as [string, string];
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

/**
 * Redis's clock as this process knows it, from the times in its answers. Each time is a little old when it
 * arrives. The freshest reading counts, so the estimate is behind by the fastest trip from Redis to here, and
 * never ahead.
 */
export class RedisClock {
  readonly #monotonicMs: () => number;
  #offsetMs: number | undefined;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Records the time that an answer carried. Call it when the answer arrives. */
  note(redisMs: number): void {
    const offsetMs = redisMs - this.#monotonicMs();
    const before = this.#offsetMs;
    if (before === undefined || offsetMs > before || before - offsetMs > SET_BACK_MS) {
      this.#offsetMs = offsetMs;
    } else {
      this.#offsetMs = before + (offsetMs - before) * FOLLOWED;
    }
  }

  /** The instant on Redis's clock this many milliseconds from now. */
  in(ms: number): number {
    return Math.floor(this.#monotonicMs() + (this.#offsetMs ?? 0) + ms);
  }
}
