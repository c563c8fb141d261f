import { constants, fstatSync, openSync, write, writeSync } from "node:fs";

/** The system's ways to write and to wait, of which tests have their own. */
interface Files {
  write(fd: number, bytes: Buffer, done: (error: Error | null, written: number) => void): void;
  writeSync(fd: number, bytes: Buffer): number;
  pause(ms: number): void;
}

export interface LogOutput {
  write(lines: string): void;
  /** Writes what still waits: the process ends. Only the reader of a pipe is given a moment for it. */
  end(): void;
}

/** Lines wait up to this much; those that come on top of it are dropped. */
const WAITING_MAX_BYTES = 16 * 1024 * 1024;
const RETRY_MS = 500;
/** The reader of a pipe makes room sooner than a full disk. */
const PIPE_RETRY_MS = 5;
/** At the end of a process: for a write that is under way, whose result nobody hears any more. */
const UNDER_WAY_MS = 50;
/** And for the reader of a pipe. */
const LAST_WAIT_MS = 1000;

const SYSTEM: Files = {
  write,
  writeSync,
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/**
 * An open file as a log writes it: nobody waits for it, and its failures are nobody else's. Where the disk is full or a
 * pipe takes no more, lines wait and are written when there is room; where the reader of a pipe is gone, they are dropped.
 * pino's own output ends the process at a full disk, after it has stood still until there is room.
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
 * The same for a pipe that answers at once, whether it takes the bytes or is full (`O_NONBLOCK`): so what it was given is
 * known at any moment, also at the end of the process. Lines are written one by one: up to 4 KiB a pipe takes all of a write or
 * nothing, and lines of several processes in one pipe stay whole.
 */
export function pipeOutput(fd: number, files: Files = SYSTEM): LogOutput {
  const lines = new WaitingLines();

  function writeWaiting(): void {
    try {
      lines.busy = true;
      writeEach(lines, fd, files);
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

  get first(): Buffer | undefined {
    return this.#waiting[0];
  }

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

  takeFirst(): void {
    this.bytes -= this.#waiting.shift()?.length ?? 0;
  }

  putBack(rest: Buffer): void {
    if (rest.length === 0) return;
    this.#waiting.unshift(rest);
    this.bytes += rest.length;
  }

  /** These and all that come. */
  dropAll(): void {
    this.takeAll();
    this.#areDropped = true;
  }
}

/** Throws what the system says where it takes no more. */
function writeEach(lines: WaitingLines, fd: number, files: Files): void {
  for (let line = lines.first; line !== undefined; line = lines.first) {
    const written = files.writeSync(fd, line);
    lines.takeFirst();
    lines.putBack(line.subarray(written));
  }
}

function writeLast(lines: WaitingLines, fd: number, files: Files): void {
  for (let waitedMs = 0; ; waitedMs += PIPE_RETRY_MS) {
    try {
      writeEach(lines, fd, files);
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

/** Standard output, for all of a server that writes to it. */
export function standardOutput(): LogOutput {
  if (shared !== undefined) return shared;
  const pipe = ownPipe();
  const output = pipe === undefined ? logOutput(STANDARD_OUTPUT) : pipeOutput(pipe);
  process.once("exit", () => output.end());
  return (shared = output);
}

/**
 * The pipe behind standard output, opened once more: whether writes to it wait is then this process's alone, where
 * otherwise each that ends sets it back for all that share the pipe. Undefined where it is none, or /proc does not tell.
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

/** A line for whoever started the server, between those of the log. */
export function say(line: string): void {
  standardOutput().write(`${line}\n`);
}
