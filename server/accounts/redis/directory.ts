import type { RedisConnection } from "../../redis/connection.ts";
import type { RedisLink } from "../../redis/redis-link.ts";
import type { Caller } from "../accounts.ts";
import type { AccountsClock } from "../clock.ts";
import { bearerOf } from "../bearer.ts";
import { environmentOf, hashKey, KEY_LENGTH } from "../keys.ts";
import type { PlanTable } from "../plans.ts";
import { budgetMs, KEY_BY_MS } from "./deadline-budget.ts";
import { READ_CHANGES } from "./directory-scripts.ts";
import { KeyCache } from "./key-cache.ts";
import { KeyLookUps } from "./key-lookups.ts";
import { accountKey } from "./keys.ts";
import { knownKeyOf, type AccountRow, type KeyRecord, type KnownKey } from "./known-key.ts";
import type { StoreIdentity } from "./store-identity.ts";

/** While Redis answers, the cache is never further behind than this. */
const STALE_MAX_MS = 1_500;

export interface DirectoryOptions {
  readonly redis: RedisConnection;
  readonly identity: StoreIdentity;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
}

interface SentKey {
  readonly key: string;
  readonly hash: string;
}

/**
 * Finds whom a key belongs to. Keys are looked up when they are first seen and kept in a bounded cache; `refresh` reads
 * several times a second what has changed. Every well-formed key that is refused takes the same time, whether it never
 * was, was revoked or has expired.
 */
export class RedisDirectory {
  readonly #options: DirectoryOptions;
  readonly #cache = new KeyCache();
  readonly #lookUps: KeyLookUps;
  /** Look-ups under way, so that many requests with the same new key share one. */
  readonly #underWay = new Map<string, Promise<KnownKey | undefined>>();
  #catchingUp: Promise<void> | undefined;
  #revision = 0;
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#lookUps = new KeyLookUps(options);
  }

  /** The key's record if the key is in force at this instant. */
  find(credentials: string, nowMs: number): KnownKey | undefined | Promise<KnownKey | undefined> {
    const key = bearerOf(credentials);
    if (key.length !== KEY_LENGTH) return undefined;
    const known = this.#cache.get(key);
    const { clock } = this.#options;
    if (known !== undefined && this.#isStale()) {
      const caughtUp = this.#caughtUp(budgetMs(clock, nowMs, KEY_BY_MS));
      return caughtUp.then(() => this.find(credentials, nowMs));
    }
    if (known !== undefined && isInForce(known, nowMs)) return known;
    if (environmentOf(key) === undefined) return undefined;
    const hash = hashKey(key);
    if (this.#cache.isRefused(hash, clock.monotonicMs())) return undefined;
    return this.#lookUp({ key, hash }, nowMs);
  }

  /** The record behind a caller that `find` gave out. */
  keyOf(caller: Caller): KnownKey {
    return this.#cache.keyOf(caller);
  }

  /**
   * The key with its account as Redis has it now. Used when the account changed between a request's authentication and
   * its charge. The key itself was valid when the request came, and stays so for that request.
   */
  async reread(known: KnownKey): Promise<KnownKey> {
    if (known.current) this.#cache.forgetAccount(known.accountId);
    const fields = [accountKey(known.accountId), "plan", "created", "rev"];
    const row = (await this.#options.redis.call("HMGET", fields)) as AccountRow;
    return this.#introduced(known, row);
  }

  /** Reads what changed since the last reading, and drops it from the cache. */
  async refresh(link: Pick<RedisLink, "run">, withinMs: number): Promise<void> {
    const { identity, clock } = this.#options;
    const askedMs = clock.monotonicMs();
    const reply = (await link.run(READ_CHANGES, [identity.id, this.#revision], withinMs)) as
      | [string]
      | [string, string, number, string[]];
    identity.check(reply[0]);
    const [, revision, all, changed] = reply as [string, string, number, string[]];
    if (all === 1) this.#cache.forgetAll();
    for (const accountId of changed) this.#cache.forgetAccount(accountId);
    this.#revision = Number(revision);
    this.#readMs = askedMs;
  }

  /** Call on a new connection: keys that were refused may be in force there. */
  forgetRefused(): void {
    this.#cache.forgetRefused();
  }

  /** Whether the cache may be out of date because this process stood still: it must not miss a revocation. */
  #isStale(): boolean {
    const { redis, clock } = this.#options;
    return redis.ready && clock.monotonicMs() - this.#readMs >= STALE_MAX_MS;
  }

  /** Reads what changed, once for all that wait for it. */
  #caughtUp(withinMs: number): Promise<void> {
    const { redis } = this.#options;
    this.#catchingUp ??= this.refresh(redis, withinMs).finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  #lookUp(sent: SentKey, requestMs: number): Promise<KnownKey | undefined> {
    const { hash } = sent;
    const before = this.#underWay.get(hash);
    if (before !== undefined) return before;
    const found = this.#found(sent, requestMs).finally(() => this.#underWay.delete(hash));
    this.#underWay.set(hash, found);
    return found;
  }

  async #found({ key, hash }: SentKey, requestMs: number): Promise<KnownKey | undefined> {
    const revision = this.#revision;
    const found = await this.#lookUps.find(hash, requestMs);
    if (found === undefined) {
      this.#cache.rememberRefused(hash, this.#options.clock.monotonicMs());
      return undefined;
    }
    const known = this.#introduced(found.key, found.account);
    // If something changed since the look-up began, it serves this request only.
    if (revision === this.#revision) this.#cache.remember(key, known);
    return known;
  }

  #introduced(key: KeyRecord, row: AccountRow): KnownKey {
    const { hash, keyId, accountId, env, expiresMs, lastUsedMs } = key;
    const record = { hash, keyId, accountId, env, expiresMs, lastUsedMs };
    const known = knownKeyOf(record, row, this.#options.plans);
    this.#cache.introduce(known);
    return known;
  }
}

function isInForce({ expiresMs }: KnownKey, nowMs: number): boolean {
  return expiresMs === null || nowMs < expiresMs;
}
