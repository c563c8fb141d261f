import type { RedisLink } from "../../redis/redis-link.ts";
import { TAKE_BACK_JOBS } from "./job-scripts.ts";

/** Submissions undone in one script at most. */
const ROUND_MAX = 500;
/**
 * A submission is kept this long after it was undone, and undone again on each new connection: with
 * `appendfsync everysec`, a Redis that dies may lose the writes of its last seconds.
 */
const KEPT_MS = 6_000;

interface LostSubmission {
  readonly id: string;
  /** The name of its Idempotency-Key in Redis, or "". */
  readonly keyed: string;
  undoneMs: number | undefined;
}

/**
 * Submissions whose answer from Redis was lost. Their callers were answered 503, so each is undone on the next connection
 * if Redis accepted it.
 */
export class LostSubmissions {
  readonly #monotonicMs: () => number;
  #lost: LostSubmission[] = [];

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Whether any may still be accepted in Redis. */
  get pending(): boolean {
    return this.#lost.some(({ undoneMs }) => undoneMs === undefined);
  }

  add(id: string, keyed: string): void {
    this.#lost.push({ id, keyed, undoneMs: undefined });
  }

  /** Call on a new connection, when nothing of an earlier one can arrive any more. */
  async undo(link: RedisLink, withinMs: number): Promise<void> {
    const nowMs = this.#monotonicMs();
    this.#lost = this.#lost.filter(({ undoneMs = nowMs }) => nowMs - undoneMs < KEPT_MS);
    for (let from = 0; from < this.#lost.length; from += ROUND_MAX) {
      const round = this.#lost.slice(from, from + ROUND_MAX);
      const ids = round.map(({ id }) => id);
      const keyed = round.map((each) => each.keyed);
      await link.run(TAKE_BACK_JOBS, [JSON.stringify({ ids, keyed })], withinMs);
      for (const each of round) each.undoneMs ??= nowMs;
    }
  }
}
