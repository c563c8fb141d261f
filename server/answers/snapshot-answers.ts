import { bytesOf, ByteWriter } from "../http/byte-writer.ts";
import { constantText } from "../http/constant-text.ts";
import { writeJson } from "../http/json-writer.ts";
import { SharedBeginning } from "../http/shared-beginning.ts";
import type { TailedBody } from "../http/shared-body.ts";
import type { AnswerParts } from "./kept-answer.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { restAWhile } from "./read-parts.ts";
import type { ReadEndpoint, Resolved, WrittenData } from "../routes/endpoint.ts";
import { readQuery } from "../routes/parameters.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";
import { etagOf, headersOf, WrittenAnswer, type AnswerSource } from "./written-answer.ts";

/**
 * Memory for the answers of one endpoint of one snapshot. The whole board of 50 coins takes some 150 KiB, the
 * others far less.
 */
const ANSWERS_BYTES = 24 * 1024 * 1024;
/**
 * The least memory per coin on a large board: half of it holds the largest answer about one coin, that of
 * `/signals`.
 */
const ANSWERS_BYTES_A_COIN = 16 * 1024;
/** How many coins of a large board have their answers prepared; the others are left to the first who asks. */
const COINS_PREPARED_MAX = 200;
/** Holds one body at a time while it is written; it is then copied. Grows to the largest body. */
const scratch = new ByteWriter(32 * 1024);
const BEGINNING = bytesOf('{"data":');
const MIDDLE = bytesOf(',"meta":');

/** What everybody who asks the same gets, apart from `meta`. */
export interface SnapshotAnswer {
  readonly etag: string;
  /** Header lines of the answer, or of a 304 in its place. */
  readonly headers: Uint8Array;
  /** `{"data":{...},"meta":` followed by room for the caller's own `meta`. */
  readonly body: TailedBody;
}

interface Source extends AnswerSource {
  readonly kept: KeptAnswers;
  beginning: SharedBeginning | undefined;
}

/**
 * The answers of one snapshot. They are computed and serialised when first asked for, and then found by the
 * query as sent. Within a memory limit, the least recently used are dropped. Endpoints that write their own
 * answers have too many of them, so theirs are kept only from the second time on.
 */
export class SnapshotAnswers {
  readonly snapshot: SnapshotData;
  readonly #sources = new Map<ReadEndpoint, Source>();

  constructor(snapshot: SnapshotData, endpoints: readonly ReadEndpoint[]) {
    this.snapshot = snapshot;
    const maxBytes = Math.max(ANSWERS_BYTES, snapshot.coins.length * ANSWERS_BYTES_A_COIN);
    for (const endpoint of endpoints) {
      const tagName = constantText(snapshot.id + endpoint.path);
      const kept = new KeptAnswers(maxBytes);
      this.#sources.set(endpoint, { endpoint, snapshot, tagName, kept, beginning: undefined });
    }
  }

  /**
   * Computes the most requested answers piece by piece, so that no request has to wait for them: those
   * without parameters and those of each coin. On a large board it skips the answers about the whole board,
   * each of which would block for a second.
   */
  async prepare(): Promise<void> {
    const { coins } = this.snapshot;
    const isLarge = coins.length > COINS_PREPARED_MAX;
    for (const endpoint of this.#sources.keys()) {
      if (endpoint.written !== undefined) continue;
      const ofCoins = "coin" in endpoint.query.shape;
      const queries = ofCoins
        ? coins.slice(0, COINS_PREPARED_MAX).map(({ ticker }) => `coin=${ticker}`)
        : [];
      const ofAll = endpoint.query.safeParse({}).success;
      if (ofAll && !(ofCoins && isLarge)) queries.push("");
      for (const query of queries) {
        this.find(endpoint, query);
        await restAWhile();
      }
    }
  }

  /** The answer to a query string as sent. Throws `DomainError` if the parameters are not valid. */
  find(endpoint: ReadEndpoint, query: string): SnapshotAnswer {
    const source = this.#sources.get(endpoint)!; // set for every endpoint
    const known = source.kept.find(query);
    if (known !== undefined) return known;
    const { written } = endpoint;
    return written === undefined ? this.#keep(source, query) : writeAnswer(source, written, query);
  }

  #keep(source: Source, query: string): SnapshotAnswer {
    const resolved = this.#resolved(source, query);
    const etag = etagOf(source, resolved);
    const same = source.kept.findTagged(etag, query);
    if (same !== undefined) return same;
    const data = this.#dataOf(source, resolved);
    return source.kept.keep(query, { etag, headers: headersOf(source, resolved), ...data });
  }

  #resolved({ endpoint }: AnswerSource, query: string): Resolved {
    return endpoint.resolve(this.snapshot, readQuery(endpoint.query, query) as never);
  }

  /** The next call reuses the memory. */
  #dataOf(source: Source, resolved: Resolved): Pick<AnswerParts, "beginning" | "rest"> {
    const { endpoint, snapshot } = source;
    const data = endpoint.answer(snapshot, resolved as never);
    scratch.clear();
    scratch.bytes(BEGINNING);
    writeJson(scratch, data);
    scratch.bytes(MIDDLE);
    const { written } = scratch;
    if (endpoint.beginning !== undefined) {
      source.beginning ??= new SharedBeginning(
        Buffer.concat([BEGINNING, Buffer.from(endpoint.beginning(snapshot))]),
      );
      const { beginning } = source;
      const { length } = beginning.bytes;
      if (beginning.bytes.equals(written.subarray(0, length)))
        return { beginning, rest: written.subarray(length) };
    }
    return { beginning: undefined, rest: written };
  }
}

/** An answer of an endpoint that has too many to keep them all: kept once it is asked for again. */
function writeAnswer(source: Source, written: WrittenData, query: string): SnapshotAnswer {
  const answer = new WrittenAnswer(
    source,
    written,
    readQuery(source.endpoint.query, query) as never,
  );
  if (!source.kept.isMissedAgain(query)) return answer;
  const { etag, headers } = answer;
  const same = source.kept.findTagged(etag, query);
  return same ?? source.kept.keep(query, { etag, headers, ...answer.data });
}
