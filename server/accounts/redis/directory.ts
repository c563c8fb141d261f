import PQueue from "p-queue";
import { REDIS_WAIT_MS, type RedisConnection } from "../../redis/connection.ts";
import { luaScript } from "../../redis/lua-script.ts";
import type { RedisLink } from "../../redis/redis-link.ts";
import { AccountsUnavailable, type Caller } from "../accounts.ts";
import type { KeyEnvironment } from "../keys.ts";
import type { AccountsClock } from "../clock.ts";
import { KeyCache } from "../key-cache.ts";
import { accountPlans, keyOf, KnownKey, type KnownAccount } from "../known-key.ts";
import type { PlanTable } from "../plans.ts";
import { budgetMs, KEY_BY_MS } from "./deadline-budget.ts";
import { accountKey, STORE } from "./keys.ts";
import type { StoreIdentity } from "./store-identity.ts";

/** While Redis answers, the cache is never further behind than this. */
const STALE_MAX_MS = 1_500;
/** Keys looked up at once, so that a flood of unknown ones holds up a charge by a tenth of a millisecond. */
const LOOK_UPS_MAX = 16;
/** Keys that may wait. Beyond this, one that is not cached is refused with 503. */
const WAITING_MAX = 10_000;

/**
 * Finds a key that is in force, and its account. ARGV: store id, now, the key's SHA-256. Returns the id found and, if the
 * store is the right one and the key in force, a `KeyRow` and an `AccountRow`. A key that was revoked or has expired is
 * answered as one that never was, and as fast.
 */
export const FIND_KEY = luaScript(
  "find-key",
  `
local store = redis.call('HGET', 'hs:store', 'id')
local key = redis.call('HMGET', 'hs:key:' .. ARGV[3], 'id', 'account', 'env', 'expires', 'used', 'revoked')
if store ~= ARGV[1] or not key[1] or key[6] then return { store or '' } end
if key[4] and tonumber(key[4]) <= tonumber(ARGV[2]) then return { store } end
return { store, key, redis.call('HMGET', 'hs:account:' .. key[2], 'plan', 'created', 'rev') }`,
);

type KeyRow = readonly [
  id: string,
  account: string,
  env: KeyEnvironment,
  expires: string | null,
  used: string | null,
];

/** What of an account decides its charges; null where Redis has nothing. */
type AccountRow = readonly [plan: string | null, created: string | null, rev: string | null];

/** An account as Redis had it; a charge is decided only against this revision. */
export interface RedisAccount extends KnownAccount {
  readonly revision: string;
}

export type RedisKey = KnownKey<RedisAccount>;

/** The key behind a caller that `authenticate` gave out. */
export function redisKeyOf(caller: Caller): RedisKey {
  return keyOf(caller) as RedisKey; // those of this store are
}

export function redisAccountOf(id: string, row: AccountRow, table: PlanTable): RedisAccount {
  const [plan, created, revision] = row;
  if (plan === null || revision === null) {
    throw new AccountsUnavailable(`account ${id} is gone from Redis`);
  }
  const plans = accountPlans(table, { id, plan, createdMs: Number(created) });
  return { id, plans, revision };
}

export interface DirectoryOptions {
  readonly redis: RedisConnection;
  readonly identity: StoreIdentity;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
}

/**
 * Finds whom a key belongs to. Keys are looked up when they are first seen and kept in a cache, which is emptied whenever
 * a command has changed an account or a key: `refresh` sees that several times a second.
 */
export class RedisDirectory {
  readonly #options: DirectoryOptions;
  readonly #cache: KeyCache<RedisKey>;
  readonly #lookUps = new PQueue({ concurrency: LOOK_UPS_MAX });
  #revision = "";
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#cache = new KeyCache(options.clock.monotonicMs);
  }

  /** The key's record if the key is in force at this instant. */
  find(authorization: string, nowMs: number): RedisKey | undefined | Promise<RedisKey | undefined> {
    const known = this.#cache.find(authorization);
    if (known !== undefined && nowMs < known.expiresMs && !this.#isStale()) return known;
    const hash = this.#cache.hashOf(authorization);
    return hash === undefined ? undefined : this.#lookUp(authorization, hash, nowMs);
  }

  /**
   * The key with its account as Redis has it now. Used when the account changed between a request's authentication and
   * its charge. The key itself was valid when the request came, and stays so for that request.
   */
  async reread(known: RedisKey): Promise<RedisKey> {
    const { redis, plans } = this.#options;
    const fields = [accountKey(known.accountId), "plan", "created", "rev"];
    const row = (await redis.link.call("HMGET", fields, REDIS_WAIT_MS)) as unknown as AccountRow;
    return new KnownKey(known, redisAccountOf(known.accountId, row, plans));
  }

  /** Empties the cache if anything changed since the last look. */
  async refresh(link: RedisLink, withinMs: number): Promise<void> {
    const { identity, clock } = this.#options;
    const askedMs = clock.monotonicMs();
    const reply = await link.call("HMGET", [STORE, "id", "revision"], withinMs);
    const [store, revision] = reply as (string | null)[];
    identity.check(store ?? "");
    if (revision !== this.#revision) this.#cache.clear();
    this.#revision = revision ?? "";
    this.#readMs = askedMs;
  }

  /** Whether the cache may be out of date because this process stood still: it must not miss a revocation. */
  #isStale(): boolean {
    const { redis, clock } = this.#options;
    return redis.ready && clock.monotonicMs() - this.#readMs >= STALE_MAX_MS;
  }

  async #lookUp(
    authorization: string,
    hash: string,
    requestMs: number,
  ): Promise<RedisKey | undefined> {
    if (this.#lookUps.size >= WAITING_MAX) {
      throw new AccountsUnavailable("too many keys are being looked up");
    }
    const revision = this.#revision;
    const found = await this.#lookUps.add(() => this.#ask(hash, requestMs));
    // If something changed since the look-up began, it serves this request only.
    if (found === undefined) this.#cache.refuse(hash);
    else if (revision === this.#revision) this.#cache.keep(authorization, found);
    return found;
  }

  async #ask(hash: string, requestMs: number): Promise<RedisKey | undefined> {
    const { redis, identity, plans, clock } = this.#options;
    const values = [identity.id, clock.nowMs(), hash];
    const reply = await redis.link.run(FIND_KEY, values, budgetMs(clock, requestMs, KEY_BY_MS));
    const [store, key, account] = reply as [string, KeyRow?, AccountRow?];
    identity.check(store);
    if (key === undefined || account === undefined) return undefined;
    const [keyId, accountId, env, expires, used] = key;
    const facts = { keyId, env, expiresMs: instantOf(expires), lastUsedMs: instantOf(used) };
    return new KnownKey(facts, redisAccountOf(accountId, account, plans));
  }
}

function instantOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}
