import type { KeyEnvironment } from "../accounts.ts";
import type { KeyRecord, KeyReference, NewKey } from "../admin.ts";
import { ACTIVE_KEYS_MAX, drawKey, noSuchKey, tooManyKeys } from "../admin-rules.ts";
import { hashKey } from "../keys.ts";
import type { Sql } from "./sql.ts";

const COLUMNS =
  "id, account_id, env, prefix, last_four, created_ms, last_used_ms, expires_ms, revoked_ms";
const INSERT = `
INSERT INTO keys (hash, id, account_id, env, prefix, last_four, created_ms)
VALUES (?, ?, ?, ?, ?, ?, ?)`;
const COUNT_ACTIVE = `
SELECT count(*) FROM keys
WHERE account_id = ? AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?)`;

type KeyRow = readonly [
  id: string,
  accountId: string,
  env: KeyEnvironment,
  prefix: string,
  lastFour: string,
  createdMs: number,
  lastUsedMs: number | null,
  expiresMs: number | null,
  revokedMs: number | null,
];

/** Keys, as the operator's commands see them. What writes belongs inside a transaction. */
export class KeyTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  insert(accountId: string, env: KeyEnvironment, nowMs: number): NewKey {
    const [active] = this.#sql.one(COUNT_ACTIVE, [accountId, nowMs]) as readonly [number];
    if (active >= ACTIVE_KEYS_MAX) throw tooManyKeys(accountId, active);
    const { key, hash, id, prefix, lastFour } = drawKey(env);
    this.#sql.run(INSERT, [hash, id, accountId, env, prefix, lastFour, nowMs]);
    return { key, record: this.get({ id }) };
  }

  get(reference: KeyReference): KeyRecord {
    const byId = "id" in reference;
    const value = byId ? reference.id : hashKey(reference.key);
    const sql = `SELECT ${COLUMNS} FROM keys WHERE ${byId ? "id" : "hash"} = ?`;
    const row = this.#sql.one(sql, [value]);
    if (row !== undefined) return recordOf(row as KeyRow);
    throw noSuchKey(reference);
  }

  list(accountId: string): readonly KeyRecord[] {
    const sql = `SELECT ${COLUMNS} FROM keys WHERE account_id = ? ORDER BY created_ms, id`;
    return this.#sql.all(sql, [accountId]).map((row) => recordOf(row as KeyRow));
  }

  /** Ends a key for good, whatever the clocks do. */
  revoke(id: string, nowMs: number): void {
    this.#sql.run("UPDATE keys SET revoked_ms = coalesce(revoked_ms, ?) WHERE id = ?", [nowMs, id]);
  }

  /** Ends a key at an instant; a key that ends earlier keeps its end. */
  expire(id: string, atMs: number): void {
    this.#sql.run("UPDATE keys SET expires_ms = min(coalesce(expires_ms, ?1), ?1) WHERE id = ?2", [
      atMs,
      id,
    ]);
  }
}

function recordOf(row: KeyRow): KeyRecord {
  const [id, accountId, env, prefix, lastFour, createdMs, lastUsedMs, expiresMs, revokedMs] = row;
  return { id, accountId, env, prefix, lastFour, createdMs, lastUsedMs, expiresMs, revokedMs };
}
