import { write, writeSync } from "node:fs";

/** The system's two ways to write, of which tests have their own. */
interface Files {
  write(fd: number, bytes: Buffer, done: (error: Error | null, written: number) => void): void;
  writeSync(fd: number, bytes: Buffer): number;
}

export interface LogOutput {
  write(lines: string): void;
  /** Writes what still waits, once and without a retry: the process ends. */
  end(): void;
}

/** Lines wait up to this much; those that come on top of it are dropped. */
const WAITING_MAX_BYTES = 16 * 1024 * 1024;
const RETRY_MS = 500;

/**
 * An open file as a log writes it: nobody waits for it, and its failures are nobody else's. Where the disk is full or a
 * pipe takes no more, lines wait and are written when there is room; where the reader of a pipe is gone, they are dropped.
 * pino's own output ends the process at a full disk, after it has stood still until there is room.
 */
export function logOutput(fd: number, files: Files = { write, writeSync }): LogOutput {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let busy = false; // a write is under way, or the next attempt is due
  let readerIsGone = false;

  function keep(bytes: Buffer): void {
    if (waitingBytes + bytes.length > WAITING_MAX_BYTES) return;
    waiting.push(bytes);
    waitingBytes += bytes.length;
  }

  function taken(): Buffer {
    const bytes = Buffer.concat(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
    return bytes;
  }

  function putBack(rest: Buffer): void {
    waiting.unshift(rest);
    waitingBytes += rest.length;
  }

  function writeWaiting(): void {
    busy = waitingBytes > 0;
    if (!busy) return;
    const bytes = taken();
    files.write(fd, bytes, (error, written) => {
      if (isReaderGone(error)) {
        readerIsGone = true;
        taken();
      } else if (error !== null) {
        putBack(bytes);
        setTimeout(writeWaiting, RETRY_MS).unref();
      } else {
        if (written < bytes.length) putBack(bytes.subarray(written));
        writeWaiting();
      }
    });
  }

  return {
    write(lines) {
      if (readerIsGone) return;
      keep(Buffer.from(lines));
      if (!busy) writeWaiting();
    },
    end() {
      try {
        while (waitingBytes > 0) {
          const bytes = taken();
          const written = files.writeSync(fd, bytes);
          if (written < bytes.length) putBack(bytes.subarray(written));
        }
      } catch {
        // there is nobody left to tell
      }
    },
  };
}

function isReaderGone(error: NodeJS.ErrnoException | null): boolean {
  return error?.code === "EPIPE";
}

let shared: LogOutput | undefined;

/** Standard output, for all of a server that writes to it. */
export function standardOutput(): LogOutput {
  if (shared !== undefined) return shared;
  const output = logOutput(1);
  process.once("exit", () => output.end());
  return (shared = output);
}

/** A line for whoever started the server, between those of the log. */
export function say(line: string): void {
  standardOutput().write(`${line}\n`);
}
