import type { Reply } from "./reply.ts";

/**
 * Limits the memory of answers that their clients do not read. The socket library buffers whatever a connection does not
 * take, without a limit and without reporting how much that is, so a client that sends requests and reads nothing would
 * fill the memory. Therefore an answer may be handed to the library as the connection takes it, while the rest is kept
 * here. The library then regards the answer as unfinished and closes the connection if another request arrives on it.
 */

/** Bodies from this length on are always watched. */
const LONG_BYTES = 16 * 1024;
/** Of shorter ones, and of heads without a body, one in about this many bytes is watched. No client can predict which. */
const UNWATCHED_BYTES = 1024 * 1024;

export function isWatched(bodyBytes: number): boolean {
  return bodyBytes >= LONG_BYTES || isPicked(bodyBytes);
}

/**
 * Whether the connection ends after an answer without a body. The library reports only of bodies whether a client takes
 * them. Callers whose rate is limited cannot have many such answers, so theirs never end it.
 */
export function isLast(headBytes: number, { rateWindow, code }: Reply): boolean {
  return (rateWindow === undefined || code !== undefined) && isPicked(headBytes);
}

function isPicked(bytes: number): boolean {
  return Math.random() * UNWATCHED_BYTES < bytes;
}

/** Called with 1 when an answer begins to wait for its client, and with -1 when it no longer does. */
export type SendWatch = (change: 1 | -1) => void;

interface TakingResponse {
  /** Sends what the connection takes. Returns whether it would take more, and whether all is sent. */
  tryEnd(bytes: Uint8Array, totalBytes: number): readonly [boolean, boolean];
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
}

interface WatchedBody {
  readonly body: string | Uint8Array;
  /** Whether its memory stays unchanged. If not, because other answers share it, the part that waits is copied. */
  readonly isOwn: boolean;
}

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
