import type { KeyEnvironment } from "../accounts.ts";
import type { KeyRecord, KeyReference, NewKey } from "../admin.ts";
import { ACTIVE_KEYS_MAX, drawKey, noSuchKey, tooManyKeys } from "../admin-rules.ts";
import { hashKey } from "../keys.ts";
import type { Connection } from "./state-file.ts";

const COLUMNS = `
id, account_id AS accountId, env, prefix, last_four AS lastFour, created_ms AS createdMs,
last_used_ms AS lastUsedMs, expires_ms AS expiresMs, revoked_ms AS revokedMs`;
const INSERT = `
INSERT INTO keys (hash, id, account_id, env, prefix, last_four, created_ms)
VALUES (?, ?, ?, ?, ?, ?, ?)`;
const COUNT_ACTIVE = `
SELECT count(*) AS active FROM keys
WHERE account_id = ? AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?)`;

/** Keys, as the operator's commands see them. What writes belongs inside a transaction. */
export class KeyTable {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  insert(accountId: string, env: KeyEnvironment, nowMs: number): NewKey {
    const [{ active }] = this.#db.prepare(COUNT_ACTIVE).all([accountId, nowMs]) as [
      { active: number },
    ];
    if (active >= ACTIVE_KEYS_MAX) throw tooManyKeys(accountId, active);
    const { key, hash, id, prefix, lastFour } = drawKey(env);
    this.#db.prepare(INSERT).run([hash, id, accountId, env, prefix, lastFour, nowMs]);
    return { key, record: this.get({ id }) };
  }

  get(reference: KeyReference): KeyRecord {
    const byId = "id" in reference;
    const value = byId ? reference.id : hashKey(reference.key);
    const sql = `SELECT ${COLUMNS} FROM keys WHERE ${byId ? "id" : "hash"} = ?`;
    // `all`, since libsql adds timings to the row that `get` returns.
    const [record] = this.#db.prepare(sql).all([value]) as KeyRecord[];
    if (record === undefined) throw noSuchKey(reference);
    return record;
  }

  list(accountId: string): readonly KeyRecord[] {
    const sql = `SELECT ${COLUMNS} FROM keys WHERE account_id = ? ORDER BY created_ms, id`;
    return this.#db.prepare(sql).all([accountId]) as KeyRecord[];
  }

  /** Ends a key for good, whatever the clocks do. */
  revoke(id: string, nowMs: number): void {
    const sql = "UPDATE keys SET revoked_ms = coalesce(revoked_ms, ?) WHERE id = ?";
    this.#db.prepare(sql).run([nowMs, id]);
  }

  /** Ends a key at an instant; a key that ends earlier keeps its end. */
  expire(id: string, atMs: number): void {
    const sql = "UPDATE keys SET expires_ms = min(coalesce(expires_ms, ?1), ?1) WHERE id = ?2";
    this.#db.prepare(sql).run([atMs, id]);
  }
}
