import { crc32 } from "node:zlib";
import { constantText } from "../http/constant-text.ts";
import { SharedBeginning } from "../http/shared-beginning.ts";
import { DATA_START, type TaggedAnswer } from "./answer.ts";
import { restAWhile } from "./between-pieces.ts";
import { bodyPieces } from "./body-pieces.ts";
import { compressedAside, emptyRecord, type BodyParts } from "./kept-answer.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { LongAnswers, type Asker } from "./long-answers.ts";
import type { ReadEndpoint, WrittenData } from "../routes/endpoint.ts";
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
/** Compressing this much takes several milliseconds, so it is done on another thread before it is wanted. */
const LONG_BYTES = 256 * 1024;

/**
 * Lists of up to this many items are made at once, in some eight milliseconds: an answer that comes in a later turn
 * would cut off clients that pipeline behind it.
 */
const AT_ONCE_ITEMS_MAX = 64;
/** How many of them in one turn of the event loop: the boards of 600 days, in one packet, took two seconds. */
const AT_ONCE_MAX = 2;

/** How much of a long body is copied in one turn of the event loop, which takes a millisecond. */
const COPIED_A_TURN_BYTES = 1024 * 1024;

interface Source extends AnswerSource {
  readonly kept: KeptAnswers;
  beginning: SharedBeginning | undefined;
}

/**
 * The answers of one snapshot. They are computed and serialised when first asked for, and then found by the
 * query as sent. Within a memory limit, the least recently used are dropped. Endpoints that write their own
 * answers have too many of them, so theirs are kept only from the second time on.
 *
 * An answer with a long list is made in pieces, with turns of the event loop between them, and compressed on
 * another thread, so that it comes later.
 */
export class SnapshotAnswers {
  readonly snapshot: SnapshotData;
  readonly #sources = new Map<ReadEndpoint, Source>();
  readonly #long = new LongAnswers();
  /** How many lists were made at once in this turn of the event loop. */
  #madeAtOnce = 0;

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
   * without parameters and those of each coin.
   */
  async prepare(): Promise<void> {
    const { coins } = this.snapshot;
    for (const endpoint of this.#sources.keys()) {
      if (endpoint.written !== undefined) continue;
      const ofCoins = "coin" in endpoint.query.shape;
      const queries = ofCoins
        ? coins.slice(0, COINS_PREPARED_MAX).map(({ ticker }) => `coin=${ticker}`)
        : [];
      if (endpoint.query.safeParse({}).success) queries.push("");
      for (const _ of endpoint.parts?.(this.snapshot) ?? []) await restAWhile();
      for (const query of queries) {
        await this.find(endpoint, query, undefined);
        await restAWhile();
      }
    }
  }

  /**
   * The answer to a query string as sent; later if it has to be made and has a long list. Without an asker, to
   * have it ready. Throws `DomainError` if the parameters are not valid.
   */
  find(
    endpoint: ReadEndpoint,
    query: string,
    asker: Asker | undefined,
  ): TaggedAnswer | Promise<TaggedAnswer> {
    const source = this.#sources.get(endpoint)!; // set for every endpoint
    const known = source.kept.find(query);
    if (known !== undefined) return known;
    const { written } = endpoint;
    if (written !== undefined) return writeAnswer(source, written, query);
    return this.#make(source, query, asker);
  }

  #make(
    source: Source,
    query: string,
    asker: Asker | undefined,
  ): TaggedAnswer | Promise<TaggedAnswer> {
    const { endpoint, snapshot, kept } = source;
    const resolved = endpoint.resolve(snapshot, readQuery(endpoint.query, query) as never);
    const etag = etagOf(source, resolved);
    const same = kept.findTagged(etag, query) ?? this.#long.find(etag, asker);
    if (same !== undefined) return same;
    const list = endpoint.long?.(snapshot, resolved as never);
    const isLong = list !== undefined && list.count > AT_ONCE_ITEMS_MAX;
    const isLater = isLong || (list !== undefined && asker !== undefined && !this.#isAtOnce());
    const pieces = bodyPieces(endpoint, snapshot, resolved, isLater ? list : undefined);
    const first = pieces.next();
    if (first.done === true) {
      const data = dataOf(source, first.value);
      if (asker !== undefined || data.rest.length < LONG_BYTES) {
        return kept.keep(query, { etag, headers: headersOf(source, resolved), ...data });
      }
    }
    const written = [Buffer.from(first.value)];
    const make = async (turn: () => Promise<unknown>) => {
      let crc = crc32(written[0]!); // of all that is written
      for (let isDone = first.done; isDone !== true;) {
        await turn();
        const { value, done } = pieces.next();
        written.push(Buffer.from(value));
        crc = crc32(value, crc);
        isDone = done;
      }
      const whole = emptyRecord(headersOf(source, resolved).length, lengthOf(written));
      await fill(whole.rest, written, turn);
      const data = dataOf(source, whole.rest);
      const record = data.beginning === undefined ? whole.record : undefined;
      const compressed = await compressedAside(data, crc);
      const headers = headersOf(source, resolved);
      const answer = kept.keep(query, { etag, headers, ...data, compressed, record });
      await turn(); // to send a large body copies it, which takes milliseconds
      return answer;
    };
    // How many short ones an account may wait for is left to its minute.
    return this.#long.make(etag, asker, make, isLong ? undefined : Number.POSITIVE_INFINITY);
  }

  /** Whether one more short list is made in this turn of the event loop. */
  #isAtOnce(): boolean {
    if (this.#madeAtOnce === 0) setImmediate(() => (this.#madeAtOnce = 0));
    return ++this.#madeAtOnce <= AT_ONCE_MAX;
  }
}

function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** Copies parts one after the other into a body of their length, over several turns of the event loop. */
async function fill(
  body: Buffer,
  parts: readonly Buffer[],
  turn: () => Promise<unknown>,
): Promise<void> {
  let at = 0;
  let turnAt = COPIED_A_TURN_BYTES;
  for (const part of parts) {
    body.set(part, at);
    at += part.length;
    if (at < turnAt) continue;
    turnAt += COPIED_A_TURN_BYTES;
    await turn();
  }
}

/** A body that was written, without the beginning it shares with others. */
function dataOf(source: Source, written: Uint8Array): BodyParts {
  const { endpoint, snapshot } = source;
  if (endpoint.beginning !== undefined) {
    source.beginning ??= new SharedBeginning(
      Buffer.from(DATA_START + endpoint.beginning(snapshot)),
    );
    const { beginning } = source;
    const { length } = beginning.bytes;
    if (beginning.bytes.equals(written.subarray(0, length)))
      return { beginning, rest: written.subarray(length) };
  }
  return { rest: written };
}

/** An answer of an endpoint that has too many to keep them all: kept once it is asked for again. */
function writeAnswer(source: Source, written: WrittenData, query: string): TaggedAnswer {
  const answer = new WrittenAnswer(
    source,
    written,
    readQuery(source.endpoint.query, query) as never,
  );
  if (!source.kept.isMissedAgain(query)) return answer;
  const { etag, headers } = answer;
  const same = source.kept.findTagged(etag, query);
  return same ?? source.kept.keep(query, { etag, headers, rest: answer.written });
}
