import { DAY_MS } from "./period.ts";

/** A key's last use is kept to the minute, so that a busy key costs one write a minute. */
const USE_STEP_MS = 60_000;
/** A last use this far ahead was noted by a clock that was wrong; the present one takes its place. */
export const USE_AHEAD_MS = DAY_MS;
/** Beyond this no use is recorded. */
const UNWRITTEN_MAX = 50_000;

/** A key's id and when it was used. */
type Use = readonly [keyId: string, usedMs: number];

/** When keys were last used: kept in memory and written in rounds, of which a crash loses one. */
export class KeyUse {
  readonly #unwritten = new Map<string, number>();
  readonly #writtenMax: number;
  readonly #write: (uses: readonly Use[]) => void | Promise<void>;

  /** `writtenMax`: keys written in one round. The rest wait for the next. */
  constructor(writtenMax: number, write: (uses: readonly Use[]) => void | Promise<void>) {
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

  /** Writes the oldest uses; what is left, also after a failure, is for the next round. */
  async write(): Promise<void> {
    const round = [...this.#unwritten].slice(0, this.#writtenMax);
    if (round.length === 0) return;
    await this.#write(round);
    for (const [keyId, usedMs] of round) {
      if (this.#unwritten.get(keyId) === usedMs) this.#unwritten.delete(keyId);
    }
  }
}
