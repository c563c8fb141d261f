import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** A body that is kept compressed only: nearly all clients take it so. */
export class CompressedBody {
  readonly gzip: Buffer;

  constructor(bytes: Uint8Array) {
    this.gzip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Compresses a text off the event loop. */
  static async of(text: string): Promise<CompressedBody> {
    return new CompressedBody(await zip(text));
  }

  /** For a client that does not take it compressed. */
  plain(): Promise<Buffer> {
    return unzip(this.gzip);
  }
}
