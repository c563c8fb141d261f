import { listSnapshotIds } from "../../../snapshots/folder.ts";

/** A snapshot that could not be opened is not announced for this long; it may be half copied. */
const DOUBTED_MS = 60_000;

export interface HeldSnapshotsOptions {
  /** The folder of published snapshots. */
  readonly root: string;
  /** The snapshot that is loaded, if any. */
  readonly current: () => string | undefined;
  readonly monotonicMs: () => number;
}

/** Which snapshots this machine has, so that a process takes only jobs that it can run. */
export class HeldSnapshots {
  readonly #options: HeldSnapshotsOptions;
  #listed: readonly string[] = [];
  readonly #doubtedAtMs = new Map<string, number>();

  constructor(options: HeldSnapshotsOptions) {
    this.#options = options;
  }

  /** Reads the folder. If that fails, assumes that what was there before still is. */
  async refresh(): Promise<void> {
    const { root, monotonicMs } = this.#options;
    this.#listed = await listSnapshotIds(root).catch(() => this.#listed);
    for (const [id, atMs] of this.#doubtedAtMs) {
      if (monotonicMs() - atMs > DOUBTED_MS) this.#doubtedAtMs.delete(id);
    }
  }

  ids(): readonly string[] {
    const current = this.#options.current();
    const ids = this.#listed.filter((id) => id !== current && !this.#doubtedAtMs.has(id));
    return current === undefined ? ids : [current, ...ids];
  }

  /** Call if a snapshot is listed but cannot be opened. */
  doubt(id: string): void {
    this.#doubtedAtMs.set(id, this.#options.monotonicMs());
  }
}
