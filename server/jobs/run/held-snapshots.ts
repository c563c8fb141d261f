import { listSnapshotIds } from "../../../snapshots/folder.ts";

/** A snapshot that could not be opened is not tried again for this long; it may be half copied. */
const DOUBTED_MS = 60_000;
/** Jobs wait this long for a process that has their snapshot: longer than a restart or a copy takes. */
const MISSED_MS = 5 * 60_000;
/** Not worth a warning: a process that restarts, or one that has only just begun to look. */
const WARN_AFTER_MS = 30_000;
/** A process that has not looked for this long does not know what there was meanwhile, and begins anew. */
const LOOK_MAX_MS = 10_000;

export interface HeldSnapshotsOptions {
  /** The folder of published snapshots. */
  readonly root: string;
  /** The snapshot that is loaded, if any. */
  readonly current: () => string | undefined;
  readonly monotonicMs: () => number;
  /** Called with what an operator should know. */
  readonly warn: (message: string) => void;
}

interface Missed {
  readonly sinceMs: number;
  isReported: boolean;
}

/**
 * Which snapshots a process that runs jobs has, so that it takes only jobs that it can run. The others are
 * left to processes that have their snapshot. Only when this process has seen for some minutes that none says
 * so does it take them, to end them.
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

  /** Reads the folder. If that fails, assumes that what was there before still is. */
  async refresh(): Promise<void> {
    this.#listed = await listSnapshotIds(this.#options.root).catch(() => this.#listed);
    for (const id of this.#doubtedAtMs.keys()) {
      if (!this.#listed.includes(id) && id !== this.#options.current())
        this.#doubtedAtMs.delete(id);
    }
  }

  /** What other processes may count on. One that could not be opened once is not among them. */
  held(): readonly string[] {
    return this.#having((doubtedAtMs) => doubtedAtMs === undefined);
  }

  /** Snapshots whose jobs this process takes: to run them, or to end those that it has given up. */
  claimable(): readonly string[] {
    const nowMs = this.#options.monotonicMs();
    const mine = this.#having((doubtedAtMs = -Infinity) => nowMs - doubtedAtMs > DOUBTED_MS);
    const givenUp = [...this.#missed.keys()].filter(
      (id) => this.#isGivenUp(id) && !mine.includes(id),
    );
    return [...mine, ...givenUp];
  }

  /** Call at every beat with the snapshots that jobs wait for and that no process says it has. */
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
   * Call if a claimed job's snapshot cannot be opened. Returns whether the job is to be given back, for
   * another process or a later attempt; false if no process has had its snapshot for long enough.
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

  /** A process that was suspended may be asked before it has looked again. */
  #isGivenUp(id: string): boolean {
    if (this.#isAway()) return false;
    const missed = this.#missed.get(id);
    return missed !== undefined && this.#options.monotonicMs() - missed.sinceMs >= MISSED_MS;
  }
}

function messageOn(id: string): string {
  const minutes = MISSED_MS / 60_000;
  return `backtests wait for snapshot "${id}", which no process that runs backtests has: if that is so for ${minutes} minutes, they end as snapshot_gone`;
}
