/** A beginning with free memory behind it, in which whoever is sent next puts the rest. */
export class Stem {
  readonly length: number;
  #memory: Buffer;
  /** Views by length beyond the beginning: of short ends, which differ by a digit or two. */
  #views: (Buffer | undefined)[] = [];

  constructor(beginning: Uint8Array, freeBytes: number) {
    this.length = beginning.length;
    this.#memory = grown(beginning, freeBytes);
  }

  /** The memory, with so much room behind the beginning. */
  withRoom(bytes: number): Buffer {
    if (this.length + bytes > this.#memory.length) {
      this.#memory = grown(this.#memory.subarray(0, this.length), 2 * bytes);
      this.#views = [];
    }
    return this.#memory;
  }

  /** All up to a place shortly behind the beginning. */
  upTo(end: number): Buffer {
    return (this.#views[end - this.length] ??= this.#memory.subarray(0, end));
  }
}

function grown(beginning: Uint8Array, freeBytes: number): Buffer {
  const memory = Buffer.allocUnsafeSlow(beginning.length + freeBytes);
  memory.set(beginning);
  return memory;
}
