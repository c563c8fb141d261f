import type { LuaScript } from "../../redis/lua-script.ts";

/**
 * How long groups are remembered. With `appendfsync everysec`, Redis may answer up to two seconds before a write would
 * survive its own death, and one second more before it would survive the machine's. This is longer than both.
 */
const KEPT_MS = 6_000;

export interface SentGroup {
  readonly number: number;
  /** Whether it charged, or adjusted what was charged. */
  readonly script: LuaScript;
  /** The script's values and, below, its answer: as JSON, since thousands of groups are kept and few are read again. */
  readonly sent: string;
}

export interface WrittenGroup extends SentGroup {
  readonly answer: string;
  readonly atMs: number;
}

/** What this process's last groups wrote, so that it can be written again if Redis comes back without it. */
export class WrittenGroups {
  #groups: WrittenGroup[] = [];
  #forgotten = 0;

  /** The last group that is no longer remembered; 0 if none. */
  get forgotten(): number {
    return this.#forgotten;
  }

  add(group: WrittenGroup): void {
    this.#groups.push(group);
  }

  /** Forgets what Redis no longer loses. Call it often, but only while Redis answers. */
  forget(nowMs: number): void {
    const kept = this.#groups.findIndex(({ atMs }) => nowMs - atMs <= KEPT_MS);
    const count = kept < 0 ? this.#groups.length : kept;
    this.#forgotten = this.#groups[count - 1]?.number ?? this.#forgotten;
    this.#groups = this.#groups.slice(count);
  }

  /** Removes and returns what was written after a group, oldest first. */
  takeAfter(number: number): readonly WrittenGroup[] {
    const lost = this.#groups.filter((each) => each.number > number);
    this.#groups = this.#groups.filter((each) => each.number <= number);
    return lost;
  }
}
