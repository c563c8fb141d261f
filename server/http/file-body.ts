/** Sends parts of files as their connections take them, so that a slow reader costs one piece of memory at most. */
import type { FileHandle } from "node:fs/promises";
import type { ByteRange } from "./byte-range.ts";

const PIECE_BYTES = 128 * 1024;
/** A body of which nothing is taken for so long is cut. */
const STALLED_MS = 30_000;
/** How often a body that waits is offered again: the socket library ends a connection that is offered nothing for 10 s. */
const OFFER_MS = 5_000;

/** An open part of a file. Its sender closes it, by `over`. */
export interface FilePart extends ByteRange {
  readonly file: FileHandle;
  /** Called with the bytes that were handed to the connection. */
  readonly taken: (bytes: number) => void;
  /** Called once, when the part is sent or its connection is gone. */
  readonly over: () => void;
  /** Called before it if the file could not be read. */
  readonly failed: (failure: unknown) => void;
}

interface TakingResponse {
  /** Sends what the connection takes. Returns whether it would take more, and whether all is sent. */
  tryEnd(bytes: Uint8Array, totalBytes: number): readonly [boolean, boolean];
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
  cork(work: () => void): unknown;
  close(): unknown;
}

/** Sends a part of a file after the head that was written. */
export async function sendFile(res: TakingResponse, part: FilePart): Promise<void> {
  let open = true;
  let wake = () => {};
  res.onAborted(() => {
    open = false;
    wake();
  });
  res.onWritable(() => {
    wake();
    return true;
  });
  let sent = 0;
  /** Offers the next piece. Its memory is not kept while the connection takes no more. */
  const offer = async (): Promise<"more" | "wait" | "over"> => {
    const piece = await read(part, sent);
    if (!open) return "over";
    let [takesMore, isOver] = [false, false];
    const before = sent;
    res.cork(() => {
      [takesMore, isOver] = res.tryEnd(piece, part.length);
      sent = isOver ? part.length : res.getWriteOffset();
    });
    part.taken(sent - before);
    return isOver ? "over" : takesMore ? "more" : "wait";
  };
  try {
    for (let [takenMs, before] = [performance.now(), 0]; ; before = sent) {
      const next = await offer();
      if (next === "over") return;
      const nowMs = performance.now();
      if (sent > before) takenMs = nowMs;
      else if (nowMs - takenMs >= STALLED_MS) break;
      if (next === "wait") await writableSoon((woken) => (wake = woken));
      if (!open) return;
    }
    res.close();
  } catch (failure) {
    if (open) res.close(); // the head is sent, so the reader sees a body that was cut
    part.failed(failure);
  } finally {
    part.over();
  }
}

async function read({ file, start, length }: FilePart, sent: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, length - sent));
  const { bytesRead } = await file.read(piece, 0, piece.length, start + sent);
  if (bytesRead === 0) throw new Error("a file of a snapshot has become shorter");
  return piece.subarray(0, bytesRead);
}

/** Resolves when the connection takes more or is gone, which calls what `onWake` got, or when it is to be offered more. */
async function writableSoon(onWake: (wake: () => void) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, OFFER_MS);
    onWake(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
