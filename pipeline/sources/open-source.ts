import type { Board } from "../board.ts";
import { InputError } from "./input-error.ts";
import type { PriceSource } from "./source.ts";

/** What a source is given by the program that wires it. */
export interface SourceOptions {
  readonly board: Board;
  /** The clock: milliseconds since 1970. */
  readonly now: () => number;
  /** Seed of the demo market and of the jitter between retries. */
  readonly seed?: number;
  /** Base address that replaces the exchange's own: a mirror, a proxy, a test. */
  readonly exchangeUrl?: string | undefined;
  /** Told of waits and retries, for the log. */
  readonly onNotice?: (message: string) => void;
}

/** Opens `demo`, `csv:DIR` or `exchange:NAME`. Throws InputError when it can serve no board coin. */
export async function openSource(_spec: string, _options: SourceOptions): Promise<PriceSource> {
  throw new InputError("in work");
}
