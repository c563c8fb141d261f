import { IncomingBody } from "./incoming-body.ts";
import { STREAMED_BODY_MAX_BYTES } from "./request.ts";

/** The parts of a body; undefined if it is longer than is allowed. */
export type BodyParts = readonly Uint8Array<ArrayBuffer>[] | undefined;

const BLOCK_BYTES = 64 * 1024;

/** The body of a request that is handled before it is read: kept until the request is refused, dropped from then on. */
export class StreamedBody {
  #body: IncomingBody | undefined = new IncomingBody(BLOCK_BYTES);
  #bytes = 0;
  #resolve: ((parts: BodyParts) => void) | undefined;
  /** Settles once the body has come, or is known to be too long. */
  readonly whole = new Promise<BodyParts>((resolve) => {
    this.#resolve = resolve;
  });

  constructor(announcedBytes: number) {
    if (announcedBytes > STREAMED_BODY_MAX_BYTES) this.#refuse();
  }

  add(piece: ArrayBuffer): void {
    this.#bytes += piece.byteLength;
    if (this.#bytes > STREAMED_BODY_MAX_BYTES) this.#refuse();
    else this.#body?.add(piece);
  }

  /** Call when it has come in full. */
  end(): void {
    if (this.#body !== undefined) this.#resolve?.(this.#body.parts);
    this.drop();
  }

  /** Forgets what has come, and what comes. */
  drop(): void {
    this.#body = undefined;
  }

  #refuse(): void {
    this.drop();
    this.#resolve?.(undefined);
  }
}
