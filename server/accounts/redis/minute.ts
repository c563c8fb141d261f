import { LRUCache } from "lru-cache";
import type { RedisConnection } from "../../redis/connection.ts";
import { TurnBatch } from "../../redis/turn-batch.ts";
import { AccountsUnavailable, type Caller, type RateDecision } from "../accounts.ts";
import type { AccountsClock } from "../clock.ts";
import { RATE_WINDOW_MS, rateDecision } from "../rate.ts";
import { minuteKey } from "./keys.ts";
import { ADMIT } from "./minute-script.ts";
import { MINUTE_BY_MS, patience } from "./patience.ts";
import { RateLimiter } from "./rate-limiter.ts";

/** Requests of one turn decided in one script. */
const GROUP_MAX = 500;
/** How many accounts' refusals are remembered. */
const REFUSED_MAX = 10_000;

interface Asking {
  readonly accountId: string;
  readonly limit: number;
  readonly withinMs: number;
}

/** A refusal holds until the next request has room; until then Redis need not be asked. */
interface Refusal {
  readonly limit: number;
  readonly untilMs: number;
}

interface Tally {
  readonly accountId: string;
  readonly limit: number;
  asked: number;
}

/**
 * The minute of every account, across all servers.
 *
 * While Redis is away, this process counts by itself. For one window after that, a request must pass both
 * counts: Redis lacks what was admitted meanwhile, and may have lost its own last admissions.
 */
export class RedisMinute {
  readonly #redis: RedisConnection;
  readonly #clock: AccountsClock;
  /** Everything this process admitted, by Redis's decision or its own. */
  readonly #own = new RateLimiter();
  readonly #asking: TurnBatch<Asking, RateDecision>;
  readonly #refused = new LRUCache<string, Refusal>({ max: REFUSED_MAX });
  #twiceUntilMs = Number.NEGATIVE_INFINITY;

  constructor(redis: RedisConnection, clock: AccountsClock) {
    this.#redis = redis;
    this.#clock = clock;
    this.#asking = new TurnBatch(GROUP_MAX, (group) => this.#ask(group));
  }

  admit({ accountId, plan }: Caller, nowMs: number): RateDecision | Promise<RateDecision> {
    const limit = plan.ratePerMinute;
    const leftMs = this.#refusedMs(accountId, limit);
    if (leftMs > 0) return rateDecision(false, limit, 0, leftMs);
    if (!this.#redis.ready) return this.#alone(accountId, limit);
    const withinMs = patience(this.#clock, nowMs, MINUTE_BY_MS);
    return this.#decide({ accountId, limit, withinMs });
  }

  /** Called on a new connection: Redis may lack what it or this process admitted before. */
  countTwice(): void {
    this.#twiceUntilMs = this.#clock.monotonicMs() + RATE_WINDOW_MS + 1;
  }

  /** Whether an account is known to be above its rate now, so that Redis need not be asked. */
  refuses({ accountId, plan }: Caller): boolean {
    return this.#refusedMs(accountId, plan.ratePerMinute) > 0;
  }

  /** How much longer the refusal holds; 0 if none is known. */
  #refusedMs(accountId: string, limit: number): number {
    const refusal = this.#refused.get(accountId);
    if (refusal === undefined) return 0;
    const leftMs = refusal.untilMs - this.#clock.monotonicMs();
    if (refusal.limit === limit && leftMs > 0) return leftMs;
    this.#refused.delete(accountId);
    return 0;
  }

  async #decide(asking: Asking): Promise<RateDecision> {
    const { accountId, limit } = asking;
    const steadyMs = this.#clock.monotonicMs();
    let decided: RateDecision;
    try {
      decided = await this.#asking.add(asking);
    } catch (error) {
      if (error instanceof AccountsUnavailable) return this.#alone(accountId, limit);
      throw error;
    }
    if (!decided.admitted) return decided;
    const afterOutage = steadyMs < this.#twiceUntilMs;
    const own = this.#own.admit(accountId, afterOutage ? limit : Infinity, steadyMs);
    return own.admitted ? decided : own;
  }

  #alone(accountId: string, limit: number): RateDecision {
    this.countTwice();
    return this.#own.admit(accountId, limit, this.#clock.monotonicMs());
  }

  async #ask(group: readonly Asking[]): Promise<readonly RateDecision[]> {
    const tallies = new Map<string, Tally>();
    const tallyOf = group.map(({ accountId, limit }) => {
      const name = `${accountId} ${limit}`; // has two limits only while a plan changes
      const tally = tallies.get(name) ?? { accountId, limit, asked: 0 };
      tallies.set(name, tally);
      tally.asked += 1;
      return tally;
    });
    const values = [...tallies.values()].flatMap(({ accountId, limit, asked }) => [
      minuteKey(accountId),
      limit,
      asked,
    ]);
    const askedMs = this.#clock.monotonicMs();
    const withinMs = Math.min(...group.map((each) => each.withinMs));
    const reply = (await this.#redis.run(ADMIT, values, withinMs)) as readonly number[];
    const answers = new Map<Tally, Answered>();
    for (const [index, tally] of [...tallies.values()].entries()) {
      const answer = new Answered(tally, reply.slice(3 * index, 3 * index + 3));
      answers.set(tally, answer);
      if (answer.refused) this.#refused.set(tally.accountId, answer.refusalFrom(askedMs));
    }
    return tallyOf.map((tally) => answers.get(tally)!.next()); // one answer per tally
  }
}

/** Redis's answer for one account, dealt out to its requests in the order they came. */
class Answered {
  readonly refused: boolean;
  readonly #limit: number;
  readonly #waitMs: number;
  #left: number;
  #count: number;

  constructor(
    { limit, asked }: Tally,
    [admitted = 0, count = 0, waitMicros = 0]: readonly number[],
  ) {
    this.#limit = limit;
    this.#waitMs = waitMicros / 1000;
    this.#left = admitted;
    this.#count = count - admitted;
    this.refused = admitted < asked;
  }

  /** Counted from before Redis was asked, so that it never outlasts what Redis meant. */
  refusalFrom(askedMs: number): Refusal {
    return { limit: this.#limit, untilMs: askedMs + this.#waitMs };
  }

  next(): RateDecision {
    const admitted = this.#left > 0;
    if (admitted) {
      this.#left -= 1;
      this.#count += 1;
    }
    return rateDecision(admitted, this.#limit, this.#limit - this.#count, this.#waitMs);
  }
}
