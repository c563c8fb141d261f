import type { Adjustment } from "./charge-group.ts";

/**
 * With `appendfsync everysec` Redis may answer up to two seconds before a write is safe from its own death, and one
 * more before it is safe from the machine's; what was answered is remembered for longer than that.
 */
const KEPT_MS = 6_000;
/** Beyond this the oldest are given up early. */
const KEPT_MAX = 200_000;

interface WrittenGroup {
  readonly group: number;
  readonly atMs: number;
  readonly adjustments: readonly Adjustment[];
}

/** What this process's last groups wrote, to write again where Redis comes back without it. */
export class WrittenGroups {
  #groups: WrittenGroup[] = [];
  /** How many of the first are forgotten; they are cut off now and then. */
  #first = 0;
  #adjustments = 0;
  #forgotten = 0;

  /** The last group that is no longer remembered; 0 for none. */
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

  /** Takes out what came after a group. */
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
