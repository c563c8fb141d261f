import { watch, type FSWatcher } from "node:fs";
import { basename } from "node:path";

/** How often to look as well: watching can miss an event, and is impossible before the folder exists. */
const POLL_MS = 1000;
/** How soon a damaged snapshot is tried again: perhaps it was still being copied in. */
const DAMAGED_RETRY_MS = 30_000;

export interface CurrentSnapshotOptions<Opened> {
  /** The folder of the snapshots. */
  readonly root: string;
  /** Finds the folder of the snapshot that `CURRENT` names. */
  readonly find: (root: string) => Promise<string | undefined>;
  /** Opens, verifies and prepares a snapshot, off the hot path. */
  readonly open: (dir: string) => Promise<Opened>;
  /** Puts what was opened into service. For readers it must be a single assignment. */
  readonly onSwitch: (opened: Opened) => void;
  /** Called once for each snapshot, or CURRENT, that cannot be used, and for each reason. */
  readonly onDamaged: (id: string, error: unknown) => void;
  readonly monotonicMs: () => number;
  readonly pollMs?: number;
}

/**
 * Follows `CURRENT`. Opens the snapshot it names. Whenever it names another, opens that one beside the one in
 * use and hands it over. What cannot be opened is reported once and changes nothing.
 */
export class CurrentSnapshot<Opened> {
  readonly #options: CurrentSnapshotOptions<Opened>;
  #inUse = "";
  /** The last report, as long as it still holds. */
  #reported = "";
  #damaged = "";
  #retryAtMs = 0;
  #looking: Promise<void> | undefined = undefined;
  #lookAgain = false;
  #watcher: FSWatcher | undefined = undefined;
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor(options: CurrentSnapshotOptions<Opened>) {
    this.#options = options;
  }

  /** Looks once, to the end, and follows from then on. */
  async start(): Promise<void> {
    await this.look();
    this.#timer = setInterval(() => {
      this.#watchFolder();
      void this.look();
    }, this.#options.pollMs ?? POLL_MS);
    this.#timer.unref();
    this.#watchFolder();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  /** Looks at CURRENT, one look at a time. A call during a look makes one more look follow. */
  look(): Promise<void> {
    this.#lookAgain = this.#looking !== undefined;
    this.#looking ??= this.#lookUntilQuiet().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookUntilQuiet(): Promise<void> {
    do {
      this.#lookAgain = false;
      await this.#lookOnce();
    } while (this.#lookAgain);
  }

  async #lookOnce(): Promise<void> {
    const { root, find, open, onSwitch, monotonicMs } = this.#options;
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
      onSwitch(await open(dir));
      this.#inUse = id;
      this.#reported = "";
    } catch (error) {
      this.#damaged = id;
      this.#retryAtMs = monotonicMs() + DAMAGED_RETRY_MS;
      const report = `${id}: ${String(error)}`;
      if (report === this.#reported) return;
      this.#reported = report;
      this.#options.onDamaged(id, error);
    }
  }

  #watchFolder(): void {
    if (this.#watcher !== undefined) return;
    try {
      this.#watcher = watch(this.#options.root, { persistent: false }, () => void this.look());
      this.#watcher.on("error", () => this.#unwatch());
    } catch {
      this.#unwatch(); // no such folder yet: the next poll tries again
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
