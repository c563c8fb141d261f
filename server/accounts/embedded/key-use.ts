import type { KnownKey } from "./known-key.ts";
import { inTransaction, sqliteCode, type Connection } from "./state-file.ts";

/** A key's last use is kept to the minute, so that a busy key costs one write a minute. */
const STEP_MS = 60_000;
/**
 * Keys written in one transaction of a millisecond or two, and in one round. Beyond `NOTED_MAX` no use is
 * noted.
 */
const GROUP = 50;
const WRITTEN_MAX = 250;
const NOTED_MAX = 50_000;

/**
 * When keys were last used. Uses are noted in memory and written by housekeeping: a crash loses one second of
 * them.
 */
export class KeyUse {
  readonly #db: Connection;
  readonly #update;
  readonly #noted = new Map<string, number>();
  #last: Promise<void> = Promise.resolve();

  constructor(db: Connection) {
    this.#db = db;
    this.#update = db.prepare(
      "UPDATE keys SET last_used_ms = max(?1, coalesce(last_used_ms, 0)) WHERE id = ?2",
    );
  }

  /** Notes a use and returns when the next one is worth noting. */
  note(known: KnownKey, nowMs: number): number {
    const isKnown = known.lastUsedMs !== null && nowMs - known.lastUsedMs < STEP_MS;
    if (!isKnown && this.#noted.size < NOTED_MAX) {
      known.lastUsedMs = nowMs;
      this.#noted.set(known.keyId, nowMs);
    }
    return (known.lastUsedMs ?? nowMs) + STEP_MS;
  }

  /**
   * Writes what was noted, over several turns. If the file is locked or full, the rest stays noted for the
   * next round.
   */
  write(): Promise<void> {
    this.#last = this.#last.catch(() => {}).then(() => this.#writeRound());
    return this.#last;
  }

  async #writeRound(): Promise<void> {
    const round = this.#oldest(WRITTEN_MAX);
    for (let first = 0; first < round.length; first += GROUP) {
      if (first > 0) await new Promise((resolve) => setImmediate(resolve));
      if (!this.#writeGroup(round.slice(first, first + GROUP))) return;
    }
  }

  /** Takes the oldest notes without copying all of them. */
  #oldest(count: number): (readonly [string, number])[] {
    const found: (readonly [string, number])[] = [];
    for (const entry of this.#noted) {
      if (found.length === count) break;
      found.push(entry);
    }
    return found;
  }

  #writeGroup(group: readonly (readonly [string, number])[]): boolean {
    try {
      inTransaction(this.#db, () => {
        for (const [keyId, usedMs] of group) this.#update.run(usedMs, keyId);
      });
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
      return false;
    }
    for (const [keyId, usedMs] of group) {
      if (this.#noted.get(keyId) === usedMs) this.#noted.delete(keyId);
    }
    return true;
  }
}
