import { pino, type DestinationStream, type Logger } from "pino";
import { standardOutput } from "./log-output.ts";
import type { LogLevel } from "./server-options.ts";

/**
 * A key wherever a caller put it by mistake, whole or cut short, and as an address writes it; and nearly all of one, without the
 * prefix that anybody could put before it again.
 */
const KEYS = /hs(?:_|%5f)(live|test)(?:_|%5f)[0-9a-z%]+|(live|test)(?:_|%5f)[0-9a-z%]{24,}/gi;

/** A text with no key in it. */
export function withoutKeys(text: string): string {
  return text.replace(KEYS, (_, env?: string, bare?: string) => `hs_${env ?? bare}_...`);
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Of the program, in each line. */
  readonly name?: string;
  /** Which of several processes this is. */
  readonly process?: string | undefined;
  /** Where lines go: standard output, where nothing is said. */
  readonly stream?: DestinationStream;
}

/** The log of a program: one JSON object a line. Keys are taken out of whole lines, whatever brought them there. */
export function openLog(options: LogOptions): Logger {
  const { level, name = "hindsight", process, stream = standardOutput() } = options;
  const log = pino({ name, level, hooks: { streamWrite: withoutKeys } }, stream);
  return process === undefined ? log : log.child({ process });
}
