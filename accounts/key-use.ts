import type { Soon } from "./accounts.ts";
import { DAY_MS } from "./period.ts";

/** The last use of a key is stored to the minute, so that a busy key costs one write a minute. */
const USE_STEP_MS = 60_000;
/** A last use that lies further ahead comes from a wrong clock and is overwritten. */
export const USE_AHEAD_MS = DAY_MS;
/** Above this number, uses are not recorded. */
const UNWRITTEN_MAX = 50_000;

type Use = readonly [keyId: string, usedMs: number];

/** The last uses of keys, collected in memory and written in rounds. A crash loses one round. */
export class KeyUse {
  readonly #unwritten = new Map<string, number>();
  readonly #writtenMax: number;
  readonly #write: (uses: readonly Use[]) => Soon<void>;

  /** `writtenMax`: the most keys that are written in one round. */
  constructor(writtenMax: number, write: (uses: readonly Use[]) => Soon<void>) {
    this.#writtenMax = writtenMax;
    this.#write = write;
  }

  record(key: { readonly keyId: string; lastUsedMs: number }, nowMs: number): void {
    const { keyId, lastUsedMs } = key;
    if (nowMs < lastUsedMs + USE_STEP_MS && nowMs >= lastUsedMs - USE_AHEAD_MS) return;
    if (this.#unwritten.size >= UNWRITTEN_MAX) return;
    key.lastUsedMs = nowMs;
    this.#unwritten.set(keyId, nowMs);
  }

  /** Writes the oldest uses. The rest, and all of them after a failure, are left for the next round. */
  async write(): Promise<void> {
    const round = [...this.#unwritten].slice(0, this.#writtenMax);
    if (round.length === 0) return;
    await this.#write(round);
    for (const [keyId, usedMs] of round) {
      if (this.#unwritten.get(keyId) === usedMs) this.#unwritten.delete(keyId);
    }
  }
}
