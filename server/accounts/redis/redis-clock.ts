import type { RedisLink } from "../../redis/redis-link.ts";

/** A reading below the estimate by more than this means that Redis's clock was set, not that an answer took long. */
const SET_BACK_MS = 500;
/** How far a reading below the estimate moves it: drift is followed, a slow answer hardly noticed. */
const FOLLOWED = 0.01;

/** What Redis's command TIME says, in milliseconds. */
export async function redisTimeMs(link: RedisLink, withinMs: number): Promise<number> {
  const [seconds, micros] = (await link.call("TIME", [], withinMs)) as [string, string];
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

/**
 * Redis's clock as this process knows it: from the times in its answers, each a little old when it is heard. The
 * freshest reading counts, so the estimate is behind by the quickest way from Redis to here, and never ahead.
 */
export class RedisClock {
  readonly #monotonicMs: () => number;
  #offsetMs: number | undefined;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Notes a time that an answer carried, on hearing it. */
  note(redisMs: number): void {
    const offsetMs = redisMs - this.#monotonicMs();
    const before = this.#offsetMs;
    if (before === undefined || offsetMs > before || before - offsetMs > SET_BACK_MS) {
      this.#offsetMs = offsetMs;
    } else {
      this.#offsetMs = before + (offsetMs - before) * FOLLOWED;
    }
  }

  /** The instant on Redis's clock that is so far away. */
  in(ms: number): number {
    return Math.floor(this.#monotonicMs() + (this.#offsetMs ?? 0) + ms);
  }
}
