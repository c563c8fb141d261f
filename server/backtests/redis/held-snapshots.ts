import { listSnapshotIds } from "../../../snapshots/folder.ts";

/** A snapshot that could not be opened is not said to be here for so long; it may have been half copied. */
const DOUBTED_MS = 60_000;

export interface HeldSnapshotsOptions {
  /** Folder of published snapshots. */
  readonly root: string;
  /** The snapshot that is loaded, where one is. */
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

  /** Looks into the folder. Where it cannot be read just now, what was there before is taken to be there still. */
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

  /** It is listed but cannot be opened. */
  doubt(id: string): void {
    this.#doubtedAtMs.set(id, this.#options.monotonicMs());
  }
}
