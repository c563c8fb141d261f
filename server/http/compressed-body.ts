import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** A body that is kept compressed only, since nearly all clients accept that. */
export class CompressedBody {
  readonly gzip: Buffer;
  #etag: string | undefined;

  constructor(bytes: Uint8Array) {
    this.gzip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Weak, since it is the same for the compressed bytes and the plain ones. */
  get etag(): string {
    const hash = () => createHash("sha256").update(this.gzip).digest("base64url").slice(0, 22);
    return (this.#etag ??= `W/"${hash()}"`);
  }

  /** Compresses a text, or the bytes of a picture, off the event loop. */
  static async from(text: string | Uint8Array): Promise<CompressedBody> {
    return new CompressedBody(await zip(text));
  }

  /** The body for a client that does not accept gzip. */
  plain(): Promise<Buffer> {
    return unzip(this.gzip);
  }
}
