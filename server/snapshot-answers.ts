import { LRUCache } from "lru-cache";
import { bytesOf } from "./http/byte-writer.ts";
import { SharedBody } from "./http/shared-body.ts";
import type { ReadEndpoint, Resolved } from "./routes/endpoint.ts";
import { readQuery } from "./routes/parameters.ts";
import type { SnapshotData } from "./routes/snapshot-data.ts";

/** Memory for answers of one snapshot; the whole board of a day is some 150 KiB, the rest far smaller. */
const ANSWERS_MAX_BYTES = 96 * 1024 * 1024;
/** Query strings of an endpoint whose entity tag is remembered, so that a repeated one is not even parsed. */
const QUERIES_MAX = 20_000;
/** Coins of a large board whose answers are not left to the first who asks. */
const COINS_PREPARED_MAX = 200;
/** Longer query strings are parsed each time. */
const QUERY_MAX_LENGTH = 200;
/** Of an entry besides its bytes: objects, views, keys. */
const ENTRY_OVERHEAD_BYTES = 1024;
const ANSWER_HEADERS = "\r\nCache-Control: private, no-cache\r\nVary: Accept-Encoding";

/** What every caller who asks the same gets, but for `meta`. */
export interface SnapshotAnswer {
  readonly etag: string;
  /** Header lines of the answer and of a 304 in its place. */
  readonly headers: Uint8Array;
  /** `{"data":{...},"meta":` and room for the caller's own. */
  readonly body: SharedBody;
}

/**
 * The answers of one snapshot, each computed and serialised once, when it is first asked for. What does not fit is
 * forgotten, the longest unused first.
 */
export class SnapshotAnswers {
  readonly snapshot: SnapshotData;
  readonly #etags = new Map<ReadEndpoint, LRUCache<string, string>>();
  readonly #answers = new LRUCache<string, SnapshotAnswer>({
    maxSize: ANSWERS_MAX_BYTES,
    sizeCalculation: ({ body }) => body.heldBytes + ENTRY_OVERHEAD_BYTES,
  });

  constructor(snapshot: SnapshotData, endpoints: readonly ReadEndpoint[]) {
    this.snapshot = snapshot;
    for (const endpoint of endpoints) {
      this.#etags.set(endpoint, new LRUCache({ max: QUERIES_MAX }));
    }
  }

  /**
   * Computes what is asked for most, a piece a turn, so that no request has to wait for it: the answers without
   * parameters and those of each coin.
   */
  async prepare(): Promise<void> {
    const coins = this.snapshot.coins.slice(0, COINS_PREPARED_MAX);
    for (const endpoint of this.#etags.keys()) {
      const queries =
        "coin" in endpoint.query.shape ? coins.map(({ ticker }) => `coin=${ticker}`) : [];
      if (endpoint.query.safeParse({}).success) queries.push("");
      for (const query of queries) {
        this.find(endpoint, query);
        await new Promise(setImmediate);
      }
    }
  }

  /** The answer to a query string as sent. Throws DomainError when its parameters do not hold. */
  find(endpoint: ReadEndpoint, query: string): SnapshotAnswer {
    const etags = this.#etags.get(endpoint);
    const knownEtag = etags?.get(query);
    const known = knownEtag === undefined ? undefined : this.#answers.get(knownEtag);
    if (known !== undefined) return known;
    const resolved = endpoint.resolve(this.snapshot, readQuery(endpoint.query, query) as never);
    const etag = this.#etagOf(endpoint, resolved);
    if (query.length <= QUERY_MAX_LENGTH) etags?.set(query, etag);
    const before = this.#answers.get(etag);
    if (before !== undefined) return before;
    const headers = bytesOf(`\r\nETag: ${etag}${ANSWER_HEADERS}`);
    const answer = { etag, headers, body: this.#bodyOf(endpoint, resolved) };
    this.#answers.set(etag, answer);
    return answer;
  }

  /**
   * Weak, because `meta` differs between equal answers. It spells the snapshot, the path and the parameters out
   * instead of hashing them: all are letters, digits and a few signs that an entity tag may hold.
   */
  #etagOf(endpoint: ReadEndpoint, resolved: Resolved): string {
    let parameters = "";
    for (const name of Object.keys(resolved)) {
      if (resolved[name] === undefined) continue;
      parameters += `${parameters === "" ? "?" : "&"}${name}=${String(resolved[name])}`;
    }
    return `W/"${this.snapshot.id}${endpoint.path}${parameters}"`;
  }

  #bodyOf(endpoint: ReadEndpoint, resolved: Resolved): SharedBody {
    const data = endpoint.answer(this.snapshot, resolved as never);
    return new SharedBody(`{"data":${JSON.stringify(data)},"meta":`);
  }
}
