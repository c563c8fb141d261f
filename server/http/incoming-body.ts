const NOTHING = Buffer.alloc(0);

/**
 * A body as it arrives, in one buffer that grows with it. With an object for each piece, 16 KiB in chunks of a byte
 * would take 1.4 MB per connection.
 */
export class IncomingBody {
  #memory = NOTHING;
  #length = 0;

  /** What has arrived. */
  get whole(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  /** Copies a chunk: the socket library reuses its memory on return. */
  add(piece: ArrayBuffer): void {
    const bytes = new Uint8Array(piece);
    const length = this.#length + bytes.length;
    if (this.#length === 0) {
      this.#memory = Buffer.from(bytes); // short bodies come in one
    } else {
      if (length > this.#memory.length) this.#grow(2 * length);
      this.#memory.set(bytes, this.#length);
    }
    this.#length = length;
  }

  #grow(size: number): void {
    const before = this.whole;
    this.#memory = Buffer.alloc(size);
    this.#memory.set(before);
  }
}
