import type { Caller } from "../accounts.ts";
import type { KeyEnvironment } from "../keys.ts";
import { KeyCache } from "../key-cache.ts";
import { keyOf, AuthenticatedKey } from "../authenticated-key.ts";
import type { Account, AccountMemory } from "./account-memory.ts";
import { reading, type Connection } from "./state-file.ts";

const FIND = `
SELECT id, account_id, env, expires_ms, last_used_ms FROM keys WHERE hash = ? AND revoked_ms IS NULL`;

type KeyRow = readonly [
  keyId: string,
  accountId: string,
  env: KeyEnvironment,
  expiresMs: number | null,
  lastUsedMs: number | null,
];

/** The account behind a caller that `authenticate` gave out. */
export function accountOf(caller: Caller): Account {
  return keyOf(caller).account as Account; // those of this store are
}

/** Finds whom a key belongs to. Keys are read when they are first seen, whatever their number. */
export class KeyDirectory {
  readonly #memory: AccountMemory;
  readonly #select;
  readonly #cache: KeyCache<AuthenticatedKey<Account>>;

  constructor(db: Connection, memory: AccountMemory, monotonicMs: () => number) {
    this.#memory = memory;
    this.#select = db.prepare(FIND).raw();
    this.#cache = new KeyCache(monotonicMs);
  }

  find(authorization: string): AuthenticatedKey<Account> | undefined {
    return this.#cache.find(authorization) ?? this.#read(authorization);
  }

  /** Forgets all keys, since some have changed. */
  changed(): void {
    this.#cache.clear();
  }

  #read(authorization: string): AuthenticatedKey<Account> | undefined {
    const hash = this.#cache.hashOf(authorization);
    if (hash === undefined) return undefined;
    const row = reading(() => this.#select.get([hash])) as KeyRow | undefined;
    if (row === undefined) {
      this.#cache.refuse(hash);
      return undefined;
    }
    const [keyId, accountId, env, expiresMs, lastUsedMs] = row;
    const facts = { keyId, env, expiresMs, lastUsedMs };
    const key = new AuthenticatedKey(facts, this.#memory.get(accountId));
    this.#cache.keep(authorization, key);
    return key;
  }
}
