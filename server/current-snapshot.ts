import type { FSWatcher } from "node:fs";
import { watch } from "node:fs";
import { basename } from "node:path";

/** The watch on the folder can miss an event, and has none before the folder exists: so it is looked at besides. */
const POLL_MS = 1000;
/** A damaged snapshot is tried again after this: it may have been copied in and was not whole yet. */
const DAMAGED_RETRY_MS = 30_000;

export interface CurrentSnapshotOptions<Opened> {
  /** Folder of the snapshots. */
  readonly root: string;
  /** Folder of the snapshot that `CURRENT` names. */
  readonly find: (root: string) => Promise<string | undefined>;
  /** Opens, verifies and makes ready a snapshot, off the hot path. */
  readonly open: (dir: string) => Promise<Opened>;
  /** Takes what was opened into service; it must be one assignment for the reader. */
  readonly onSwitch: (opened: Opened) => void;
  /** Told of each snapshot, or CURRENT, that cannot be used: once, until it is another or for another reason. */
  readonly onDamaged: (id: string, error: unknown) => void;
  readonly monotonicMs: () => number;
  readonly pollMs?: number;
}

/**
 * Follows `CURRENT`: opens the snapshot it names, and whenever it names another, opens that one beside the one in use and
 * hands it over. What cannot be opened is reported once and changes nothing.
 */
export class CurrentSnapshot<Opened> {
  readonly #options: CurrentSnapshotOptions<Opened>;
  #inUse = "";
  /** What was told last, and still holds. */
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

  /** Looks once, to the end, and from then on follows. */
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

  /** Looks at CURRENT, one look at a time: a call during a look makes one more follow it. */
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
