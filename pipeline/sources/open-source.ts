import type { Board } from "../board.ts";
import { openCsv } from "./csv.ts";
import { openDemo } from "./demo.ts";
import { InputError } from "./input-error.ts";
import type { PriceSource } from "./source.ts";

/** What every source may need. */
interface SourceOptions {
  readonly board: Board;
  /** The clock: milliseconds since 1970. */
  readonly now: () => number;
  /** A clock that is never set, for pauses between requests. */
  readonly elapsedMs?: () => number;
  /** Base address that replaces the exchange's own: a mirror, a proxy, a test. */
  readonly exchangeUrl?: string | undefined;
  /** Keep the last row of a csv file that ends before the others. */
  readonly keepLastRows?: boolean | undefined;
  /** Called about waits and retries, for the log. */
  readonly onNotice?: (message: string) => void;
}

const DEMO_SEED = 1;

/** Opens `demo`, `csv:DIR` or `exchange:NAME`. Throws InputError when the source can serve no coin of the board. */
export async function openSource(spec: string, options: SourceOptions): Promise<PriceSource> {
  const { board } = options;
  const colon = spec.indexOf(":");
  const kind = colon === -1 ? spec : spec.slice(0, colon);
  const detail = colon === -1 ? "" : spec.slice(colon + 1);
  if (spec === "demo") return openDemo(board, DEMO_SEED);
  if (kind === "csv") {
    return openCsv(detail, board, { keepLastRows: options.keepLastRows, now: options.now });
  }
  if (kind === "exchange") {
    // Loaded on demand: the exchange library takes most of a second.
    const { openExchange } = await import("./exchange.ts");
    return openExchange(detail, options);
  }
  throw new InputError(`source: expected demo, csv:DIR or exchange:NAME, got "${spec}"`);
}
