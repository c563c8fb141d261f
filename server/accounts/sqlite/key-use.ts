import { USE_AHEAD_MS, USE_STEP_MS } from "../admin-rules.ts";
import type { KnownKey } from "./directory.ts";
import { inTransaction, type Connection } from "./state-file.ts";

/** Keys written a second, in one transaction of a millisecond or two. Beyond `UNWRITTEN_MAX` no use is recorded. */
const WRITTEN_MAX = 50;
const UNWRITTEN_MAX = 50_000;

/** When keys were last used. Uses are kept in memory and written once a second: a crash loses a second of them. */
export class KeyUse {
  readonly #db: Connection;
  readonly #update;
  readonly #unwritten = new Map<string, number>();

  constructor(db: Connection) {
    this.#db = db;
    this.#update = db.prepare(
      `UPDATE keys SET last_used_ms = ?1
WHERE id = ?2 AND (last_used_ms IS NULL OR last_used_ms NOT BETWEEN ?1 AND ?1 + ${USE_AHEAD_MS})`,
    );
  }

  /** Records a use, once a minute for a busy key. */
  record(key: KnownKey, nowMs: number): void {
    const { lastUsedMs } = key;
    if (nowMs < lastUsedMs + USE_STEP_MS && nowMs >= lastUsedMs - USE_AHEAD_MS) return;
    if (this.#unwritten.size >= UNWRITTEN_MAX) return;
    key.lastUsedMs = nowMs;
    this.#unwritten.set(key.keyId, nowMs);
  }

  /** Writes the oldest uses; what is left, also after a failure, is for the next round. */
  write(): void {
    const round = [...this.#unwritten].slice(0, WRITTEN_MAX);
    if (round.length === 0) return;
    inTransaction(this.#db, () => {
      for (const [keyId, usedMs] of round) this.#update.run([usedMs, keyId]);
    });
    for (const [keyId] of round) this.#unwritten.delete(keyId);
  }
}
