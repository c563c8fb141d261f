/** Above this number, uses are not recorded. */
const UNWRITTEN_MAX = 50_000;

type Use = readonly [keyId: string, usedMs: number];

/** The last uses of keys, collected in memory and written in rounds. A crash loses one round. */
export class KeyUse {
  readonly #unwritten = new Map<string, number>();
  readonly #writtenMax: number;
  readonly #write: (uses: readonly Use[]) => Promise<void>;

  /** `writtenMax`: the most keys that are written in one round. */
  constructor(writtenMax: number, write: (uses: readonly Use[]) => Promise<void>) {
    this.#writtenMax = writtenMax;
    this.#write = write;
  }

  record(key: { readonly keyId: string; lastUsedMs: number }, nowMs: number): void {
    if (this.#unwritten.size >= UNWRITTEN_MAX) return;
    key.lastUsedMs = nowMs;
    this.#unwritten.set(key.keyId, nowMs);
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
