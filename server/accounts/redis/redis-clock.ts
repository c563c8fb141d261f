import type { RedisLink } from "../../redis/redis-link.ts";

/** Times in answers are whole milliseconds, rounded down. */
const RESOLUTION_MS = 1;

/** What Redis's command TIME says, in milliseconds. */
export async function redisTimeMs(link: RedisLink, withinMs: number): Promise<number> {
  const [seconds, micros] = (await link.call("TIME", [], withinMs)) as [string, string];
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

/**
 * Redis's clock as this process knows it, from the times in its answers. Redis read its clock at some instant
 * between question and answer, so each answer gives the offset between the clocks two bounds. The estimate is
 * behind by the fastest trip from Redis to here.
 */
export class RedisClock {
  readonly #monotonicMs: () => number;
  #offsetMs: number | undefined;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Call it when asking for the time; `note` wants to know it with the answer. */
  asking(): number {
    return this.#monotonicMs();
  }

  /**
   * Records the time that an answer carried. Call it when the answer arrives. An estimate above both bounds
   * means that Redis's clock is slower or was set back. One between them stays, however late the answer was
   * read: this process may have stood still.
   */
  note(redisMs: number, askedMs: number): void {
    const least = redisMs - this.#monotonicMs();
    const most = redisMs + RESOLUTION_MS - askedMs;
    const before = this.#offsetMs;
    if (before === undefined || before < least || before > most) this.#offsetMs = least;
  }

  /** The instant on Redis's clock this many milliseconds from now. */
  in(ms: number): number {
    return Math.floor(this.#monotonicMs() + (this.#offsetMs ?? 0) + ms);
  }
}
