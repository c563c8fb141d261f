/** A beginning with free memory after it. Whoever is sent next puts the rest there. */
export class Stem {
  readonly length: number;
  #memory: Buffer;
  /** Views by length past the beginning, for short ends that differ by a digit or two. */
  #views: (Buffer | undefined)[] = [];

  constructor(beginning: Uint8Array, freeBytes: number) {
    this.length = beginning.length;
    this.#memory = grown(beginning, freeBytes);
  }

  /** The memory, with at least this much room after the beginning. */
  withRoom(bytes: number): Buffer {
    if (this.length + bytes > this.#memory.length) {
      this.#memory = grown(this.#memory.subarray(0, this.length), 2 * bytes);
      this.#views = [];
    }
    return this.#memory;
  }

  /** Everything up to a place shortly after the beginning. */
  upTo(end: number): Buffer {
    return (this.#views[end - this.length] ??= this.#memory.subarray(0, end));
  }
}

function grown(beginning: Uint8Array, freeBytes: number): Buffer {
  const memory = Buffer.allocUnsafeSlow(beginning.length + freeBytes);
  memory.set(beginning);
  return memory;
}
