import { setImmediate as nextTurn } from "node:timers/promises";
import { USE_AHEAD_MS, USE_STEP_MS } from "../admin-rules.ts";
import type { KnownKey } from "./known-key.ts";
import type { Span } from "./meter-stamp.ts";
import { inTransaction, sqliteCode, type Connection } from "./state-file.ts";

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
      `UPDATE keys SET last_used_ms = ?1
WHERE id = ?2 AND (last_used_ms IS NULL OR last_used_ms NOT BETWEEN ?1 AND ?1 + ${USE_AHEAD_MS})`,
    );
  }

  /** Notes a use and returns between which instants no other is worth noting. */
  note(known: KnownKey, nowMs: number): Span {
    const span = spanOf(known.lastUsedMs);
    if (nowMs >= span.fromMs && nowMs < span.toMs) return span;
    if (this.#noted.size < NOTED_MAX) {
      known.lastUsedMs = nowMs;
      this.#noted.set(known.keyId, nowMs);
    }
    return spanOf(nowMs);
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
      if (first > 0) await nextTurn();
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

/** For which instants a last use stands; empty without one. */
function spanOf(lastUsedMs: number | null): Span {
  const atMs = lastUsedMs ?? Number.NEGATIVE_INFINITY;
  return { fromMs: atMs - USE_AHEAD_MS, toMs: atMs + USE_STEP_MS };
}
