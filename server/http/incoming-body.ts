import { BODY_MAX_BYTES } from "./request.ts";

/** A body as it arrives, copied into blocks: the socket library reuses its memory, and pieces may be of a byte. */
export class IncomingBody {
  readonly #blocks: Uint8Array<ArrayBuffer>[] = [];
  readonly #blockBytes: number;
  #length = 0;

  constructor(blockBytes = BODY_MAX_BYTES) {
    this.#blockBytes = blockBytes;
  }

  /** What has arrived, if it fits into one block. */
  get whole(): Buffer {
    const [block] = this.#blocks;
    return block === undefined ? Buffer.of() : Buffer.from(block.buffer, 0, this.#length);
  }

  /** What has arrived, in order. */
  get parts(): readonly Uint8Array<ArrayBuffer>[] {
    const last = this.#blocks.length - 1;
    return this.#blocks.map((block, place) =>
      place < last ? block : block.subarray(0, this.#length - last * this.#blockBytes),
    );
  }

  add(piece: ArrayBuffer): void {
    let rest = new Uint8Array(piece);
    while (rest.length > 0) {
      const at = this.#length % this.#blockBytes;
      if (at === 0) this.#blocks.push(new Uint8Array(this.#blockBytes));
      const part = rest.subarray(0, this.#blockBytes - at);
      this.#blocks.at(-1)!.set(part, at); // there is one by now
      this.#length += part.length;
      rest = rest.subarray(part.length);
    }
  }
}
