import { basename } from "node:path";
import { Rounds } from "../rounds.ts";

const POLL_MS = 500;
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
  readonly #looks = new Rounds(
    () => this.#lookOnce(),
    () => {}, // a look reports by itself
  );

  constructor(options: CurrentSnapshotOptions<Opened>) {
    this.#options = options;
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
}
