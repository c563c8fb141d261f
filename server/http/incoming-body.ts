/** The parts of a body; undefined if it is longer than is allowed. */
export type BodyParts = readonly Uint8Array<ArrayBuffer>[] | undefined;

const BLOCK_BYTES = 16 * 1024;

/**
 * A body as it arrives, copied into blocks, because the socket library reuses its memory and a piece may be a single byte.
 * A body that is too long or no longer wanted is dropped.
 */
export class IncomingBody {
  /** How much has arrived, including what was dropped. */
  bytes = 0;
  readonly #maxBytes: number;
  #blocks: Uint8Array<ArrayBuffer>[] | undefined = [];
  #settle: ((parts: BodyParts | Promise<never>) => void) | undefined;
  #take: (bytes: number) => void = () => {};
  /** Settles once the body is whole, is known to be too long, or was ended. */
  readonly whole = new Promise<BodyParts>((resolve) => {
    this.#settle = resolve;
  });

  constructor(maxBytes: number, announcedBytes = 0) {
    this.#maxBytes = maxBytes;
    if (announcedBytes > maxBytes) this.#refuse();
  }

  /** What has arrived, in order; undefined if it was dropped. */
  get parts(): BodyParts {
    return this.#blocks?.map((block, index) => block.subarray(0, this.bytes - index * BLOCK_BYTES));
  }

  /** Calls a function with the length of what has arrived, and then of each piece. If it throws, the body ends. */
  watch(take: (bytes: number) => void): void {
    take(this.bytes);
    this.#take = (bytes) => {
      try {
        take(bytes);
      } catch (error) {
        this.drop();
        this.#settle?.(Promise.reject(error as Error));
      }
    };
  }

  add(piece: ArrayBuffer): void {
    let at = this.bytes % BLOCK_BYTES;
    this.bytes += piece.byteLength;
    if (this.#blocks !== undefined) this.#take(piece.byteLength);
    if (this.bytes > this.#maxBytes) this.#refuse();
    let rest = new Uint8Array(piece);
    while (this.#blocks !== undefined && rest.length > 0) {
      if (at === 0) this.#blocks.push(new Uint8Array(BLOCK_BYTES));
      const part = rest.subarray(0, BLOCK_BYTES - at);
      this.#blocks.at(-1)!.set(part, at); // there is one by now
      at = (at + part.length) % BLOCK_BYTES;
      rest = rest.subarray(part.length);
    }
  }

  /** Call when the body has arrived in full. */
  end(): void {
    if (this.#blocks !== undefined) this.#settle?.(this.parts);
    this.drop();
  }

  /** Drops the body, including what has yet to arrive. */
  drop(): void {
    this.#blocks = undefined;
  }

  #refuse(): void {
    this.drop();
    this.#settle?.(undefined);
  }
}
