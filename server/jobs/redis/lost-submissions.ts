import type { RedisLink } from "../../redis/redis-link.ts";
import { TAKE_BACK_JOBS } from "./job-scripts.ts";

/** How many may be undone in one script. */
const ROUND_MAX = 500;
/**
 * One is remembered this long after it was undone, and undone once more on each new connection: with
 * `appendfsync everysec`, a Redis that dies may lose what it did in its last seconds.
 */
const KEPT_MS = 6_000;

interface LostSubmission {
  readonly id: string;
  /** What its Idempotency-Key is stored under, or "". */
  readonly keyed: string;
  undoneMs: number | undefined;
}

/**
 * Compensation records of submissions that Redis did not answer. Their callers were answered 503, so each is undone on
 * the next connection if Redis took it in.
 */
export class LostSubmissions {
  readonly #monotonicMs: () => number;
  #lost: LostSubmission[] = [];

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Whether any may still be in Redis. */
  get pending(): boolean {
    return this.#lost.some(({ undoneMs }) => undoneMs === undefined);
  }

  add(id: string, keyed: string): void {
    this.#lost.push({ id, keyed, undoneMs: undefined });
  }

  /** Run on a new connection, once nothing of an earlier one can arrive any more. */
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
