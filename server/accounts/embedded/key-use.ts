import type { KnownKey } from "./known-key.ts";
import { inTransaction, sqliteCode, type Connection } from "./state-file.ts";

/** A key's last use is kept to the minute, so that a busy key costs one write a minute. */
const STEP_MS = 60_000;
/** Keys written in one round; what is over waits for the next, and beyond `NOTED_MAX` is not noted. */
const WRITTEN_MAX = 500;
const NOTED_MAX = 50_000;

/** When keys were last used. Noted in memory and written by housekeeping: a crash loses a second of it. */
export class KeyUse {
  readonly #db: Connection;
  readonly #update;
  readonly #noted = new Map<string, number>();

  constructor(db: Connection) {
    this.#db = db;
    this.#update = db.prepare(
      "UPDATE keys SET last_used_ms = max(?1, coalesce(last_used_ms, 0)) WHERE id = ?2",
    );
  }

  note(known: KnownKey, nowMs: number): void {
    if (known.lastUsedMs !== null && nowMs - known.lastUsedMs < STEP_MS) return;
    if (this.#noted.size >= NOTED_MAX) return;
    known.lastUsedMs = nowMs;
    this.#noted.set(known.keyId, nowMs);
  }

  /** Writes what was noted. Where the file is locked or full it stays noted for the next round. */
  write(): void {
    if (this.#noted.size === 0) return;
    const round = [...this.#noted].slice(0, WRITTEN_MAX);
    try {
      inTransaction(this.#db, () => {
        for (const [keyId, usedMs] of round) this.#update.run(usedMs, keyId);
      });
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
      return;
    }
    for (const [keyId, usedMs] of round) {
      if (this.#noted.get(keyId) === usedMs) this.#noted.delete(keyId);
    }
  }
}
