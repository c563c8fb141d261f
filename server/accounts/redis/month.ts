import { LRUCache } from "lru-cache";
import type { RedisConnection } from "../../redis/connection.ts";
import { TurnBatch } from "../../redis/turn-batch.ts";
import { READ_USED } from "./account-scripts.ts";
import type { StoreIdentity } from "./store-identity.ts";

/** Accounts of one turn read in one script. */
const GROUP_MAX = 500;
/** How old a count may be that is shown to an account above its rate. */
const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 10_000;

/** Which count of which account, and how long the request may wait for it. */
interface UsedQuestion {
  /** Where Redis keeps it: an account's hash and the field of a period. */
  readonly account: string;
  readonly field: string;
  readonly withinMs: number;
}

interface Remembered {
  readonly readMs: number;
  readonly used: number;
}

/** How much of their month accounts have used, for answers that cost nothing. */
export class RedisMonth {
  readonly #redis: RedisConnection;
  readonly #identity: StoreIdentity;
  readonly #monotonicMs: () => number;
  readonly #asking: TurnBatch<UsedQuestion, number>;
  readonly #remembered = new LRUCache<string, Remembered>({ max: REMEMBERED_MAX });
  /** Readings under way for accounts above their rate: all their requests share one. */
  readonly #underWay = new Map<string, Promise<number>>();

  constructor(redis: RedisConnection, identity: StoreIdentity, monotonicMs: () => number) {
    this.#redis = redis;
    this.#identity = identity;
    this.#monotonicMs = monotonicMs;
    this.#asking = new TurnBatch(GROUP_MAX, (group) => this.#ask(group));
  }

  /** The present count. */
  used(question: UsedQuestion): Promise<number> {
    return this.#asking.add(question);
  }

  /**
   * The count, at most a second old, for an account above its rate. Such an account is not being charged
   * anything new, and a flood of its requests should cost Redis nothing.
   */
  usedLately(question: UsedQuestion): number | Promise<number> {
    const name = `${question.account} ${question.field}`;
    const nowMs = this.#monotonicMs();
    const remembered = this.#remembered.get(name);
    if (remembered !== undefined && nowMs - remembered.readMs < REMEMBERED_MS)
      return remembered.used;
    const before = this.#underWay.get(name);
    if (before !== undefined) return before;
    const reading = this.used(question)
      .then((used) => {
        this.#remembered.set(name, { readMs: nowMs, used });
        return used;
      })
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, reading);
    return reading;
  }

  async #ask(group: readonly UsedQuestion[]): Promise<readonly number[]> {
    const values = group.flatMap(({ account, field }) => [account, field]);
    const withinMs = Math.min(...group.map((each) => each.withinMs));
    const reply = await this.#redis.run(READ_USED, [this.#identity.id, ...values], withinMs);
    const [store, ...used] = reply as [string, ...number[]];
    this.#identity.check(store);
    return used;
  }
}
