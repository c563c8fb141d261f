import { constants, fstatSync, openSync, write, writeSync } from "node:fs";

/** How to write and to wait: the system's ways, which tests replace. */
interface Files {
  write(fd: number, bytes: Buffer, done: (error: Error | null, written: number) => void): void;
  writeSync(fd: number, bytes: Buffer): number;
  pause(ms: number): void;
}

interface LogOutput {
  write(lines: string): void;
  /** Writes what still waits, because the process ends. Waits a moment only for the reader of a pipe. */
  end(): void;
}

/** How much may wait. Lines beyond it are dropped. */
const WAITING_MAX_BYTES = 16 * 1024 * 1024;
const RETRY_MS = 500;
/** The reader of a pipe makes room sooner than a full disk. */
const PIPE_RETRY_MS = 5;
/** How long the end of a process waits for a write under way, whose result can no longer be heard. */
const UNDER_WAY_MS = 50;
/** How long the end of a process waits for the reader of a pipe. */
const LAST_WAIT_MS = 1000;

const SYSTEM: Files = {
  write,
  writeSync,
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/**
 * An open file as a log writes it: nothing waits for it, and its failures stop nothing else. If the disk is full or a
 * pipe takes no more, lines wait until there is room. If the reader of a pipe is gone, they are dropped. (pino's own
 * output blocks while the disk is full, and then ends the process.)
 */
export function logOutput(fd: number, files: Files = SYSTEM): LogOutput {
  let underWay = false;
  const lines = new WaitingLines();

  function writeWaiting(): void {
    lines.busy = lines.bytes > 0;
    if (!lines.busy) return;
    const bytes = lines.takeAll();
    underWay = true;
    files.write(fd, bytes, (error, written) => {
      underWay = false;
      if (error === null) {
        lines.putBack(bytes.subarray(written));
        writeWaiting();
      } else if (isReaderGone(error)) {
        lines.dropAll();
      } else {
        lines.putBack(bytes);
        setTimeout(writeWaiting, isFullPipe(error) ? PIPE_RETRY_MS : RETRY_MS).unref();
      }
    });
  }

  return {
    write(text) {
      lines.add(text);
      if (!lines.busy) writeWaiting();
    },
    end() {
      if (underWay) files.pause(UNDER_WAY_MS);
      writeLast(lines, fd, files);
    },
  };
}

/**
 * The same for a pipe opened with `O_NONBLOCK`, which says at once whether it takes the bytes or is full. So it is
 * always known what it has taken, also when the process ends. Lines are written one by one: a pipe takes all or nothing
 * of a write of up to 4 KiB, so lines of several processes in one pipe stay whole.
 */
export function pipeOutput(fd: number, files: Files = SYSTEM): LogOutput {
  const lines = new WaitingLines();

  function writeWaiting(): void {
    try {
      lines.busy = true;
      lines.writeEach(fd, files);
      lines.busy = false;
    } catch (error) {
      if (isReaderGone(error)) lines.dropAll();
      else setTimeout(writeWaiting, isFullPipe(error) ? PIPE_RETRY_MS : RETRY_MS).unref();
    }
  }

  return {
    write(text) {
      lines.add(text);
      if (!lines.busy) writeWaiting();
    },
    end: () => writeLast(lines, fd, files),
  };
}

/** Lines in the order they came, up to a limit. */
class WaitingLines {
  bytes = 0;
  /** A write is under way, or the next attempt is due. */
  busy = false;
  #waiting: Buffer[] = [];
  #areDropped = false;

  add(text: string): void {
    const line = Buffer.from(text);
    if (this.#areDropped || this.bytes + line.length > WAITING_MAX_BYTES) return;
    this.#waiting.push(line);
    this.bytes += line.length;
  }

  takeAll(): Buffer {
    const all = Buffer.concat(this.#waiting, this.bytes);
    this.#waiting = [];
    this.bytes = 0;
    return all;
  }

  /**
   * Writes one line after another. Throws the system's error once it takes no more. What was written is cut off once,
   * because cutting off a single line of very many moves all the others.
   */
  writeEach(fd: number, files: Files): void {
    let done = 0;
    try {
      for (let line = this.#waiting[0]; line !== undefined; line = this.#waiting[done]) {
        const written = files.writeSync(fd, line);
        this.bytes -= written;
        if (written < line.length) this.#waiting[done] = line.subarray(written);
        else done++;
      }
    } finally {
      this.#waiting.splice(0, done);
    }
  }

  putBack(rest: Buffer): void {
    if (rest.length === 0) return;
    this.#waiting.unshift(rest);
    this.bytes += rest.length;
  }

  /** Drops these lines and all that follow. */
  dropAll(): void {
    this.takeAll();
    this.#areDropped = true;
  }
}

function writeLast(lines: WaitingLines, fd: number, files: Files): void {
  for (let waitedMs = 0; ; waitedMs += PIPE_RETRY_MS) {
    try {
      lines.writeEach(fd, files);
      return;
    } catch (error) {
      if (!isFullPipe(error) || waitedMs >= LAST_WAIT_MS) return; // there is nobody left to tell
      files.pause(PIPE_RETRY_MS);
    }
  }
}

function isReaderGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EPIPE";
}

function isFullPipe(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EAGAIN";
}

const STANDARD_OUTPUT = 1;
let shared: LogOutput | undefined;

/** Standard output, for everything in a process that writes to it. */
export function standardOutput(): LogOutput {
  if (shared !== undefined) return shared;
  const pipe = ownPipe();
  const output = pipe === undefined ? logOutput(STANDARD_OUTPUT) : pipeOutput(pipe);
  process.once("exit", () => output.end());
  return (shared = output);
}

/**
 * The pipe behind standard output, opened a second time, so that `O_NONBLOCK` holds for this process alone. On the
 * descriptor that processes share, each one that ends would set it back for all. Undefined if standard output is not a
 * pipe, or if there is no /proc.
 */
function ownPipe(): number | undefined {
  try {
    if (!fstatSync(STANDARD_OUTPUT).isFIFO()) return undefined;
    const flags = constants.O_WRONLY | constants.O_NONBLOCK;
    return openSync(`/proc/self/fd/${STANDARD_OUTPUT}`, flags);
  } catch {
    return undefined;
  }
}

/** A line for whoever started the program, between those of the log. */
export function say(line: string): void {
  standardOutput().write(`${line}\n`);
}
