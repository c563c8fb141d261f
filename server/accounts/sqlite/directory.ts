import { bearerOf, usualLength } from "../bearer.ts";
import type { Caller } from "../accounts.ts";
import { environmentOf, hashKey, KEY_LENGTH } from "../keys.ts";
import { KnownKeys } from "../known-keys.ts";
import { TRIAL_MS } from "../period.ts";
import { FREE, planOfCaller, TRIAL, type PlanTable } from "../plans.ts";
import { CredentialTable } from "./credential-table.ts";
import { KeyFilter } from "./key-filter.ts";
import { KeyRows, type KeyRow } from "./key-rows.ts";
import { KnownCaller, type KnownKey } from "./known-key.ts";
import type { Meter } from "./meter.ts";
import { storeFailure, type Connection } from "./state-file.ts";

/**
 * Finds whom a key belongs to.
 *
 * Keys are looked up in the file when they are first seen and kept in a bounded cache, so start-up time does
 * not grow with the number of accounts. Memory grows by two bytes a key: `KeyFilter`, which refuses keys that
 * nobody has. Keys that pass the filter but are not valid are cached too, so that a client repeating a
 * revoked key does not reach the file each time. A cached key takes some 1.5 KB; a call with a key that is
 * not cached costs seven times as much.
 *
 * Changes by other processes (a revocation, a plan) show in the store's revision, which is read again once
 * the last reading is older than `POLL_MS`. If it cannot be read, the cache holds for `STALE_MAX_MS` and then
 * nothing does: a revoked key is never served because the store is broken.
 */
const KNOWN_KEYS_MAX = 120_000;
const UNKNOWN_KEYS_MAX = 10_000;
const POLL_MS = 10;
const STALE_MAX_MS = 1_500;
/** With more changed accounts than this, forgetting everything is cheaper than naming them. */
const CHANGED_ACCOUNTS_MAX = 1_000;

/** The account's record in a slot, as `MeterFile.at` gives it. */
type MeterOf = (slot: number) => Meter;

/** An account's plan, when the account was made, and the slot of its record if it has one. */
type AccountRow = readonly [plan: string, createdMs: number, slot: number | null];

type KeyFields = Pick<KnownKey, "keyId" | "accountId" | "env" | "expiresMs" | "lastUsedMs">;

export interface KeyDirectoryOptions {
  readonly plans: PlanTable;
  readonly monotonicMs: () => number;
  readonly meterOf: MeterOf;
  /** As `MeterFile.newKeys`. */
  readonly newKeys: () => number;
}

export class KeyDirectory {
  readonly #plans: PlanTable;
  readonly #monotonicMs: () => number;
  readonly #meterOf: MeterOf;
  readonly #newKeys: () => number;
  readonly #filter: KeyFilter;
  readonly #known = new KnownKeys<KnownKey>(KNOWN_KEYS_MAX);
  readonly #unknown = new Set<string>();
  /**
   * Valid keys by the header that carries them, which spares a request the hash. Kept in memory only, and
   * never for unknown keys.
   */
  readonly #served = new CredentialTable<KnownKey>(usualLength(KEY_LENGTH));
  readonly #selectRevision;
  readonly #selectChanged;
  readonly #selectAccount;
  readonly #rows: KeyRows<KnownKey | undefined>;
  #revision = 0;
  /** The counter of new keys before the last reading: every key it had counted is in the filter. */
  #newKeysRead = 0;
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(db: Connection, options: KeyDirectoryOptions) {
    this.#plans = options.plans;
    this.#meterOf = options.meterOf;
    this.#newKeys = options.newKeys;
    this.#monotonicMs = options.monotonicMs;
    this.#filter = new KeyFilter(db);
    this.#selectRevision = db.prepare("SELECT revision FROM store").raw();
    this.#selectChanged = db
      .prepare(`SELECT id FROM accounts WHERE revision > ? LIMIT ${CHANGED_ACCOUNTS_MAX + 1}`)
      .raw();
    this.#selectAccount = db
      .prepare(
        `SELECT plan, created_ms, slot FROM accounts LEFT JOIN meters ON account_id = id WHERE id = ?`,
      )
      .raw();
    this.#rows = new KeyRows(db, (hash, row) => this.#take(hash, row));
    this.refresh();
  }

  /** The store's revision that the cache agrees with. */
  get revision(): number {
    return this.#revision;
  }

  /** The key's record, expired or not. Throws `AccountsUnavailable` if it cannot be read. */
  find(credentials: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    const served = this.#served.get(credentials);
    if (served === undefined) return this.#findByKey(credentials);
    this.#refreshWhenDue();
    return served.current ? served : this.#findByKey(credentials);
  }

  /** Looks up the keys that wait for the end of the turn, and stops all background work. */
  close(): void {
    this.#filter.stop();
    this.#rows.flush();
  }

  #findByKey(credentials: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    const key = bearerOf(credentials);
    if (environmentOf(key) === undefined) return undefined; // mistyped: not worth a hash
    this.#refreshWhenDue();
    const known = this.#findByHash(hashKey(key));
    return known instanceof Promise
      ? known.then((found) => this.#serve(credentials, found))
      : this.#serve(credentials, known);
  }

  #findByHash(hash: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    if (this.#isNobodys(hash)) return undefined;
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    return this.#unknown.has(hash) ? undefined : this.#rows.find(hash);
  }

  /** Asks the filter, after a refresh if keys have been shown to somebody since the last one. */
  #isNobodys(hash: string): boolean {
    if (this.#filter.mayBeKey(hash)) return false;
    if (this.#newKeys() === this.#newKeysRead) return true;
    try {
      this.refresh();
    } catch (error) {
      throw storeFailure(error);
    }
    return !this.#filter.mayBeKey(hash);
  }

  #serve(credentials: string, known: KnownKey | undefined): KnownKey | undefined {
    if (known === undefined) return undefined;
    if (this.#served.size >= KNOWN_KEYS_MAX) this.#served.clear();
    this.#served.set(credentials, known);
    return known;
  }

  /**
   * The caller with the account as the file has it now. Used when the account changed between a request's
   * authentication and its charge. The key itself was valid when the request came, and stays so for that
   * request.
   */
  reread(caller: Caller): KnownKey {
    const known = KnownCaller.keyOf(caller);
    if (known.current) return known;
    return this.#build(known, this.#selectAccount.get(known.accountId) as AccountRow);
  }

  /** Reads the store's revision and forgets the keys of accounts that changed since the last reading. */
  refresh(): void {
    const newKeys = this.#newKeys(); // must be read before the file
    const [revision] = this.#selectRevision.get() as [number];
    if (revision !== this.#revision) {
      const changed = this.#selectChanged.all(this.#revision) as [string][];
      // A revision that went back means that another file has taken this one's place: nothing cached holds.
      if (changed.length > CHANGED_ACCOUNTS_MAX || revision < this.#revision) {
        this.#known.forgetAll();
        this.#filter.refill();
      }
      for (const [accountId] of changed) {
        this.#known.forgetAccount(accountId);
        this.#filter.addKeysOf(accountId);
      }
      this.#unknown.clear();
      this.#revision = revision;
    }
    this.#newKeysRead = newKeys;
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

  /** Caches the result of a look-up. A revoked key counts as unknown from here on. */
  #take(hash: string, row: KeyRow | undefined): KnownKey | undefined {
    if (row === undefined || row.revokedMs !== null) {
      if (this.#unknown.size >= UNKNOWN_KEYS_MAX) this.#unknown.clear();
      this.#unknown.add(hash);
      return undefined;
    }
    const known = this.#build(row, [row.plan, row.createdMs, row.slot]);
    this.#known.remember(hash, known);
    return known;
  }

  #build(key: KeyFields, [planName, createdMs, slot]: AccountRow): KnownKey {
    const { keyId, accountId, env, expiresMs, lastUsedMs } = key;
    const caller = this.#caller(key, planName);
    const onTrial = planName === TRIAL;
    const callerAfterTrial = onTrial ? this.#caller(key, FREE) : caller;
    // The order matters: the members that every call reads share one cache line of the processor.
    const known: KnownKey = {
      current: true,
      quietFromSecond: 0,
      quietToSecond: 0,
      callerNow: caller,
      meter: slot === null ? undefined : this.#meterOf(slot),
      standing: undefined,
      keyId,
      accountId,
      env,
      expiresMs,
      lastUsedMs,
      trialEndsMs: onTrial ? createdMs + TRIAL_MS : Number.POSITIVE_INFINITY,
      caller,
      callerAfterTrial,
    };
    caller.belongsTo(known);
    callerAfterTrial.belongsTo(known);
    return known;
  }

  #caller({ keyId, accountId, env }: KeyFields, planName: string): KnownCaller {
    const plan = planOfCaller(this.#plans, { accountId, env }, planName);
    return new KnownCaller({ accountId, keyId, env, plan });
  }
}
