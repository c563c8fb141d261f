import { listSnapshotIds } from "../../snapshots/folder.ts";

/** A snapshot that could not be opened may be half copied. It is tried again after this time. */
const DOUBTED_MS = 60_000;
/** Jobs wait this long for a process that holds their snapshot: longer than a restart or a copy takes. */
const MISSED_MS = 5 * 60_000;
/** A shorter absence gives no warning: a process restarts, or has only just started. */
const WARN_AFTER_MS = 30_000;
/** After a pause this long, a process does not know what happened meanwhile, so it counts absences anew. */
const LOOK_MAX_MS = 10_000;

export interface HeldSnapshotsOptions {
  /** The folder of published snapshots. */
  readonly root: string;
  /** The snapshot that is loaded, if any. */
  readonly current: () => string | undefined;
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
}

interface Missed {
  readonly sinceMs: number;
  isReported: boolean;
}

/**
 * The snapshots of a process that runs jobs, so that it claims only jobs it can run. Others are left to processes that
 * hold their snapshot. Once none has held a snapshot for some minutes, this process claims its jobs in order to fail
 * them.
 */
export class HeldSnapshots {
  readonly #options: HeldSnapshotsOptions;
  #listed: readonly string[] = [];
  readonly #doubtedAtMs = new Map<string, number>();
  readonly #missed = new Map<string, Missed>();
  #lookedAtMs = -Infinity;

  constructor(options: HeldSnapshotsOptions) {
    this.#options = options;
  }

  /** Reads the folder. If that fails, the former list stays. */
  async refresh(): Promise<void> {
    this.#listed = await listSnapshotIds(this.#options.root).catch(() => this.#listed);
    for (const id of this.#doubtedAtMs.keys()) {
      if (!this.#listed.includes(id) && id !== this.#options.current())
        this.#doubtedAtMs.delete(id);
    }
  }

  /** The snapshots reported to other processes: without those that failed to open. */
  held(): readonly string[] {
    return this.#having((doubtedAtMs) => doubtedAtMs === undefined);
  }

  /** The snapshots whose jobs this process claims: its own, and those it has given up. */
  claimable(): readonly string[] {
    const nowMs = this.#options.monotonicMs();
    const mine = this.#having((doubtedAtMs = -Infinity) => nowMs - doubtedAtMs > DOUBTED_MS);
    const givenUp = [...this.#missed.keys()].filter(
      (id) => this.#isGivenUp(id) && !mine.includes(id),
    );
    return [...mine, ...givenUp];
  }

  /** Call at every beat with the snapshots that jobs wait for and no process holds. */
  missing(ids: readonly string[]): void {
    const { monotonicMs, warn } = this.#options;
    const nowMs = monotonicMs();
    const wasAway = this.#isAway();
    this.#lookedAtMs = nowMs;
    for (const id of this.#missed.keys()) {
      if (wasAway || !ids.includes(id)) this.#missed.delete(id);
    }
    for (const id of ids) {
      const missed = this.#missed.get(id) ?? { sinceMs: nowMs, isReported: false };
      this.#missed.set(id, missed);
      if (missed.isReported || nowMs - missed.sinceMs < WARN_AFTER_MS) continue;
      missed.isReported = true;
      warn(messageOn(id));
    }
  }

  /**
   * Call if a claimed job's snapshot cannot be opened. True if the job is to be released, for another process or a later
   * attempt; false if no process has held the snapshot for long enough.
   */
  doubt(id: string): boolean {
    if (this.#isGivenUp(id)) return false;
    this.#doubtedAtMs.set(id, this.#options.monotonicMs());
    return true;
  }

  #having(wanted: (doubtedAtMs: number | undefined) => boolean): string[] {
    const current = this.#options.current();
    const others = this.#listed.filter((id) => id !== current);
    const all = current === undefined ? others : [current, ...others];
    return all.filter((id) => wanted(this.#doubtedAtMs.get(id)));
  }

  #isAway(): boolean {
    return this.#options.monotonicMs() - this.#lookedAtMs > LOOK_MAX_MS;
  }

  /** False after a pause, until the process has looked again. */
  #isGivenUp(id: string): boolean {
    if (this.#isAway()) return false;
    const missed = this.#missed.get(id);
    return missed !== undefined && this.#options.monotonicMs() - missed.sinceMs >= MISSED_MS;
  }
}

function messageOn(id: string): string {
  const minutes = MISSED_MS / 60_000;
  return `backtests wait for snapshot "${id}", which no process that runs backtests can open: after ${minutes} minutes of this they end in an error that says why`;
}
