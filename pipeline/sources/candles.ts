import { dayOfCivil } from "../../quant/calendar.ts";
import { DAY_MS } from "./as-of.ts";
import { CandleSearch } from "./candle-search.ts";
import type { Candle, CandlePages } from "./candle-search.ts";
import type { RawRow, RowFault } from "../price-rules/raw-row.ts";
import type { FetchRange } from "./source.ts";

interface Candles {
  readonly rows: readonly RawRow[];
  readonly faults: readonly RowFault[];
  /** Candles received, wanted or not. */
  readonly received: number;
  readonly fetchedFrom: number;
}

/** How many known days are fetched again, so that revisions of the last days are noticed. */
export const OVERLAP_DAYS = 7;
/** The day Mt. Gox opened; no exchange has earlier prices. */
const HISTORY_FROM = dayOfCivil({ year: 2010, month: 7, dayOfMonth: 17 });

/**
 * All daily candles of a market in a range, from the newest back to the last long gap. Candles
 * after `toDay` are left out, and with them the current, incomplete day. Candles of future days are
 * kept, so that the price rules refuse and record them.
 *
 * If nothing was sent, the days after `toDay` are requested as well: a coin that was listed after `toDay`
 * has candles there, and one without any has failed.
 */
export async function fetchCandles(
  pages: CandlePages,
  { fromDay, toDay }: FetchRange,
  { today, pageDays }: { today: number; pageDays: number },
): Promise<Candles> {
  const first = fromDay === null ? HISTORY_FROM : Math.max(HISTORY_FROM, fromDay - OVERLAP_DAYS);
  const search = new CandleSearch(pages, { today, pageDays });
  const candles = await search.backwards(first, toDay);
  if (search.received === 0 && first <= toDay) await search.backwards(toDay + 1, today);
  const rows: RawRow[] = [];
  const faults: RowFault[] = [];
  for (const [index, candle] of [...candles, ...search.future.values()].entries()) {
    const row = rowOf(candle, index + 1);
    if ("reason" in row) faults.push(row);
    else rows.push(row);
  }
  return { rows, faults, received: search.received, fetchedFrom: first };
}

/** A daily candle that does not begin at midnight UTC covers another day than ours. */
function rowOf(candle: Candle, line: number): RawRow | RowFault {
  const [at = NaN, open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] = candle;
  const day = at / DAY_MS;
  if (!Number.isInteger(day)) {
    return { line, day: null, reason: "not_a_utc_day", raw: candle.join(",") };
  }
  return { day, open, high, low, close, volume, line };
}
