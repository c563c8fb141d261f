import { REDIS_WAIT_MS, type RedisConnection } from "./connection.ts";
import { luaScript } from "./lua-script.ts";
import type { RedisLink } from "./redis-link.ts";
import {
  AccountsUnavailable,
  type AccountsClock,
  type Caller,
  type AccountInForce,
} from "../accounts.ts";
import type { KeyEnvironment } from "../keys.ts";
import { KeyCache } from "../key-cache.ts";
import { accountPlans, AuthenticatedKey } from "../in-force.ts";
import type { PlanTable } from "../plans.ts";
import { budgetMs, KEY_BY_MS } from "./deadline-budget.ts";
import { accountKey } from "./account-records.ts";
import type { StoreIdentity } from "./store-identity.ts";

/** While Redis answers, the cache is never older than this. */
const STALE_MAX_MS = 1_500;
/** Keys that are looked up in one script, so that a flood of unknown keys delays a charge by a tenth of a millisecond. */
const GROUP_MAX = 50;
/** Keys that may wait to be looked up. Further ones are answered 503. */
const WAITING_MAX = 10_000;

/**
 * Finds keys in force and their accounts. ARGV: store id, now, then SHA-256s. Returns the id of the store and, if it is the
 * right one, for each key a `KeyRow` and an `AccountRow`, or 0. A key that is revoked, expired or of a suspended account is
 * answered like one that never existed.
 */
export const FIND_KEYS = luaScript(
  "find-keys",
  `
local store = redis.call('HGET', 'hs:store', 'id')
local out = { store or '' }
if store ~= ARGV[1] then return out end
for i = 3, #ARGV do
  local key = redis.call('HMGET', 'hs:key:' .. ARGV[i], 'id', 'account', 'env', 'expires', 'used', 'revoked')
  local inForce = key[1] and not key[6] and not (key[4] and tonumber(key[4]) <= tonumber(ARGV[2]))
  local account = inForce and redis.call('HMGET', 'hs:account:' .. key[2], 'plan', 'created', 'rev', 'suspended')
  out[i - 1] = account and not account[4] and { key, account } or 0
end
return out`,
);

type KeyRow = readonly [
  id: string,
  account: string,
  env: KeyEnvironment,
  expires: string | null,
  used: string | null,
];

/** The fields of an account that decide its charges; null where Redis has none. */
type AccountRow = readonly [plan: string | null, created: string | null, rev: string | null];

/** The reply of `FIND_KEYS` for a key; 0 if it is not in force. */
type Found = readonly [KeyRow, AccountRow] | 0;

interface LookUp {
  readonly hash: string;
  /** When the request arrived, by the wall clock. */
  readonly requestMs: number;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
}

export function redisAccountOf(id: string, row: AccountRow, table: PlanTable): AccountInForce {
  const [plan, created, revision] = row;
  if (plan === null || revision === null) {
    throw new AccountsUnavailable(`account ${id} is gone from Redis`);
  }
  const plans = accountPlans(table, { id, plan, createdMs: Number(created) });
  return { id, plans, revision };
}

interface DirectoryOptions {
  readonly redis: RedisConnection;
  readonly identity: StoreIdentity;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
}

/**
 * Finds the account of a key. Keys are looked up when they are first seen and cached. The cache is emptied when a command
 * has changed an account or a key, which `refresh` notices several times a second. Keys of one turn of the event loop are
 * looked up together: one by one, they would take three times as much of this process, and five times as much of Redis.
 */
export class RedisDirectory {
  readonly #options: DirectoryOptions;
  readonly #cache: KeyCache<AuthenticatedKey>;
  #waiting: LookUp[] = [];
  #isAsking = false;
  #revision = "";
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#cache = new KeyCache(options.clock.monotonicMs);
  }

  /** The key if it is known, while this process can trust what it knows. */
  known(authorization: string): AuthenticatedKey | undefined {
    return this.#isStale() ? undefined : this.#cache.find(authorization);
  }

  /** The key if Redis says that it is in force at this instant. */
  async lookUp(authorization: string, nowMs: number): Promise<AuthenticatedKey | undefined> {
    const hash = this.#cache.hashOf(authorization);
    return hash === undefined ? undefined : await this.#lookUp(authorization, hash, nowMs);
  }

  /** The key of an id, if it is in force at this instant. */
  async findById(keyId: string, nowMs: number): Promise<AuthenticatedKey | undefined> {
    const { redis, plans } = this.#options;
    const hash = await redis.link.call("HGET", ["hs:key-ids", keyId], REDIS_WAIT_MS);
    const found = hash === null ? 0 : await this.#found(hash as string, nowMs);
    return found === 0 ? undefined : keyFrom(found, plans);
  }

  /**
   * The caller with its account as it is in Redis now, for an account that changed between a request's authentication and its
   * charge. The key itself was valid when the request came, and stays so for that request.
   */
  async reread(known: Caller): Promise<Caller> {
    const { redis, plans } = this.#options;
    const fields = [accountKey(known.accountId), "plan", "created", "rev"];
    const row = (await redis.link.call("HMGET", fields, REDIS_WAIT_MS)) as unknown as AccountRow;
    return { ...known, account: redisAccountOf(known.accountId, row, plans) };
  }

  /** Empties the cache if anything changed since the last look. */
  async refresh(link: RedisLink, withinMs: number): Promise<void> {
    const { identity, clock } = this.#options;
    const askedMs = clock.monotonicMs();
    const reply = await link.call("HMGET", ["hs:store", "id", "revision"], withinMs);
    const [store, revision] = reply as (string | null)[];
    identity.check(store ?? "");
    if (revision !== this.#revision) this.#cache.clear();
    this.#revision = revision ?? "";
    this.#readMs = askedMs;
  }

  /** Whether this process was suspended, so that the cache may lack a revocation. */
  #isStale(): boolean {
    const { redis, clock } = this.#options;
    return redis.ready && clock.monotonicMs() - this.#readMs >= STALE_MAX_MS;
  }

  async #lookUp(
    authorization: string,
    hash: string,
    requestMs: number,
  ): Promise<AuthenticatedKey | undefined> {
    const revision = this.#revision;
    const found = await this.#found(hash, requestMs);
    if (found === 0) {
      this.#cache.refuse(hash);
      return undefined;
    }
    const key = keyFrom(found, this.#options.plans);
    // If anything changed since the look-up began, the key serves this request only.
    if (revision === this.#revision) this.#cache.keep(authorization, key);
    return key;
  }

  /** Looks up a key together with others of this turn. */
  async #found(hash: string, requestMs: number): Promise<Found> {
    const { redis } = this.#options;
    if (!redis.ready) throw redis.unavailable();
    if (this.#waiting.length >= WAITING_MAX) {
      throw new AccountsUnavailable("too many keys are being looked up");
    }
    return await new Promise<Found>((resolve, reject) => {
      this.#waiting.push({ hash, requestMs, resolve, reject });
      if (!this.#isAsking) setImmediate(() => void this.#askAll());
      this.#isAsking = true;
    });
  }

  async #askAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.slice(0, GROUP_MAX);
      this.#waiting = this.#waiting.slice(GROUP_MAX);
      try {
        await this.#ask(group);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isAsking = false;
  }

  async #ask(group: readonly LookUp[]): Promise<void> {
    const { redis, identity, clock } = this.#options;
    const earliestMs = Math.min(...group.map(({ requestMs }) => requestMs));
    const values = [identity.id, clock.nowMs(), ...group.map(({ hash }) => hash)];
    const reply = await redis.link.run(FIND_KEYS, values, budgetMs(clock, earliestMs, KEY_BY_MS));
    const [store, ...rows] = reply as [string, ...Found[]];
    identity.check(store);
    for (const [index, { resolve }] of group.entries()) resolve(rows[index]!); // there is one for each
  }
}

function keyFrom([key, account]: Exclude<Found, 0>, plans: PlanTable): AuthenticatedKey {
  const [keyId, accountId, env, expires, used] = key;
  const facts = { keyId, env, expiresMs: instantOf(expires), lastUsedMs: instantOf(used) };
  return new AuthenticatedKey(facts, redisAccountOf(accountId, account, plans));
}

function instantOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}
