import { LRUCache } from "lru-cache";
import { REDIS_WAIT_MS, type RedisConnection } from "../../redis/connection.ts";
import type { RedisLink } from "../../redis/redis-link.ts";
import type { AccountsClock } from "../clock.ts";
import { bearerOf } from "../bearer.ts";
import { environmentOf, hashKey, KEY_LENGTH } from "../keys.ts";
import type { PlanTable } from "../plans.ts";
import { KeyLookUps } from "./key-lookups.ts";
import { accountKey, STORE } from "./keys.ts";
import { knownKeyOf, type AccountRow, type KnownKey } from "./known-key.ts";
import type { StoreIdentity } from "./store-identity.ts";

/** While Redis answers, the cache is never further behind than this. */
const STALE_MAX_MS = 1_500;
const KNOWN_KEYS_MAX = 50_000;
const REFUSED_KEYS_MAX = 10_000;
/** After this long, a refused key is looked up again: Redis may have been restored meanwhile. */
const REFUSED_MS = 30_000;

export interface DirectoryOptions {
  readonly redis: RedisConnection;
  readonly identity: StoreIdentity;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
}

/**
 * Finds whom a key belongs to. Keys are looked up when they are first seen and kept in a bounded cache, which is
 * emptied whenever a command has changed an account or a key: `refresh` sees that several times a second. Every
 * well-formed key that is refused takes the same time, whether it never was, was revoked or has expired.
 */
export class RedisDirectory {
  readonly #options: DirectoryOptions;
  readonly #lookUps: KeyLookUps;
  /** By the key itself, which spares a request the hash. `max` alone would fill the cache's tables up front. */
  readonly #known = new LRUCache<string, KnownKey>({
    maxSize: KNOWN_KEYS_MAX,
    sizeCalculation: () => 1,
  });
  /** By hash, until when a key is refused without asking Redis. */
  readonly #refusedUntilMs = new LRUCache<string, number>({ max: REFUSED_KEYS_MAX });
  #revision = "";
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#lookUps = new KeyLookUps(options);
  }

  /** The key's record if the key is in force at this instant. */
  find(credentials: string, nowMs: number): KnownKey | undefined | Promise<KnownKey | undefined> {
    const key = bearerOf(credentials);
    if (key.length !== KEY_LENGTH) return undefined;
    const known = this.#known.get(key);
    if (known !== undefined && isInForce(known, nowMs) && !this.#isStale()) return known;
    if (environmentOf(key) === undefined) return undefined;
    const hash = hashKey(key);
    const refusedUntilMs = this.#refusedUntilMs.get(hash) ?? Number.NEGATIVE_INFINITY;
    if (this.#options.clock.monotonicMs() < refusedUntilMs) return undefined;
    return this.#lookUp(key, hash, nowMs);
  }

  /**
   * The key with its account as Redis has it now. Used when the account changed between a request's authentication and
   * its charge. The key itself was valid when the request came, and stays so for that request.
   */
  async reread(known: KnownKey): Promise<KnownKey> {
    const { redis, plans } = this.#options;
    const fields = [accountKey(known.accountId), "plan", "created", "rev"];
    const row = await redis.link.call("HMGET", fields, REDIS_WAIT_MS);
    return knownKeyOf(known, row as AccountRow, plans);
  }

  /** Empties the cache if anything changed since the last look. */
  async refresh(link: RedisLink, withinMs: number): Promise<void> {
    const { identity, clock } = this.#options;
    const askedMs = clock.monotonicMs();
    const reply = await link.call("HMGET", [STORE, "id", "revision"], withinMs);
    const [store, revision] = reply as (string | null)[];
    identity.check(store ?? "");
    if (revision !== this.#revision) {
      this.#known.clear();
      this.#refusedUntilMs.clear();
    }
    this.#revision = revision ?? "";
    this.#readMs = askedMs;
  }

  /** Whether the cache may be out of date because this process stood still: it must not miss a revocation. */
  #isStale(): boolean {
    const { redis, clock } = this.#options;
    return redis.ready && clock.monotonicMs() - this.#readMs >= STALE_MAX_MS;
  }

  async #lookUp(key: string, hash: string, requestMs: number): Promise<KnownKey | undefined> {
    const revision = this.#revision;
    const found = await this.#lookUps.find(hash, requestMs);
    if (found === undefined) {
      this.#refusedUntilMs.set(hash, this.#options.clock.monotonicMs() + REFUSED_MS);
      return undefined;
    }
    const known = knownKeyOf(found.key, found.account, this.#options.plans);
    // If something changed since the look-up began, it serves this request only.
    if (revision === this.#revision) this.#known.set(key, known);
    return known;
  }
}

function isInForce({ expiresMs }: KnownKey, nowMs: number): boolean {
  return expiresMs === null || nowMs < expiresMs;
}
