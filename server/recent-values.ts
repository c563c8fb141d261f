import { TextTable } from "./text-table.ts";

/**
 * Values by their names within a limit of memory, the longest unused forgotten first, roughly: when half the limit
 * is filled, what was not asked for since the last time is dropped. A value found costs one look-up and no
 * bookkeeping, which is half of what a list in order of use costs.
 */
export class RecentValues<Value> {
  /** Some of the recent ones, found sooner. */
  #quick = new TextTable<Value>();
  #recent = new Map<string, Value>();
  #before = new Map<string, Value>();
  #recentBytes = 0;
  readonly #maxBytes: number;
  readonly #bytesOf: (value: Value) => number;

  constructor(maxBytes: number, bytesOf: (value: Value) => number) {
    this.#maxBytes = maxBytes;
    this.#bytesOf = bytesOf;
  }

  get(name: string): Value | undefined {
    const quick = this.#quick.get(name);
    if (quick !== undefined) return quick;
    const recent = this.#recent.get(name);
    if (recent !== undefined) {
      this.#quick.set(name, recent);
      return recent;
    }
    const before = this.#before.get(name);
    if (before !== undefined) this.set(name, before);
    return before;
  }

  set(name: string, value: Value): void {
    const bytes = this.#bytesOf(value);
    if (this.#recentBytes + bytes > this.#maxBytes / 2) {
      this.#before = this.#recent;
      this.#recent = new Map();
      this.#quick = new TextTable();
      this.#recentBytes = 0;
    }
    this.#recent.set(name, value);
    this.#quick.set(name, value);
    this.#recentBytes += bytes;
  }
}
