import type { RedisConnection } from "../../redis/connection.ts";
import type { RedisLink } from "../../redis/redis-link.ts";
import { TurnBatch } from "../../redis/turn-batch.ts";
import { AccountsUnavailable, type Caller } from "../accounts.ts";
import type { AccountsClock } from "../clock.ts";
import { bearerOf } from "../bearer.ts";
import { environmentOf, hashKey, KEY_LENGTH } from "../keys.ts";
import type { PlanTable } from "../plans.ts";
import { FIND_KEYS, READ_CHANGES } from "./directory-scripts.ts";
import { KeyCache } from "./key-cache.ts";
import { knownKeyOf, type KeyRow, type KnownKey } from "./known-key.ts";
import { KEY_BY_MS, LEAST_MS, patience } from "./patience.ts";
import type { StoreIdentity } from "./store-identity.ts";

/**
 * Keys looked up in one script, and how many scripts may be under way. A flood of unknown keys then delays a
 * charge by two such scripts, some tenths of a millisecond, while tens of thousands of keys a second are
 * still looked up.
 */
const GROUP_MAX = 50;
const UNDER_WAY_MAX = 2;
const APART_MS = 2;
/** Look-ups under way at once. Beyond this, a key that is not cached is refused with 503. */
const WAITING_MAX = 5_000;
/** A look-up that waited longer than this to be sent would be too late. */
const QUEUED_MAX_MS = 25;
const TOO_MANY = "too many keys are being looked up";
/** While Redis answers, the cache is never further behind than this. */
const STALE_MAX_MS = 1_500;

interface LookUp {
  readonly hash: string;
  /** When the request came, by the wall clock; undefined if the caller is already known. */
  readonly requestMs: number | undefined;
}

export interface DirectoryOptions {
  readonly redis: RedisConnection;
  readonly identity: StoreIdentity;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
}

/**
 * Finds whom a key belongs to. Keys are looked up when they are first seen, those of one turn together, and
 * kept in a bounded cache. `refresh`, which the owner calls several times a second, reads what has changed.
 * While Redis is away the cache still holds, but nothing that costs units is answered.
 */
export class RedisDirectory {
  readonly #options: DirectoryOptions;
  readonly #cache = new KeyCache();
  readonly #lookUps: TurnBatch<LookUp, KeyRow | undefined>;
  /** Look-ups under way, so that many requests with the same new key share one. */
  readonly #underWay = new Map<string, Promise<KnownKey | undefined>>();
  #catchingUp: Promise<void> | undefined;
  #revision = 0;
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#lookUps = new TurnBatch(GROUP_MAX, (group) => this.#ask(group), {
      underWayMax: UNDER_WAY_MAX,
      apartMs: APART_MS,
      waitMaxMs: QUEUED_MAX_MS,
      refusal: () => new AccountsUnavailable(TOO_MANY),
      monotonicMs: options.clock.monotonicMs,
    });
  }

  /** The key's record if the key is in force at this instant. */
  find(credentials: string, nowMs: number): KnownKey | undefined | Promise<KnownKey | undefined> {
    const key = bearerOf(credentials);
    if (key.length !== KEY_LENGTH) return undefined;
    const hash = hashKey(key);
    const known = this.#cache.get(hash);
    const { clock } = this.#options;
    if (known !== undefined) {
      if (!this.#isStale()) return holdsAt(known, nowMs);
      return this.#caughtUp(patience(clock, nowMs, KEY_BY_MS)).then(() =>
        this.find(credentials, nowMs),
      );
    }
    if (environmentOf(key) === undefined) return undefined;
    if (this.#cache.isUnknown(hash, clock.monotonicMs())) return undefined;
    return this.#lookUp({ hash, requestMs: nowMs }).then((found) => found && holdsAt(found, nowMs));
  }

  /** The record behind a caller that `find` gave out. */
  keyOf(caller: Caller): KnownKey {
    return this.#cache.keyOf(caller);
  }

  /**
   * The key as Redis has it now. Used when the account changed between a request's authentication and its
   * charge. The key itself was valid when the request came, and stays so for that request.
   */
  async reread(known: KnownKey): Promise<KnownKey> {
    if (known.current) this.#cache.forgetAccount(known.accountId);
    const remembered = this.#cache.get(known.hash);
    if (remembered !== undefined) return remembered;
    const row = await this.#lookUps.add({ hash: known.hash, requestMs: undefined });
    if (row === undefined) throw new AccountsUnavailable(`key ${known.keyId} is gone from Redis`);
    return this.#take(known.hash, row);
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

  /** Call on a new connection: keys that were unknown may be there now. */
  forgetUnknown(): void {
    this.#cache.forgetUnknown();
  }

  /** Whether the cache may be out of date because this process stood still: it must not miss a revocation. */
  #isStale(): boolean {
    const { redis, clock } = this.#options;
    return redis.ready && clock.monotonicMs() - this.#readMs >= STALE_MAX_MS;
  }

  /** Reads what changed, once for everybody who waits for it. */
  #caughtUp(withinMs: number): Promise<void> {
    const { redis } = this.#options;
    this.#catchingUp ??= this.refresh(redis, withinMs).finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  #lookUp(lookUp: LookUp): Promise<KnownKey | undefined> {
    const { hash } = lookUp;
    const before = this.#underWay.get(hash);
    if (before !== undefined) return before;
    const { redis } = this.#options;
    if (!redis.ready) return Promise.reject(redis.unavailable());
    if (this.#underWay.size >= WAITING_MAX) {
      return Promise.reject(new AccountsUnavailable(TOO_MANY));
    }
    const revision = this.#revision;
    const found = this.#lookUps
      .add(lookUp)
      .then((row) => {
        if (row !== undefined) return this.#take(hash, row, revision);
        this.#cache.rememberUnknown(hash, this.#options.clock.monotonicMs());
        return undefined;
      })
      .finally(() => this.#underWay.delete(hash));
    this.#underWay.set(hash, found);
    return found;
  }

  /** Caches a key, unless something changed since it was asked for: then it serves this request only. */
  #take(hash: string, row: KeyRow, askedAtRevision = this.#revision): KnownKey {
    const known = knownKeyOf(hash, row, this.#options.plans);
    this.#cache.introduce(known);
    if (!known.revoked && askedAtRevision === this.#revision) this.#cache.remember(hash, known);
    return known;
  }

  async #ask(group: readonly LookUp[]): Promise<readonly (KeyRow | undefined)[]> {
    const { redis, identity, clock } = this.#options;
    const patiences = group.map(({ requestMs }) =>
      requestMs === undefined ? LEAST_MS : patience(clock, requestMs, KEY_BY_MS),
    );
    const withinMs = Math.min(...patiences);
    const hashes = group.map(({ hash }) => hash);
    const reply = (await redis.run(FIND_KEYS, [identity.id, ...hashes], withinMs)) as [
      string,
      ...(KeyRow | 0)[],
    ];
    const [store, ...rows] = reply;
    identity.check(store);
    return rows.map((row) => (row === 0 ? undefined : row));
  }
}

function holdsAt(known: KnownKey, nowMs: number): KnownKey | undefined {
  if (known.revoked) return undefined;
  return known.expiresMs !== null && nowMs >= known.expiresMs ? undefined : known;
}
