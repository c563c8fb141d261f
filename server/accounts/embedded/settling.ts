import { MeterBusy } from "./held-meter.ts";
import type { MeterBooks } from "./meter-books.ts";
import type { MeterFile } from "./meter-file.ts";
import { sqliteCode } from "./state-file.ts";

/** Accounts settled in one transaction, which holds the file for a millisecond or two. */
const GROUP = 32;
/** A round begins where nobody has begun one for nearly a second: one process settles for all. */
const ROUND_EVERY_MS = 900;

export interface SettlingOptions {
  readonly meters: MeterFile;
  readonly books: MeterBooks;
  readonly steadyMs: () => number;
}

/**
 * Brings what the meter file counts into the state file, once a second: then the disk has it too, and those
 * who read the state file see it. A few accounts at a time, so that no request waits for it long.
 */
export class Settling {
  readonly #options: SettlingOptions;
  #running: Promise<void> | undefined;

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  /** What has changed since the last round, unless another process is at it. */
  async round(): Promise<void> {
    const { meters, steadyMs } = this.#options;
    if (this.#running !== undefined) return;
    if (meters.takeSettlingTurn(steadyMs(), ROUND_EVERY_MS)) await this.all();
  }

  /** All that has changed. Rejects where the state file cannot take it; then the counts stay where they are. */
  async all(): Promise<void> {
    // A round under way may have begun before what is to be settled; whoever began it was told if it failed.
    await this.#running?.catch(() => {});
    this.#running = this.#settleAll().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #settleAll(): Promise<void> {
    const changed = this.#options.meters.changed();
    for (let first = 0; first < changed.length; first += GROUP) {
      if (first > 0) await new Promise((resolve) => setImmediate(resolve));
      this.#settle(changed.slice(first, first + GROUP));
    }
  }

  /** A record that another process is at work on keeps the others from nothing: it is left for later. */
  #settle(slots: readonly number[]): void {
    const { meters, books } = this.#options;
    try {
      const settled = books.transaction(() => slots.map((slot) => books.settleSlot(slot)));
      for (const [index, { live, test }] of settled.entries()) {
        meters.at(slots[index] ?? 0).settled(live, test);
      }
    } catch (error) {
      const isMeter = error instanceof MeterBusy;
      if (isMeter && slots.length > 1) for (const slot of slots) this.#settle([slot]);
      else if (!isMeter && sqliteCode(error) !== "SQLITE_BUSY") throw error;
    }
  }
}
