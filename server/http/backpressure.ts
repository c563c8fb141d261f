import type { Reply } from "./reply.ts";

/**
 * Answers that their clients do not read. The socket library keeps whatever a connection does not take, without a limit
 * and without saying how much it is, so a client that sends requests and reads nothing would fill the memory. So an
 * answer may be handed over as the connection takes it, while the rest is kept here: the library then counts the answer
 * as unfinished, and closes the connection if it brings another request.
 */

/** Bodies from this length on are always watched. */
const LONG_BYTES = 16 * 1024;
/** Of shorter ones, and of heads without a body, one in about this many bytes: no client can know which. */
const UNWATCHED_BYTES = 1024 * 1024;

export function isWatched(bodyBytes: number): boolean {
  return bodyBytes >= LONG_BYTES || isPicked(bodyBytes);
}

/**
 * Whether an answer without a body is to be the last of its connection. The library reports only of bodies whether a
 * client takes them. Callers that the rate limit admits cannot have many of these.
 */
export function isLast(headBytes: number, { rateWindow, code }: Reply): boolean {
  return (rateWindow === undefined || code !== undefined) && isPicked(headBytes);
}

function isPicked(bytes: number): boolean {
  return Math.random() * UNWATCHED_BYTES < bytes;
}

/** Called with 1 when an answer waits for its client, and with -1 when it no longer does. */
export type SendWatch = (change: 1 | -1) => void;

/** The part of the library's response that is used here. */
interface TakingResponse {
  /** Sends what the connection takes. Returns whether it would take more, and whether all is sent. */
  tryEnd(bytes: Uint8Array, totalBytes: number): readonly [boolean, boolean];
  /** How much of the body was taken. */
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
}

interface WatchedBody {
  readonly body: string | Uint8Array;
  /** Whether its memory stays as it is. Otherwise what waits is copied, because other answers share its memory. */
  readonly isOwn: boolean;
}

/** Sends a body as the connection takes it. */
export function endWatched(
  res: TakingResponse,
  { body, isOwn }: WatchedBody,
  watch: SendWatch,
): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const [, done] = res.tryEnd(bytes, bytes.length);
  if (done) return;
  const sent = res.getWriteOffset();
  const left = bytes.subarray(sent);
  const rest = isOwn ? left : Uint8Array.from(left);
  watch(1);
  res.onAborted(() => watch(-1));
  res.onWritable((offset) => {
    const [takesMore, isOver] = res.tryEnd(rest.subarray(offset - sent), bytes.length);
    if (isOver) watch(-1);
    return takesMore;
  });
}
