import { MeterBusy } from "./held-meter.ts";
import type { GroupSettlement } from "./group-settlement.ts";
import type { MeterFile } from "./meter-file.ts";
import { sqliteCode } from "./state-file.ts";

/** Accounts settled in one transaction: as many as take about `SLICE_MS`, within these. */
const GROUP_FIRST = 16;
const GROUP_MIN = 8;
const GROUP_MAX = 256;
/** How long a transaction may hold up the requests, and others the file. */
const SLICE_MS = 1;
/** Between two of them. */
const PAUSE_MS = 1;
/** Up to so many accounts are all settled in a round, some 50 us each. */
const ALL_ACCOUNTS_MAX = 500;
/** Where more are in use, so many of them: the meter file itself is forced to the disk then, and in a large state file one takes 150 us. */
const SOME_ACCOUNTS = 100;
/** A round begins where nobody has begun one for nearly a second: one process settles for all. */
const ROUND_EVERY_MS = 900;

export interface SettlingOptions {
  readonly meters: MeterFile;
  readonly settlement: GroupSettlement;
  readonly steadyMs: () => number;
}

/**
 * Brings what the meter file counts into the state file, once a second: then the disk has it too, and those
 * who read the state file see it. A few accounts at a time, so that no request waits for it long; and all of
 * up to five hundred in a round, but of more a hundred, so that it takes a fortieth of a thread and no more. The others have
 * their turn in the next rounds, and are on the disk meanwhile: commands, `GET /usage` and a new day settle an account first.
 */
export class Settling {
  readonly #options: SettlingOptions;
  #running: Promise<void> | undefined;
  /** The slot from which the next round goes on. */
  #nextSlot = 0;
  #group = GROUP_FIRST;

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  /** What has changed since the last round, unless another process is at it. */
  async round(): Promise<void> {
    const { meters, steadyMs } = this.#options;
    if (this.#running !== undefined) return;
    if (meters.takeSettlingTurn(steadyMs(), ROUND_EVERY_MS)) await this.#begin(() => this.#some());
  }

  /** All that has changed, without pauses. Rejects where the state file cannot take it; then the counts stay where they are. */
  async all(): Promise<void> {
    // A round under way may have begun before what is to be settled; whoever began it was told if it failed.
    await this.#running?.catch(() => {});
    await this.#begin(() => this.#settleSlots(this.#options.meters.changed(), nextTurn));
  }

  async #begin(work: () => Promise<void>): Promise<void> {
    this.#running = work().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #some(): Promise<void> {
    const { meters } = this.#options;
    const all = meters.changed(0, ALL_ACCOUNTS_MAX + 1);
    if (all.length <= ALL_ACCOUNTS_MAX) {
      await this.#settleSlots(all, pause);
      return;
    }
    const further = meters.changed(this.#nextSlot, SOME_ACCOUNTS);
    const slots = further.length > 0 ? further : all.slice(0, SOME_ACCOUNTS);
    this.#nextSlot = slots.at(-1)! + 1; // there is one
    await meters.sync();
    await this.#settleSlots(slots, pause);
  }

  async #settleSlots(slots: readonly number[], between: () => Promise<void>): Promise<void> {
    for (let first = 0; first < slots.length;) {
      if (first > 0) await between();
      const group = slots.slice(first, first + this.#group);
      first += group.length;
      const startedMs = performance.now();
      this.#settle(group);
      this.#adapt(performance.now() - startedMs);
    }
  }

  #adapt(tookMs: number): void {
    if (tookMs > SLICE_MS) this.#group = Math.max(GROUP_MIN, this.#group >> 1);
    else if (tookMs < SLICE_MS / 2) this.#group = Math.min(GROUP_MAX, this.#group << 1);
  }

  /** A record that another process is at work on keeps the others from nothing: it is left for later. */
  #settle(slots: readonly number[]): void {
    try {
      this.#options.settlement.settle(slots);
    } catch (error) {
      const isMeter = error instanceof MeterBusy;
      if (isMeter && slots.length > 1) for (const slot of slots) this.#settle([slot]);
      else if (!isMeter && sqliteCode(error) !== "SQLITE_BUSY") throw error;
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
