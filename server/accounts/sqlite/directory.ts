import { LRUCache } from "lru-cache";
import { bearerOf } from "../bearer.ts";
import type { Caller, KeyEnvironment } from "../accounts.ts";
import type { Plan } from "../plan.ts";
import { environmentOf, hashKey } from "../keys.ts";
import type { Account, AccountMemory } from "./account-memory.ts";
import { reading, type Connection } from "./state-file.ts";

/** Refused keys that are remembered, so that asking for one again reads nothing. */
const UNKNOWN_KEYS_MAX = 10_000;

type KeyRow = readonly [
  id: string,
  accountId: string,
  env: KeyEnvironment,
  expiresMs: number | null,
  revokedMs: number | null,
  lastUsedMs: number | null,
];

/** A key that is not revoked, and the caller behind it. */
export class KnownKey implements Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly env: KeyEnvironment;
  /** In force when the key was last seen. */
  plan: Plan;
  readonly account: Account;
  readonly expiresMs: number;
  lastUsedMs: number;

  constructor([keyId, accountId, env, expiresMs, , lastUsedMs]: KeyRow, account: Account) {
    this.accountId = accountId;
    this.keyId = keyId;
    this.env = env;
    this.plan = account.planAt(env, 0);
    this.account = account;
    this.expiresMs = expiresMs ?? Number.POSITIVE_INFINITY;
    this.lastUsedMs = lastUsedMs ?? Number.NEGATIVE_INFINITY;
  }
}

/** The key behind a caller that `authenticate` gave out. */
export function keyOf(caller: Caller): KnownKey {
  if (caller instanceof KnownKey) return caller;
  throw new Error("the caller did not come from authenticate");
}

/** Finds whom a key belongs to. Keys are read when they are first seen, whatever their number. */
export class KeyDirectory {
  readonly #memory: AccountMemory;
  readonly #select;
  /** By the header that carries them, which spares a request the hash. */
  readonly #known = new Map<string, KnownKey>();
  readonly #headers = new Map<string, Set<string>>();
  readonly #unknown = new LRUCache<string, true>({
    maxSize: UNKNOWN_KEYS_MAX,
    sizeCalculation: () => 1, // `max` would fill the cache's tables at the start
  });

  constructor(db: Connection, memory: AccountMemory) {
    this.#memory = memory;
    this.#select = db
      .prepare(
        "SELECT id, account_id, env, expires_ms, revoked_ms, last_used_ms FROM keys WHERE hash = ?",
      )
      .raw();
  }

  find(authorization: string): KnownKey | undefined {
    return this.#known.get(authorization) ?? this.#findByKey(bearerOf(authorization));
  }

  /** Forgets the keys of an account, which may have changed. */
  changed(accountId: string): void {
    for (const header of this.#headers.get(accountId) ?? []) this.#known.delete(header);
    this.#headers.delete(accountId);
    this.#unknown.clear();
  }

  #findByKey(key: string): KnownKey | undefined {
    if (environmentOf(key) === undefined) return undefined; // mistyped: not worth a hash
    const header = `Bearer ${key}`;
    const known = this.#known.get(header); // the scheme was spelled in another way
    if (known !== undefined) return known;
    const hash = hashKey(key);
    if (this.#unknown.get(hash) === true) return undefined;
    const row = reading(() => this.#select.get([hash])) as KeyRow | undefined;
    if (row === undefined || row[4] !== null) {
      this.#unknown.set(hash, true);
      return undefined;
    }
    return this.#remember(header, new KnownKey(row, this.#memory.get(row[1])));
  }

  #remember(header: string, key: KnownKey): KnownKey {
    this.#known.set(header, key);
    const headers = this.#headers.get(key.accountId) ?? new Set();
    this.#headers.set(key.accountId, headers.add(header));
    return key;
  }
}
