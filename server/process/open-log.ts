import { pino, type DestinationStream, type Logger } from "pino";
import { standardOutput } from "./log-output.ts";
import type { LogLevel } from "../server-options.ts";

/**
 * Matches a key that a caller put somewhere by mistake: whole or cut short, also percent-encoded as in a URL;
 * and nearly all of a key without its prefix, which anybody could put back.
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
