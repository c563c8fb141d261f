import { AccountsUnavailable, type KeyEnvironment } from "../accounts.ts";
import { storeFailure, type Connection } from "./state-file.ts";

/** A key with its account, as the file has them; `slot` is null if the account was never used. */
export interface KeyRow {
  readonly hash: string;
  readonly keyId: string;
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
  readonly lastUsedMs: number | null;
  readonly plan: string;
  readonly createdMs: number;
  readonly slot: number | null;
}

type Columns = readonly [
  hash: string,
  keyId: string,
  accountId: string,
  env: KeyEnvironment,
  expiresMs: number | null,
  revokedMs: number | null,
  lastUsedMs: number | null,
  plan: string,
  createdMs: number,
  slot: number | null,
];

const SELECT = `
SELECT hash, keys.id, keys.account_id, env, expires_ms, revoked_ms, last_used_ms, plan, accounts.created_ms, slot`;
const JOINS = `
CROSS JOIN accounts ON accounts.id = keys.account_id
LEFT JOIN meters ON meters.account_id = keys.account_id`;
const ONE = `${SELECT} FROM keys ${JOINS} WHERE hash = ?`;
const MANY = `${SELECT} FROM json_each(?) AS wanted CROSS JOIN keys ON hash = wanted.value ${JOINS}`;

/**
 * Keys looked up in one statement, which takes a fraction of a millisecond; the rest follow in the next
 * turns.
 */
const GROUP = 64;
const WAITING_MAX = 16_384;
/**
 * Per turn. It is two because a pipelined key that has just changed is looked up twice, and its answers must
 * leave in the same turn.
 */
const AT_ONCE_MAX = 2;

interface Waiting<Found> {
  readonly promise: Promise<Found>;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Looks keys up in the file.
 *
 * The first two of a turn of the event loop are looked up at once; the others of that turn share one
 * statement at its end. A statement costs several times what a row does, and a flood of unknown keys is
 * nothing but look-ups. Every look-up runs after it was asked for, so a key made just before is found.
 */
export class KeyRows<Found> {
  readonly #found: (hash: string, row: KeyRow | undefined) => Found;
  readonly #one;
  readonly #many;
  readonly #waiting = new Map<string, Waiting<Found>>();
  #foundAtOnce = 0;

  /** `found` receives each row as it is read, so that nothing can be forgotten in between. */
  constructor(db: Connection, found: (hash: string, row: KeyRow | undefined) => Found) {
    this.#found = found;
    this.#one = db.prepare(ONE).raw();
    this.#many = db.prepare(MANY).raw();
  }

  /** Throws `AccountsUnavailable`, or rejects with it, if the file cannot be read. */
  find(hash: string): Found | Promise<Found> {
    if (this.#foundAtOnce < AT_ONCE_MAX) {
      if (this.#foundAtOnce === 0) setImmediate(this.#turn);
      this.#foundAtOnce += 1;
      return this.#findNow(hash);
    }
    const joined = this.#waiting.get(hash);
    if (joined !== undefined) return joined.promise;
    if (this.#waiting.size >= WAITING_MAX) {
      throw new AccountsUnavailable("too many keys wait for the state file");
    }
    let settle: Pick<Waiting<Found>, "resolve" | "reject">;
    const promise = new Promise<Found>((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.#waiting.set(hash, { promise, ...settle! }); // set by the promise's executor
    return promise;
  }

  /** Looks up everything that waits. */
  flush(): void {
    while (this.#waiting.size > 0) this.#findGroup();
  }

  readonly #turn = (): void => {
    this.#findGroup();
    this.#foundAtOnce = this.#waiting.size > 0 ? AT_ONCE_MAX : 0;
    if (this.#waiting.size > 0) setImmediate(this.#turn);
  };

  #findNow(hash: string): Found {
    let columns: Columns | undefined;
    try {
      columns = this.#one.get(hash) as Columns | undefined;
    } catch (error) {
      throw storeFailure(error);
    }
    return this.#found(hash, columns && rowOf(columns));
  }

  #findGroup(): void {
    const group: [string, Waiting<Found>][] = [];
    for (const each of this.#waiting) {
      if (group.length === GROUP) break;
      group.push(each);
      this.#waiting.delete(each[0]);
    }
    if (group.length === 0) return;
    const rows = new Map<string, KeyRow>();
    try {
      const found = this.#many.all(JSON.stringify(group.map(([hash]) => hash))) as Columns[];
      for (const columns of found) rows.set(columns[0], rowOf(columns));
    } catch (error) {
      for (const [, { reject }] of group) reject(storeFailure(error));
      return;
    }
    for (const [hash, { resolve, reject }] of group) {
      try {
        resolve(this.#found(hash, rows.get(hash)));
      } catch (error) {
        reject(storeFailure(error));
      }
    }
  }
}

function rowOf(columns: Columns): KeyRow {
  const [hash, keyId, accountId, env, expiresMs, revokedMs, lastUsedMs, plan, createdMs, slot] =
    columns;
  return {
    hash,
    keyId,
    accountId,
    env,
    expiresMs,
    revokedMs,
    lastUsedMs,
    plan,
    createdMs,
    slot,
  };
}
