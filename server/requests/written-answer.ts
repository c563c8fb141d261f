import { ByteWriter, bytesOf } from "../http/byte-writer.ts";
import { constantText, type ConstantText } from "../http/constant-text.ts";
import type { TailedBody } from "../http/shared-body.ts";
import type { ReadEndpoint, Resolved, WrittenData } from "../routes/endpoint.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";
import type { TaggedAnswer } from "./answer.ts";
import { WrittenBody } from "./written-body.ts";

const TAG_BYTES = 1024;
/** Holds the header lines of one answer at a time; they are sent before the next ones are begun. */
const head = new ByteWriter(TAG_BYTES);
const ETAG = constantText("\r\nETag: ");
const TAG_START = constantText('W/"');
const TAG_END = constantText('"');
const ANSWER_HEADERS = constantText(
  "\r\nCache-Control: private, no-cache\r\nVary: Accept-Encoding",
);

/** What all answers of one endpoint and snapshot share. */
export interface AnswerSource {
  readonly endpoint: ReadEndpoint;
  readonly snapshot: SnapshotData;
  /** The snapshot and path that entity tags begin with. */
  readonly tagName: ConstantText;
}

/**
 * An answer that is not kept yet. Its lines and body are written as bytes straight before they are sent,
 * which takes no memory of its own and less time than encoding a text. Until then it consists only of its
 * parameters, so any number may wait for their charge.
 */
export class WrittenAnswer extends WrittenBody implements TaggedAnswer {
  readonly #tagName: ConstantText;
  readonly #written: WrittenData;
  readonly #plan: never; // of the endpoint that `written` belongs to

  constructor({ snapshot, tagName }: AnswerSource, written: WrittenData, query: never) {
    super();
    this.#tagName = tagName;
    this.#written = written;
    this.#plan = written.plan(snapshot, query);
  }

  get body(): TailedBody {
    return this;
  }

  get etag(): string {
    return tagText(this.#tagName, this.#written.writeName, this.#plan);
  }

  get headers(): Uint8Array {
    return headersWith(this.#tagName, this.#written.writeName, this.#plan);
  }

  protected override writeData(out: ByteWriter): void {
    this.#written.writeData(out, this.#plan);
  }
}

/** Writes what tells an answer from the others of its endpoint. */
type WriteName<Subject> = (out: ByteWriter, subject: Subject) => void;

/** The header lines of an answer. The next call reuses the memory. */
export function headersOf({ tagName }: AnswerSource, resolved: Resolved): Uint8Array {
  return headersWith(tagName, writeParameters, resolved);
}

export function etagOf({ tagName }: AnswerSource, resolved: Resolved): string {
  return tagText(tagName, writeParameters, resolved);
}

function headersWith<Subject>(
  tagName: ConstantText,
  writeName: WriteName<Subject>,
  of: Subject,
): Uint8Array {
  head.clear();
  head.constant(ETAG);
  writeTag(tagName, writeName, of);
  head.constant(ANSWER_HEADERS);
  return head.written;
}

function tagText<Subject>(
  tagName: ConstantText,
  writeName: WriteName<Subject>,
  of: Subject,
): string {
  head.clear();
  writeTag(tagName, writeName, of);
  return head.written.toString("latin1");
}

/**
 * The tag is weak, because `meta` differs between otherwise equal answers. It spells the parameters out
 * instead of hashing them: they consist of letters, digits and a few signs, all allowed in a tag.
 */
function writeTag<Subject>(
  tagName: ConstantText,
  writeName: WriteName<Subject>,
  of: Subject,
): void {
  head.constant(TAG_START);
  head.constant(tagName);
  writeName(head, of);
  head.constant(TAG_END);
}

const names = new Map<string, { readonly first: Uint8Array; readonly later: Uint8Array }>();

function writeParameters(out: ByteWriter, resolved: Resolved): void {
  let first = true;
  for (const name in resolved) {
    const value = resolved[name];
    if (value === undefined) continue;
    const { first: asFirst, later } = nameOf(name);
    out.bytes(first ? asFirst : later);
    first = false;
    if (typeof value === "number") out.integer(value);
    else out.text(value);
  }
}

/** There are few parameter names, because they come from schemas. */
function nameOf(name: string) {
  let bytes = names.get(name);
  if (bytes === undefined) {
    bytes = { first: bytesOf(`?${name}=`), later: bytesOf(`&${name}=`) };
    names.set(name, bytes);
  }
  return bytes;
}
