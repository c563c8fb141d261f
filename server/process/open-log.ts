import { constants, fstatSync, openSync } from "node:fs";
import { pino, type DestinationStream, type Logger } from "pino";
import type { LogLevel } from "./log-level.ts";

/**
 * Matches a key that a caller put somewhere by mistake: whole or cut short, also percent-encoded as in a URL;
 * and nearly all of a key without its prefix, which is easily restored.
 */
const KEYS = /hs(?:_|%5f)(live|test)(?:_|%5f)[0-9a-z%]+|(live|test)(?:_|%5f)[0-9a-z%]{24,}/gi;

/** The text with all keys taken out. */
function withoutKeys(text: string): string {
  return text.replace(KEYS, (_, env?: string, bare?: string) => `hs_${env ?? bare}_...`);
}

export interface LogOptions {
  readonly level: LogLevel;
  /** The program's name, in each line. */
  readonly name?: string;
  /** Which of several processes this is. */
  readonly process?: string | undefined;
  /** Where lines go; standard output by default. */
  readonly stream?: DestinationStream;
}

/** A program's log: one JSON object per line. Keys are taken out of whole lines, however they got there. */
export function openLog(options: LogOptions): Logger {
  const { level, name = "hindsight", process, stream = standardOutput() } = options;
  const log = pino({ name, level, hooks: { streamWrite: withoutKeys } }, stream);
  return process === undefined ? log : log.child({ process });
}

const STANDARD_OUTPUT = 1;
/** Lines beyond this are dropped while the output takes none. */
const WAITING_MAX_BYTES = 16 * 1024 * 1024;
/** How soon a full pipe is tried again. */
const RETRY_MS = 100;
/** How long the end of a program waits for the reader of a full pipe. */
const LAST_LINES_MS = 1000;

let shared: LogDestination | undefined;

function standardOutput(): LogDestination {
  if (shared !== undefined) return shared;
  shared = logDestination(openedAgain(STANDARD_OUTPUT));
  process.once("exit", flushLog);
  return shared;
}

/** Writes what still waits, before the process ends without an "exit" event. */
export function flushLog(): void {
  shared?.flush();
}

interface LogDestination extends DestinationStream {
  flush(): void;
}

/**
 * An open file that a log writes to. While the disk is full, lines wait for the next one that can be written. While a
 * pipe is full they wait for its reader, without stopping the program.
 */
function logDestination(fd: number): LogDestination {
  let waitsUntilMs = 0;
  const destination = pino.destination({
    dest: fd,
    sync: true,
    maxLength: WAITING_MAX_BYTES,
    retryEAGAIN: () => performance.now() < waitsUntilMs, // pauses the program
  });
  const writeWaiting = () => void destination.write("");
  // A log that cannot be written ends nothing else.
  destination.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EAGAIN") setTimeout(writeWaiting, RETRY_MS).unref();
  });
  return {
    write: (line) => void destination.write(line),
    flush() {
      waitsUntilMs = performance.now() + LAST_LINES_MS;
      writeWaiting();
    },
  };
}

/** A pipe is opened a second time: with `O_NONBLOCK`, and for this process alone. It stays as it is without /proc. */
function openedAgain(fd: number): number {
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}
