import { ByteWriter } from "../http/byte-writer.ts";
import { constantText } from "../http/constant-text.ts";
import { writeJson } from "../http/json-writer.ts";
import type { Tail } from "../http/gzip-member.ts";
import { SharedBody, type TailedBody } from "../http/shared-body.ts";
import { DATA_START, META_START } from "./answer.ts";

const SCRATCH_BYTES = 16 * 1024;
/** Holds one body at a time; it is sent before the next is begun. */
const scratch = new ByteWriter(SCRATCH_BYTES);
/** `DATA_START` and `META_START`, ready to write. */
export const BEFORE_DATA = constantText(DATA_START);
export const BEFORE_META = constantText(META_START);

/**
 * The body of an answer that is not kept. It is written as bytes straight before it is sent, which takes no
 * memory of its own and less time than encoding a text.
 */
export abstract class WrittenBody implements TailedBody {
  /** Writes the value of `data`; the same every time. */
  protected abstract writeData(out: ByteWriter): void;

  get beginningBytes(): number {
    return this.written.length;
  }

  /** Everything before the tail. The next body reuses the memory. */
  get written(): Buffer {
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
    scratch.constant(BEFORE_DATA);
    this.writeData(scratch);
    scratch.constant(BEFORE_META);
  }
}

/** A body whose `data` exists as an object. */
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
