/**
 * Answers that their clients do not read. The socket library keeps what a connection does not take, however much it becomes, and
 * says nothing of it: a client that asks and asks in one packet and reads nothing would fill the memory, and copying
 * it about would keep everybody waiting. So what is not taken of a long answer is kept here, one answer a connection: the
 * library ends a connection on which another request comes before the answer is over.
 */

/**
 * Longer answers to accounts are watched, and no others of theirs: the account's minute bounds how many there are, and who
 * pipelines short ones gets all that were charged.
 */
const LONG_BYTES = 512 * 1024;
/** The same for what no minute bounds: answers without a key, and refusals. */
const LONG_UNBOUNDED_BYTES = 16 * 1024;
/** Shorter ones may add up: of all that are sent, one is watched each time they have come to so much. */
const SHORT_BYTES_UNWATCHED = 1024 * 1024;

let unwatchedBytes = 0;

/** Whether to watch an answer of this length; `bounded` where the minute of an account bounds how many there are. */
export function isWatched(bytes: number, bounded: boolean): boolean {
  if (bounded) return bytes >= LONG_BYTES;
  if (bytes >= LONG_UNBOUNDED_BYTES) return true;
  unwatchedBytes += bytes;
  if (unwatchedBytes < SHORT_BYTES_UNWATCHED) return false;
  unwatchedBytes = 0;
  return true;
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
}

/** Sends a body as the connection takes it. What it does not take at once is copied: its memory may be everybody's. */
export function endWatched(res: TakingResponse, body: string | Uint8Array, watch: SendWatch): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const total = bytes.length;
  const [, done] = res.tryEnd(bytes, total);
  if (done) return;
  const sent = res.getWriteOffset();
  const rest = Uint8Array.from(bytes.subarray(sent));
  watch.waits();
  res.onAborted(() => watch.taken());
  res.onWritable((offset) => {
    const [takesMore, isOver] = res.tryEnd(rest.subarray(offset - sent), total);
    if (isOver) watch.taken();
    return takesMore;
  });
}
