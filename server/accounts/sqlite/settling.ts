import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { MeterBusy } from "./held-meter.ts";
import type { GroupSettlement } from "./group-settlement.ts";
import type { MeterFile } from "./meter-file.ts";
import { sqliteCode } from "./state-file.ts";

/** Accounts settled in one transaction: as many as take about `SLICE_MS`, within these bounds. */
const GROUP_FIRST = 16;
const GROUP_MIN = 8;
const GROUP_MAX = 256;
/** How long a transaction may hold up requests here, and the file for other processes. */
const SLICE_MS = 1;
/** The pause between two transactions. */
const PAUSE_MS = 1;
/** Up to this many accounts are all settled in one round, at some 50 us each. */
const ALL_ACCOUNTS_MAX = 500;
/**
 * How many are settled in a round if more accounts are in use. The meter file itself is then forced to the
 * disk. In a large state file each account takes 150 us.
 */
const SOME_ACCOUNTS = 100;
/** A round begins if nobody has begun one for nearly a second, so that one process settles for all. */
const ROUND_EVERY_MS = 900;

export interface SettlingOptions {
  readonly meters: MeterFile;
  readonly settlement: GroupSettlement;
  readonly steadyMs: () => number;
}

/**
 * Moves the counts of the meter file into the state file once a second. That puts them on the disk and shows
 * them to those who read the state file.
 *
 * A few accounts are settled at a time, so that no request waits long. Up to five hundred accounts are all
 * settled in one round; of more, a hundred a round, which keeps the cost to a fortieth of a thread. The
 * others follow in the next rounds and are on the disk meanwhile. Whoever needs an account's usage sooner
 * (commands, `GET /usage`, a new day) settles that account first.
 */
export class Settling {
  readonly #options: SettlingOptions;
  #running: Promise<void> | undefined;
  /** The slot where the next round starts. */
  #nextSlot = 0;
  #group = GROUP_FIRST;

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  /** Settles what has changed since the last round, unless another process is doing so. */
  async round(): Promise<void> {
    const { meters, steadyMs } = this.#options;
    if (this.#running !== undefined) return;
    if (meters.takeSettlingTurn(steadyMs(), ROUND_EVERY_MS)) await this.#begin(() => this.#some());
  }

  /**
   * Settles everything that has changed, without pauses. Rejects if the state file cannot take it; the counts
   * then stay in the meter file.
   */
  async all(): Promise<void> {
    // The round under way may have begun too early to include everything. If it fails, whoever began it hears
    // of it.
    await this.#running?.catch(() => {});
    await this.#begin(() => this.#settleSlots(this.#options.meters.changed(), () => nextTurn()));
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
    this.#nextSlot = slots.at(-1)! + 1; // it has at least one
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

  /** A record that another process is working on is left for later and does not stop the others. */
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

function pause(): Promise<void> {
  return sleep(PAUSE_MS);
}
