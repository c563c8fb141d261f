import { BODY_MAX_BYTES } from "./request.ts";

/** A body as it arrives, copied into one buffer: the socket library reuses its own, and pieces may be of a byte. */
export class IncomingBody {
  readonly #memory = Buffer.allocUnsafe(BODY_MAX_BYTES);
  #length = 0;

  /** What has arrived. */
  get whole(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  /** Takes a piece. All of them together are at most `BODY_MAX_BYTES` long. */
  add(piece: ArrayBuffer): void {
    this.#memory.set(new Uint8Array(piece), this.#length);
    this.#length += piece.byteLength;
  }
}
