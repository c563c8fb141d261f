import { ByteWriter } from "../http/byte-writer.ts";
import { constantText } from "../http/constant-text.ts";
import { writeJson } from "../http/json-writer.ts";
import type { Tail } from "../http/gzip-member.ts";
import { SharedBody, type TailedBody } from "../http/shared-body.ts";

const SCRATCH_BYTES = 16 * 1024;
/** Where one body at a time is written; it is sent before the next is begun. */
const scratch = new ByteWriter(SCRATCH_BYTES);
const BEGINNING = constantText('{"data":');
const MIDDLE = constantText(',"meta":');

/**
 * The body of an answer that is not kept: written anew, as bytes, straight before it is sent. It costs no memory
 * of its own, and less time than a text that has to be encoded.
 */
export abstract class WrittenBody implements TailedBody {
  /** Writes the value of `data`, the same each time. */
  protected abstract writeData(out: ByteWriter): void;

  get beginningBytes(): number {
    return this.written.length;
  }

  /** Everything in front of the tail, in memory that the next body takes. */
  protected get written(): Buffer {
    this.#write();
    return scratch.written;
  }

  plain(tail: Tail): Buffer {
    this.#write();
    if (typeof tail === "string") scratch.text(tail);
    else scratch.bytes(tail);
    return scratch.written;
  }

  gzip(tail: Tail): Buffer {
    return new SharedBody(this.written).gzip(tail);
  }

  #write(): void {
    scratch.clear();
    scratch.constant(BEGINNING);
    this.writeData(scratch);
    scratch.constant(MIDDLE);
  }
}

/** The body of a `data` that is there as an object. */
export class DataBody extends WrittenBody {
  readonly #data: object;

  constructor(data: object) {
    super();
    this.#data = data;
  }

  protected override writeData(out: ByteWriter): void {
    writeJson(out, this.#data);
  }
}
