import { basename } from "node:path";
import { RepeatingTask } from "../../aside/repeating-task.ts";

const POLL_MS = 500;
/** How soon a damaged snapshot is tried again, in case it was still being copied. */
const DAMAGED_RETRY_MS = 30_000;

export interface CurrentSnapshotOptions {
  /** The folder of the snapshots. */
  readonly root: string;
  /** Finds the folder of the snapshot that `CURRENT` names. */
  readonly find: (root: string) => Promise<string | undefined>;
  /** Opens and verifies a snapshot, then puts it into service by a single assignment. */
  readonly use: (dir: string) => Promise<void>;
  /** Called once for each reason why a snapshot, or the file CURRENT, cannot be used. */
  readonly onDamaged: (id: string, reason: string) => void;
  readonly monotonicMs: () => number;
  readonly pollMs?: number;
}

/**
 * Follows the file `CURRENT`. It opens the snapshot named there, and each one that is named later while the one before
 * stays in use. A snapshot that cannot be opened is reported once and changes nothing.
 */
export class CurrentSnapshot {
  readonly #options: CurrentSnapshotOptions;
  #inUse = "";
  /** The last report, while it still holds. */
  #reported = "";
  #damaged = "";
  #retryAtMs = 0;
  readonly #looks = new RepeatingTask(
    () => this.#lookOnce(),
    () => {}, // a look reports by itself
  );

  constructor(options: CurrentSnapshotOptions) {
    this.#options = options;
  }

  /** Whether the snapshot that CURRENT names cannot be used. */
  get isRefused(): boolean {
    return this.#reported !== "";
  }

  /** Looks once, to the end, and follows from then on. */
  async start(): Promise<void> {
    this.#looks.start(this.#options.pollMs ?? POLL_MS);
    await this.look();
  }

  stop(): void {
    void this.#looks.stop();
  }

  /** Looks at CURRENT, one look at a time. */
  look(): Promise<void> {
    return this.#looks.next();
  }

  async #lookOnce(): Promise<void> {
    const { root, find, use, monotonicMs } = this.#options;
    let id = "CURRENT";
    try {
      const dir = await find(root);
      if (dir === undefined) return;
      id = basename(dir);
      if (id === this.#inUse) {
        this.#reported = "";
        return;
      }
      if (id === this.#damaged && monotonicMs() < this.#retryAtMs) return;
      await use(dir);
      this.#inUse = id;
      this.#reported = "";
    } catch (error) {
      this.#damaged = id;
      this.#retryAtMs = monotonicMs() + DAMAGED_RETRY_MS;
      const reason = error instanceof Error ? error.message : String(error);
      const report = `${id}: ${reason}`;
      if (report === this.#reported) return;
      this.#reported = report;
      this.#options.onDamaged(id, reason);
    }
  }
}
