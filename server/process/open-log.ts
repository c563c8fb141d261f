import { constants, fstatSync, openSync } from "node:fs";
import { pino, type DestinationStream, type Logger } from "pino";
import type { LogLevel } from "./log-level.ts";

/**
 * Matches a key that a caller put somewhere by mistake, whole or cut short, also percent-encoded as in a URL. It also
 * matches most of a key without its prefix, which anybody could restore.
 */
const KEYS = /hs(?:_|%5f)(live|test)(?:_|%5f)[0-9a-z%]+|(live|test)(?:_|%5f)[0-9a-z%]{24,}/gi;

/** The text without its keys. */
function withoutKeys(text: string): string {
  return text.replace(KEYS, (_, env?: string, bare?: string) => `hs_${env ?? bare}_...`);
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly name?: string;
  /** Which of several processes this is. */
  readonly process?: string | undefined;
  /** Where lines go; standard output by default. */
  readonly stream?: DestinationStream;
}

/** A program's log, one JSON object per line. Keys are removed from the finished lines, however they got there. */
export function openLog(options: LogOptions): Logger {
  const { level, name = "hindsight", process, stream = standardOutput() } = options;
  const log = pino({ name, level, hooks: { streamWrite: withoutKeys } }, stream);
  return process === undefined ? log : log.child({ process });
}

const STANDARD_OUTPUT = 1;
/** While the output is blocked, lines beyond this are dropped. */
const WAITING_MAX_BYTES = 16 * 1024 * 1024;
/** How soon writing to a full pipe is tried again. */
const RETRY_MS = 100;
/** How long a program that ends waits for the reader of a full pipe. */
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
 * An open file that a log writes to. While the disk or a pipe is full, lines wait until one can be written again, and the
 * program goes on.
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

/** Opens a pipe a second time, for this process alone and with `O_NONBLOCK`. Without /proc it stays as it is. */
function openedAgain(fd: number): number {
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}
