import { LRUCache } from "lru-cache";
import { staleDays } from "../../api/age.ts";
import { acceptsGzip } from "../http/request-fields.ts";
import { NO_STORE, PRIVATE_ANSWER_HEADERS } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";
import { SharedBody, type BodyPrefix, continued } from "../http/shared-body.ts";
import { type Endpoint, type Resolved, dataOf, type ReadEndpoint } from "../routes/endpoint.ts";
import { checkFields } from "../routes/fields.ts";
import { varyLine, type ChosenForm, formatsOf, writeAnswer } from "./formats/formats.ts";
import type { AnswerFormat } from "./formats/format.ts";
import { DATA_START, json, META_START } from "./formats/json.ts";
import { readQuery } from "../routes/parameters.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";

/** A 200 without the caller's own `meta`. */
export interface Answer {
  readonly format: AnswerFormat;
  /** Header lines, each as `\r\nName: value`. */
  readonly headers: string;
  /** `data` as the format writes it. The caller's own `meta` follows it. */
  readonly body: BodyPrefix;
}

/** An answer that is the same for all callers of a snapshot. A 304 in its place has the same header lines. */
export interface TaggedAnswer extends Answer {
  readonly etag: string;
}

/** An answer for one caller only. */
export function privateAnswer(
  endpoint: Endpoint,
  form: Omit<ChosenForm, "query">,
  data: object,
  asked?: Resolved,
): Answer {
  const { text, lines } = writeAnswer(endpoint, form, data, asked);
  const headers = NO_STORE + varyLine(formatsOf(endpoint)) + lines;
  return { format: form.format, headers, body: new SharedBody(text) };
}

/** Answers from this length on are not compressed on the event loop. */
const LONG_BYTES = 4 * 1024;

/** Whether an answer should be compressed off the event loop before it is sent. */
export function needsCompressing({ body }: Answer, { acceptEncoding }: HttpRequest): boolean {
  return body.prefixBytes >= LONG_BYTES && !body.isCompressed && acceptsGzip(acceptEncoding);
}

/** An answer in JSON for one caller only. `data` is JSON already, in parts. */
export async function answerOfParts(
  data: readonly (string | Buffer)[],
  request: HttpRequest,
  lines = "",
): Promise<Answer> {
  const parts = [DATA_START, ...data, META_START].map((part) => Buffer.from(part as string));
  const body = new SharedBody(Buffer.concat(parts));
  const answer = { format: json, headers: PRIVATE_ANSWER_HEADERS + lines, body };
  if (needsCompressing(answer, request)) await body.compress();
  return answer;
}

const DAY_MS = 86_400_000;
/** The size of the cache of each endpoint. The largest answer, the whole dataset, takes 1.5 MB. */
const CACHE_BYTES = 24 * 1024 * 1024;
/** The memory that an answer takes besides its body. */
const OVERHEAD_BYTES = 1024;
/** The part after a shared prefix is not compressed. Together with `meta` it has to fit into one block of 64 KiB. */
const OWN_MAX_BYTES = 60 * 1024;

interface Source {
  readonly endpoint: ReadEndpoint;
  readonly snapshot: SnapshotData;
  readonly cache: LRUCache<string, TaggedAnswer>;
  /** The prefix that nearly all answers of the endpoint share, once it is made. */
  shared: { readonly text: string; readonly body: SharedBody } | undefined;
}

/** The answers of one snapshot. Each is made at the first request and cached by the query as it was sent. */
export class SnapshotAnswers {
  readonly snapshot: SnapshotData;
  readonly #sources: ReadonlyMap<ReadEndpoint, Source>;
  #day = -1;
  #age = "";

  constructor(snapshot: SnapshotData, endpoints: readonly ReadEndpoint[]) {
    this.snapshot = snapshot;
    this.#sources = new Map(
      endpoints.map((endpoint) => {
        const cache = new LRUCache<string, TaggedAnswer>({ maxSize: CACHE_BYTES });
        return [endpoint, { endpoint, snapshot, cache, shared: undefined }];
      }),
    );
  }

  /** What `meta` says of old prices, once a day. It isn't part of `data`, which does not know what day it is. */
  ageAt(nowMs: number): string {
    const day = Math.floor(nowMs / DAY_MS);
    if (day !== this.#day) {
      const days = staleDays(this.snapshot.manifest.asOf, nowMs);
      this.#age = days === undefined ? "" : `,"stale":true,"age_days":${days}`;
      this.#day = day;
    }
    return this.#age;
  }

  /** The answer, if it is in the cache. */
  known(endpoint: ReadEndpoint, chosen: ChosenForm): TaggedAnswer | undefined {
    return this.#sources.get(endpoint)!.cache.get(keyOf(chosen)); // set for every endpoint
  }

  /** The answer, made if need be. Throws `DomainError` if the parameters are not valid. */
  find(endpoint: ReadEndpoint, chosen: ChosenForm): TaggedAnswer {
    return this.known(endpoint, chosen) ?? makeAnswer(this.#sources.get(endpoint)!, chosen);
  }
}

/** The key of an answer in the cache. No query begins with a blank. */
function keyOf({ format, fields, query }: ChosenForm): string {
  if (format === json && fields.length === 0) return query;
  return ` ${format.name} ${fields.join()} ${query}`;
}

function makeAnswer(source: Source, chosen: ChosenForm): TaggedAnswer {
  const { endpoint, snapshot, cache } = source;
  const { format, fields, query } = chosen;
  const resolved = endpoint.resolve(snapshot, readQuery(endpoint.query, query));
  checkFields(endpoint.data, fields);
  const etag = etagOf(snapshot, endpoint, namedBy(chosen, resolved));
  const data = dataOf(endpoint, snapshot, resolved);
  const { text, lines } = writeAnswer(endpoint, chosen, data, resolved);
  const own = ownPart(source, text);
  const body = own === undefined ? new SharedBody(text) : continued(source.shared!.body, own);
  const answer = { format, etag, headers: headersWith(etag, endpoint) + lines, body };
  cache.set(keyOf(chosen), answer, { size: (own ?? text).length + OVERHEAD_BYTES });
  return answer;
}

/** The part of an answer after the shared prefix. Undefined if it has no such prefix or that part is long. */
function ownPart(source: Source, text: string): Buffer | undefined {
  const { endpoint, snapshot } = source;
  if (endpoint.sharedPrefix === undefined) return undefined;
  if (source.shared === undefined) {
    const prefix = DATA_START + endpoint.sharedPrefix(snapshot);
    source.shared = { text: prefix, body: new SharedBody(prefix) };
  }
  if (!text.startsWith(source.shared.text)) return undefined;
  const own = Buffer.from(text.slice(source.shared.text.length));
  return own.length > OWN_MAX_BYTES ? undefined : own;
}

/** Everything that distinguishes an answer from others of its endpoint. */
function namedBy({ format, fields }: ChosenForm, resolved: Resolved): Resolved {
  if (format === json && fields.length === 0) return resolved;
  const form = format === json ? undefined : format.name;
  return { ...resolved, fields: fields.length === 0 ? undefined : fields.join(), format: form };
}

/**
 * An answer's entity tag. It is weak, because `meta` differs between otherwise equal answers. It contains the parameters
 * unhashed, since their letters, digits and few signs are all allowed in a tag.
 */
function etagOf({ id }: SnapshotData, { path }: ReadEndpoint, resolved: Resolved): string {
  const given = Object.entries(resolved).filter(([, value]) => value !== undefined);
  const query = given.map(([name, value]) => `${name}=${value}`).join("&");
  return `W/"${id}${path}${query === "" ? "" : "?"}${query}"`;
}

function headersWith(etag: string, endpoint: ReadEndpoint): string {
  const vary = varyLine(formatsOf(endpoint));
  return `\r\nETag: ${etag}\r\nCache-Control: private, no-cache${vary}`;
}
