import { LRUCache } from "lru-cache";
import { AccountsUnavailable, type Caller, type KeyEnvironment } from "../accounts.ts";
import { environmentOf, hashKey, KEY_LENGTH } from "../keys.ts";
import { TRIAL_MS } from "../period.ts";
import { FREE, planForKey, TRIAL, type PlanTable } from "../plans.ts";
import { KnownCaller, type KnownKey } from "./known-key.ts";
import type { Meter } from "./meter.ts";
import { storeFailure, type Connection } from "./state-file.ts";

/**
 * Who a key belongs to. Keys are looked up in the file when they are first seen and remembered in a
 * bounded cache, so neither start-up nor memory grows with the number of accounts. Keys nobody has
 * are remembered too, so that a client repeating one does not reach the file each time.
 *
 * What another process changes (a revocation, a plan) is noticed by the store's revision, read again
 * when the last reading is older than `POLL_MS`. If it cannot be read, what is remembered holds for
 * `STALE_MAX_MS` and then nothing does: a revoked key is never served on a broken store.
 */
const KNOWN_KEYS_MAX = 50_000;
const UNKNOWN_KEYS_MAX = 10_000;
const SERVED_KEYS_MAX = 10_000;
const POLL_MS = 10;
const STALE_MAX_MS = 1_500;
/** With more changed accounts than this, forgetting everything is cheaper than naming them. */
const CHANGED_ACCOUNTS_MAX = 1_000;

/** The account's record of a slot, as `MeterFile.at`. */
export type MeterOf = (slot: number) => Meter;

type KeyRow = [
  id: string,
  accountId: string,
  env: KeyEnvironment,
  expiresMs: number | null,
  revokedMs: number | null,
  lastUsedMs: number | null,
];

type KeyFields = Pick<KnownKey, "keyId" | "accountId" | "env" | "expiresMs" | "lastUsedMs">;

export interface KeyDirectoryOptions {
  readonly plans: PlanTable;
  readonly monotonicMs: () => number;
  readonly meterOf: MeterOf;
}

export class KeyDirectory {
  readonly #plans: PlanTable;
  readonly #monotonicMs: () => number;
  readonly #meterOf: MeterOf;
  readonly #known: LRUCache<string, KnownKey>;
  readonly #unknown = new LRUCache<string, true>({ max: UNKNOWN_KEYS_MAX });
  /** Good keys by their text, which spares a request the hash: a microsecond. In memory only, and never unknown ones. */
  readonly #served = new Map<string, KnownKey>();
  /** The remembered hashes of each account, so that a change to it finds its keys. */
  readonly #hashesOf = new Map<string, Set<string>>();
  readonly #selectRevision;
  readonly #selectChanged;
  readonly #selectKey;
  readonly #selectAccount;
  #revision = 0;
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(db: Connection, { plans, monotonicMs, meterOf }: KeyDirectoryOptions) {
    this.#plans = plans;
    this.#meterOf = meterOf;
    this.#monotonicMs = monotonicMs;
    this.#known = new LRUCache({
      max: KNOWN_KEYS_MAX,
      dispose: (known, hash) => this.#forgotten(known, hash),
    });
    this.#selectRevision = db.prepare("SELECT revision FROM store").raw();
    this.#selectChanged = db
      .prepare(`SELECT id FROM accounts WHERE revision > ? LIMIT ${CHANGED_ACCOUNTS_MAX + 1}`)
      .raw();
    this.#selectKey = db
      .prepare(
        `SELECT id, account_id, env, expires_ms, revoked_ms, last_used_ms FROM keys WHERE hash = ?`,
      )
      .raw();
    this.#selectAccount = db
      .prepare(
        `SELECT plan, created_ms, slot FROM accounts LEFT JOIN meters ON account_id = id WHERE id = ?`,
      )
      .raw();
    this.refresh();
  }

  /** The revision of the store that what is remembered agrees with. */
  get revision(): number {
    return this.#revision;
  }

  /** Keys remembered now, known and unknown. */
  get size(): number {
    return this.#known.size + this.#unknown.size;
  }

  /** The key's record where it holds at this instant. Throws `AccountsUnavailable` where that cannot be known. */
  find(key: string, nowMs: number): KnownKey | undefined {
    if (key.length !== KEY_LENGTH) return undefined;
    this.#refreshWhenDue();
    const served = this.#served.get(key);
    const known = served?.current === true ? served : this.#findByHash(key);
    if (known === undefined) return undefined;
    return known.expiresMs !== null && nowMs >= known.expiresMs ? undefined : known;
  }

  #findByHash(key: string): KnownKey | undefined {
    if (environmentOf(key) === undefined) return undefined; // mistyped: not worth a hash
    const hash = hashKey(key);
    const known = this.#known.get(hash) ?? this.#lookUp(hash);
    if (known === undefined) return undefined;
    if (this.#served.size >= SERVED_KEYS_MAX) this.#served.clear();
    this.#served.set(key, known);
    return known;
  }

  /**
   * The caller as the file has the account now. Used when something changed between a request's
   * authentication and its charge; the key itself was good when the request came and stays so for it.
   */
  reread(caller: Caller): KnownKey {
    const known = KnownCaller.keyOf(caller);
    if (known.current) return known;
    return this.#build(known);
  }

  /** Reads the store's revision and forgets the keys of accounts that changed since the last reading. */
  refresh(): void {
    const [revision] = this.#selectRevision.get() as [number];
    if (revision !== this.#revision) {
      const changed = this.#selectChanged.all(this.#revision) as [string][];
      // A revision that went back means another file in its place: nothing remembered holds.
      if (changed.length > CHANGED_ACCOUNTS_MAX || revision < this.#revision) this.#known.clear();
      for (const [accountId] of changed) this.#forget(accountId);
      this.#unknown.clear();
      this.#revision = revision;
    }
    this.#readMs = this.#monotonicMs();
  }

  #refreshWhenDue(): void {
    const age = this.#monotonicMs() - this.#readMs;
    if (age >= 0 && age < POLL_MS) return;
    try {
      this.refresh();
    } catch (error) {
      if (age >= STALE_MAX_MS || age < 0) throw storeFailure(error);
    }
  }

  #lookUp(hash: string): KnownKey | undefined {
    if (this.#unknown.has(hash)) return undefined;
    let known: KnownKey | undefined;
    try {
      known = this.#read(hash);
    } catch (error) {
      throw storeFailure(error);
    }
    if (known === undefined) {
      this.#unknown.set(hash, true);
      return undefined;
    }
    this.#known.set(hash, known);
    const hashes = this.#hashesOf.get(known.accountId);
    if (hashes === undefined) this.#hashesOf.set(known.accountId, new Set([hash]));
    else hashes.add(hash);
    return known;
  }

  /** Undefined where there is no such key or it is revoked: from here on the two are the same. */
  #read(hash: string): KnownKey | undefined {
    const row = this.#selectKey.get(hash) as KeyRow | undefined;
    if (row === undefined || row[4] !== null) return undefined;
    const [keyId, accountId, env, expiresMs, , lastUsedMs] = row;
    return this.#build({ keyId, accountId, env, expiresMs, lastUsedMs });
  }

  #build(key: KeyFields): KnownKey {
    const { keyId, accountId, env, expiresMs, lastUsedMs } = key;
    const [planName, createdMs, slot] = this.#selectAccount.get(accountId) as [
      string,
      number,
      number | null,
    ];
    const caller = this.#caller(key, planName);
    const onTrial = planName === TRIAL;
    const callerAfterTrial = onTrial ? this.#caller(key, FREE) : caller;
    const known = {
      keyId,
      accountId,
      env,
      expiresMs,
      lastUsedMs,
      trialEndsMs: onTrial ? createdMs + TRIAL_MS : Number.POSITIVE_INFINITY,
      caller,
      callerAfterTrial,
      current: true,
      meter: slot === null ? undefined : this.#meterOf(slot),
      standing: undefined,
    };
    caller.belongsTo(known);
    callerAfterTrial.belongsTo(known);
    return known;
  }

  #caller({ keyId, accountId, env }: KeyFields, planName: string): KnownCaller {
    const plan = this.#plans.get(planName);
    if (plan === undefined) {
      const message = `account "${accountId}" is on the plan "${planName}", which the plan table does not have`;
      throw new AccountsUnavailable(message);
    }
    return new KnownCaller({ accountId, keyId, env, plan: planForKey(this.#plans, plan, env) });
  }

  #forget(accountId: string): void {
    for (const hash of this.#hashesOf.get(accountId) ?? []) this.#known.delete(hash);
  }

  #forgotten(known: KnownKey, hash: string): void {
    known.current = false;
    const hashes = this.#hashesOf.get(known.accountId);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.#hashesOf.delete(known.accountId);
  }
}
