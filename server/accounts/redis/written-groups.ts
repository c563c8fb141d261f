import type { Adjustment } from "./charge-group.ts";

/**
 * How long answered groups are remembered. With `appendfsync everysec`, Redis may answer up to two seconds
 * before a write would survive its own death, and one second more before it would survive the machine's. This
 * is longer than both.
 */
const KEPT_MS = 6_000;
/** How many adjustments are remembered; beyond this the oldest are dropped early. */
const KEPT_MAX = 200_000;

interface WrittenGroup {
  readonly group: number;
  readonly atMs: number;
  readonly adjustments: readonly Adjustment[];
}

/** What this process's last groups wrote, so that it can be written again if Redis comes back without it. */
export class WrittenGroups {
  #groups: WrittenGroup[] = [];
  /** How many of the first groups are forgotten; now and then they are cut off. */
  #first = 0;
  #adjustments = 0;
  #forgotten = 0;

  /** The last group that is no longer remembered; 0 if none. */
  get forgotten(): number {
    return this.#forgotten;
  }

  add(group: number, adjustments: readonly Adjustment[], nowMs: number): void {
    this.#groups.push({ group, atMs: nowMs, adjustments });
    this.#adjustments += adjustments.length;
    let oldest = this.#groups[this.#first];
    while (oldest && (nowMs - oldest.atMs > KEPT_MS || this.#adjustments > KEPT_MAX)) {
      this.#adjustments -= oldest.adjustments.length;
      this.#forgotten = oldest.group;
      this.#first += 1;
      oldest = this.#groups[this.#first];
    }
    if (this.#first > 1_000 && 2 * this.#first > this.#groups.length) {
      this.#groups = this.#groups.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Removes and returns what was written after a group. */
  takeAfter(group: number): readonly Adjustment[] {
    const held = this.#groups.slice(this.#first);
    const lost = held.filter((each) => each.group > group);
    this.#groups = held.filter((each) => each.group <= group);
    this.#first = 0;
    const adjustments = lost.flatMap((each) => each.adjustments);
    this.#adjustments -= adjustments.length;
    return adjustments;
  }
}
