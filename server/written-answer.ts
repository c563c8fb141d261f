import { ByteWriter, bytesOf } from "./http/byte-writer.ts";
import type { TailedBody } from "./http/shared-body.ts";
import type { ReadEndpoint, Resolved } from "./routes/endpoint.ts";
import type { SnapshotData } from "./routes/snapshot-data.ts";
import type { SnapshotAnswer } from "./snapshot-answers.ts";
import { WrittenBody } from "./written-body.ts";

const TAG_BYTES = 1024;
/** Where the lines of one answer at a time are written; they are sent before the next is begun. */
const head = new ByteWriter(TAG_BYTES);
const ETAG = bytesOf("\r\nETag: ");
const TAG_START = bytesOf('W/"');
const TAG_END = bytesOf('"');
const ANSWER_HEADERS = bytesOf("\r\nCache-Control: private, no-cache\r\nVary: Accept-Encoding");

/** What all answers of an endpoint and a snapshot have alike. */
export interface AnswerSource {
  readonly endpoint: ReadEndpoint;
  readonly snapshot: SnapshotData;
  /** Snapshot and path, as entity tags begin. */
  readonly tagName: Uint8Array;
}

/**
 * An answer that is not kept: its lines and its body are written anew, as bytes, straight before they are sent. It
 * costs no memory of its own, and less time than text that has to be encoded. Until it is sent it is only its
 * parameters, so any number may wait for their charge.
 */
export class WrittenAnswer extends WrittenBody implements SnapshotAnswer {
  readonly #source: AnswerSource;
  readonly #resolved: Resolved;

  constructor(source: AnswerSource, resolved: Resolved) {
    super();
    this.#source = source;
    this.#resolved = resolved;
  }

  get body(): TailedBody {
    return this;
  }

  get etag(): string {
    return etagOf(this.#source, this.#resolved);
  }

  get headers(): Uint8Array {
    return headersOf(this.#source, this.#resolved);
  }

  protected override writeData(out: ByteWriter): void {
    const { endpoint, snapshot } = this.#source;
    endpoint.write!(out, snapshot, this.#resolved as never); // who makes such an answer has seen it
  }
}

/** Header lines of an answer, in a memory that the next one takes. */
export function headersOf(source: AnswerSource, resolved: Resolved): Uint8Array {
  head.clear();
  head.bytes(ETAG);
  writeTag(source, resolved);
  head.bytes(ANSWER_HEADERS);
  return head.written;
}

export function etagOf(source: AnswerSource, resolved: Resolved): string {
  head.clear();
  writeTag(source, resolved);
  return head.written.toString("latin1");
}

const names = new Map<string, { readonly first: Uint8Array; readonly later: Uint8Array }>();

/**
 * The tag is weak, because `meta` differs between equal answers, and it spells the parameters out instead of hashing
 * them: all are letters, digits and a few signs that a tag may hold.
 */
function writeTag(source: AnswerSource, resolved: Resolved): void {
  head.bytes(TAG_START);
  head.bytes(source.tagName);
  let first = true;
  for (const name in resolved) {
    const value = resolved[name];
    if (value === undefined) continue;
    const { first: asFirst, later } = nameOf(name);
    head.bytes(first ? asFirst : later);
    first = false;
    if (typeof value === "number") head.integer(value);
    else head.text(value);
  }
  head.bytes(TAG_END);
}

/** Names of parameters are few: they come from schemas. */
function nameOf(name: string) {
  let bytes = names.get(name);
  if (bytes === undefined) {
    bytes = { first: bytesOf(`?${name}=`), later: bytesOf(`&${name}=`) };
    names.set(name, bytes);
  }
  return bytes;
}
