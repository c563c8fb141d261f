import type { Reply } from "./reply.ts";

/**
 * Answers that their clients do not read. The socket library keeps whatever a connection does not take, without a limit
 * and without saying how much it is. So a client that sends thousands of requests in one packet and reads nothing would
 * fill the memory, and copying that much would make everybody wait. To prevent that, long answers are watched: what a
 * connection does not take is kept here instead. Then the library counts the answer as unfinished, and closes the
 * connection if it brings another request, so that there is never more than one.
 */

/** Answers to accounts are watched from this length on, if many of them might be waiting. */
const LONG_BYTES = 512 * 1024;
/**
 * "Many": more than this, if all its requests of this minute had an answer as long. That is far above what clients
 * pipeline (90 whole datasets), and limits an account that reads nothing to some 200 MB of memory.
 */
const LONG_OF_ACCOUNT_BYTES = 128 * 1024 * 1024;
/** Answers without a key, and refusals above the minute, are watched from this length on: nothing limits them. */
const LONG_UNBOUNDED_BYTES = 16 * 1024;
/**
 * Shorter ones may add up, and so may heads that no body follows: once in about this many bytes of either, one of them
 * is watched, or the last of its connection.
 */
const SHORT_BYTES_UNWATCHED = 1024 * 1024;
/**
 * How many watched answers to accounts may wait unread in a minute without ending their connection, over all accounts.
 * It is enough for the refusals at the end of a long pipeline, and too little for a flood of them.
 */
const SPARED_OF_A_MINUTE = 16;
const MINUTE_MS = 60_000;

let unwatchedBytes = SHORT_BYTES_UNWATCHED;
let spared = 0;
let sparedMinute = 0;

/**
 * Whether to watch an answer with a body of this length. The minute limits how many answers an account has waiting, so
 * a client that pipelines gets every answer that was charged.
 */
export function isWatched(headBytes: number, bytes: number, reply: Reply): boolean {
  const requests = requestsOfMinute(reply);
  if (requests !== undefined) {
    return bytes >= LONG_BYTES && bytes * requests > LONG_OF_ACCOUNT_BYTES;
  }
  if (bytes >= LONG_UNBOUNDED_BYTES) return true;
  return isTheOne(headBytes + bytes);
}

/**
 * Whether an answer without a body is to be the last of its connection. The library tells of bodies alone whether a
 * client takes them. A client that reads is told that the connection ends, once in thousands of such answers, and opens
 * another.
 */
export function isLast(headBytes: number, reply: Reply, nowMs: number): boolean {
  return requestsOfMinute(reply) === undefined && isTheOne(headBytes) && !mayWait(reply, nowMs);
}

/**
 * Whether the bytes up to the next answer to be picked are used up. Their number is exponentially distributed, so that
 * no client can know when to let another connection's answer be picked instead.
 */
function isTheOne(bytes: number): boolean {
  unwatchedBytes -= bytes;
  if (unwatchedBytes > 0) return false;
  unwatchedBytes = -SHORT_BYTES_UNWATCHED * Math.log(1 - Math.random());
  return true;
}

/** How many requests the account has made in this minute, if the minute admitted this one. */
function requestsOfMinute({ minute, code }: Reply): number | undefined {
  if (minute === undefined || code === "rate_limited") return undefined;
  return minute.limit - minute.remaining;
}

/** Whether a watched answer may wait unread: answers that an account was charged for may be in front of it. */
function mayWait({ minute }: Reply, nowMs: number): boolean {
  if (minute === undefined) return false;
  const thisMinute = Math.floor(nowMs / MINUTE_MS);
  if (thisMinute !== sparedMinute) spared = 0;
  sparedMinute = thisMinute;
  return ++spared <= SPARED_OF_A_MINUTE;
}

/** Hears that an answer waits for its client, and that it no longer does. */
export interface SendWatch {
  waits(): void;
  taken(): void;
}

/** The part of the library's response that is used here. */
interface TakingResponse {
  /** Sends what the connection takes. Returns whether it would take more, and whether all is sent. */
  tryEnd(bytes: Uint8Array, totalBytes: number): readonly [boolean, boolean];
  /** How much of the body was taken. */
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
  /** Sends what the connection takes; the library keeps the rest. */
  end(bytes: Uint8Array): unknown;
}

/**
 * Sends a reply's body as the connection takes it. What is not taken at once is copied, because other answers may share
 * its memory. If nothing at all is taken and the answer may wait, the library keeps the body after all.
 */
export function endWatched(
  res: TakingResponse,
  body: string | Uint8Array,
  { reply, nowMs, watch }: { reply: Reply; nowMs: number; watch: SendWatch },
): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const total = bytes.length;
  const [, done] = res.tryEnd(bytes, total);
  if (done) return;
  const sent = res.getWriteOffset();
  if (sent === 0 && mayWait(reply, nowMs)) {
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
