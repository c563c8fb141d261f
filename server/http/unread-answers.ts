/**
 * Answers that their clients do not read. The socket library keeps what a connection does not take, however much it becomes, and
 * says nothing of it: a client that asks and asks in one packet and reads nothing would fill the memory, and copying
 * it about would keep everybody waiting. So what is not taken of a long answer is kept here, one answer a connection: the
 * library ends a connection on which another request comes before the answer is over.
 */

/** Longer answers to accounts are watched where their account may have many of them waiting. */
const LONG_BYTES = 512 * 1024;
/** So much: what it would be if all that the account has asked for in this minute were as long. */
const LONG_OF_ACCOUNT_BYTES = 128 * 1024 * 1024;
/** What no minute bounds is watched from here on: answers without a key, and refusals above the minute. */
const LONG_UNBOUNDED_BYTES = 16 * 1024;
/** Shorter ones may add up: of all that are sent, one is watched each time they have come to so much. */
const SHORT_BYTES_UNWATCHED = 1024 * 1024;
/** Watched answers of accounts that may be found unread in a minute, of all together, before their connections end. */
const SPARED_OF_A_MINUTE = 16;
const MINUTE_MS = 60_000;

let unwatchedBytes = 0;
let spared = 0;
let sparedMinute = 0;

/**
 * Whether to watch an answer of this length. Answers of an account come with the number of its requests in the minute, which
 * bounds them: who pipelines them gets all that were charged.
 */
export function isWatched(bytes: number, requestsOfMinute: number | undefined): boolean {
  if (requestsOfMinute !== undefined) {
    return bytes >= LONG_BYTES && bytes * requestsOfMinute > LONG_OF_ACCOUNT_BYTES;
  }
  if (bytes >= LONG_UNBOUNDED_BYTES) return true;
  unwatchedBytes += bytes;
  if (unwatchedBytes < SHORT_BYTES_UNWATCHED) return false;
  unwatchedBytes = 0;
  return true;
}

/** Whether a watched answer of an account may wait unread: what was charged may be in front of it. */
export function isSpared(nowMs: number): boolean {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (minute !== sparedMinute) spared = 0;
  sparedMinute = minute;
  return ++spared <= SPARED_OF_A_MINUTE;
}

/** Told of an answer that waits for its client, and that it is over. */
export interface SendWatch {
  waits(): void;
  taken(): void;
}

/** What is used of the library's response. */
interface TakingResponse {
  /** Sends what the connection takes; whether it would take more, and whether all is sent. */
  tryEnd(bytes: Uint8Array, totalBytes: number): readonly [boolean, boolean];
  /** How much of the body was taken. */
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
  /** Sends what the connection takes, and has the library keep the rest. */
  end(bytes: Uint8Array): unknown;
}

/**
 * Sends a body as the connection takes it. What it does not take at once is copied: its memory may be everybody's. A body of
 * which nothing is taken is the library's after all where `mayWait` says so.
 */
export function endWatched(
  res: TakingResponse,
  body: string | Uint8Array,
  { watch, mayWait }: { watch: SendWatch; mayWait: () => boolean },
): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const total = bytes.length;
  const [, done] = res.tryEnd(bytes, total);
  if (done) return;
  const sent = res.getWriteOffset();
  if (sent === 0 && mayWait()) {
    res.end(bytes);
    return;
  }
  const rest = Uint8Array.from(bytes.subarray(sent));
  watch.waits();
  res.onAborted(() => watch.taken());
  res.onWritable((offset) => {
    const [takesMore, isOver] = res.tryEnd(rest.subarray(offset - sent), total);
    if (isOver) watch.taken();
    return takesMore;
  });
}
