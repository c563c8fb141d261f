import { hash } from "node:crypto";
import Database from "libsql";

/** A caller and the limits of its plan, from one look-up. */
export interface KeyRow {
  readonly account_id: string;
  readonly plan: string;
  readonly calls_per_month: number;
  readonly rate_per_minute: number;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS keys (
  hash TEXT PRIMARY KEY, account_id TEXT NOT NULL, plan TEXT NOT NULL,
  calls_per_month INTEGER NOT NULL, rate_per_minute INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS usage (
  account_id TEXT NOT NULL, month TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (account_id, month)
) WITHOUT ROWID;`;

/** Keys and usage in one SQLite file: a look-up by the key's hash, and one statement for each call. */
export class KeyStore {
  readonly #db: Database.Database;
  readonly #find;
  readonly #charge;

  constructor(file: string) {
    this.#db = new Database(file);
    this.#db.pragma("journal_mode = WAL");
    this.#db.pragma("synchronous = NORMAL");
    this.#db.exec(SCHEMA);
    this.#find = this.#db.prepare(
      "SELECT account_id, plan, calls_per_month, rate_per_minute FROM keys WHERE hash = ?",
    );
    this.#charge = this.#db.prepare(
      "INSERT INTO usage VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET used = used + 1 WHERE used < ? RETURNING used",
    );
  }

  add(key: string, row: KeyRow): void {
    this.#db
      .prepare("INSERT INTO keys VALUES (?, ?, ?, ?, ?)")
      .run(hashOf(key), row.account_id, row.plan, row.calls_per_month, row.rate_per_minute);
  }

  find(key: string): KeyRow | undefined {
    return this.#find.get(hashOf(key)) as KeyRow | undefined;
  }

  /** Counts one call of the month and returns the new count; undefined if the plan allows no more. */
  charge(accountId: string, month: string, limit: number): number | undefined {
    const charged = this.#charge.get(accountId, month, limit) as { used: number } | undefined;
    return charged?.used;
  }

  close(): void {
    this.#db.close();
  }
}

function hashOf(key: string): string {
  return hash("sha256", key, "hex");
}
