import { constants, fstatSync, openSync } from "node:fs";
import { pino, type DestinationStream, type Logger } from "pino";
import type { LogLevel } from "./log-level.ts";

/**
 * Matches a key that a caller put somewhere by mistake: whole or cut short, also percent-encoded as in a URL;
 * and nearly all of a key without its prefix, which is easily restored.
 */
const KEYS = /hs(?:_|%5f)(live|test)(?:_|%5f)[0-9a-z%]+|(live|test)(?:_|%5f)[0-9a-z%]{24,}/gi;

/** The text with all keys taken out. */
export function withoutKeys(text: string): string {
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

let shared: LogDestination | undefined;

function standardOutput(): LogDestination {
  return (shared ??= logDestination(STANDARD_OUTPUT));
}

/** Writes what still waits, before the process ends without an "exit" event. */
export function flushLog(): void {
  shared?.flush();
}

interface LogDestination extends DestinationStream {
  flush(): void;
}

/**
 * An open file that a log writes to. While the disk is full, lines wait for the next one that can be written. A pipe is
 * written to off the event loop and never waited for, so that a reader that stops does not stop the program.
 */
export function logDestination(fd: number): LogDestination {
  const isPipe = fstatSync(fd).isFIFO();
  let ending = false;
  const destination = pino.destination({
    dest: isPipe ? withoutWaiting(fd) : fd,
    sync: !isPipe,
    maxLength: WAITING_MAX_BYTES,
    // Otherwise a synchronous destination pauses the program until there is room.
    retryEAGAIN: () => isPipe && !ending,
  });
  destination.on("error", () => {}); // a log that cannot be written ends nothing else
  return {
    write: (line) => void (ending || destination.write(line)),
    flush() {
      if (!isPipe) return;
      ending = true;
      try {
        destination.flushSync();
      } catch {
        destination.destroy(); // the pipe is full, and nothing reads it
      }
    },
  };
}

/** The same pipe, opened so that a write to it fails while it is full; a blocked one would keep the process alive. */
function withoutWaiting(fd: number): number {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd; // not Linux, or a pipe of another user
  }
}
