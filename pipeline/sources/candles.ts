import { dayOfCivil } from "../../quant/calendar.ts";
import { RequestFault } from "./retry.ts";
import type { FetchRange, RawRow, RowFault } from "./source.ts";

/** Start of the day in ms, open, high, low, close, volume in the base coin, as ccxt gives them. */
export type Candle = readonly (number | undefined)[];

/** Requests one page of daily candles from an instant on, oldest first. */
export type CandlePages = (sinceMs: number) => Promise<readonly Candle[]>;

export interface Candles {
  readonly rows: readonly RawRow[];
  readonly faults: readonly RowFault[];
  /** Candles received, wanted or not. */
  readonly received: number;
  readonly fetchedFrom: number;
}

/** Known days that are fetched again, so that revisions of the last days are noticed. */
const OVERLAP_DAYS = 7;
/** The day Mt. Gox opened; no exchange has earlier prices. */
const HISTORY_FROM = dayOfCivil({ year: 2010, month: 7, dayOfMonth: 17 });
/** At 200 days per page, the smallest in use, this covers eighty years. */
const PAGES_MAX = 150;
const DAY_MS = 86_400_000;

/**
 * All daily candles of a market in a range. Before the listing of a coin, exchanges differ: some begin a
 * page at the first candle there is, others send an empty page for that window. Candles after `toDay` are
 * left out, so the current, incomplete day never gets through. Candles of future days are kept: no exchange
 * can know them, and the price rules record them.
 *
 * As long as nothing was sent, the search goes on to today. A coin that was listed after `toDay` then has
 * candles, and one without any is a failure.
 */
export async function fetchCandles(
  pages: CandlePages,
  { fromDay, toDay }: FetchRange,
  { today, pageDays }: { today: number; pageDays: number },
): Promise<Candles> {
  const first = fromDay === null ? HISTORY_FROM : Math.max(HISTORY_FROM, fromDay - OVERLAP_DAYS);
  const candles: Candle[] = [];
  let next = first;
  const isOpen = () => next <= toDay || (candles.length === 0 && first <= toDay && next <= today);
  for (let page = 1; isOpen(); page++) {
    if (page > PAGES_MAX) {
      throw new RequestFault(`more than ${PAGES_MAX} pages`, { retryable: false });
    }
    const got = await confirmed(pages, next * DAY_MS);
    for (const candle of got) candles.push(candle);
    // A candle of a future day must not end the search for earlier ones.
    const days = got.map(([at]) => Math.floor((at ?? NaN) / DAY_MS)).filter((day) => day <= today);
    const step = days.length === 0 ? next + pageDays : Math.max(...days) + 1;
    next = Math.max(next + 1, step); // always advances, whatever the exchange sends
  }
  const rows: RawRow[] = [];
  const faults: RowFault[] = [];
  for (const [index, candle] of candles.entries()) {
    const row = rowOf(candle, index + 1);
    if ("reason" in row) faults.push(row);
    else if (row.day <= toDay || row.day > today) rows.push(row);
  }
  return { rows, faults, received: candles.length, fetchedFrom: first };
}

/**
 * Repeats the request for an empty page and accepts it only if it is empty twice. An empty page moves the
 * search ahead by a whole page, and the library also makes one of an answer in another shape.
 */
async function confirmed(pages: CandlePages, sinceMs: number): Promise<readonly Candle[]> {
  const page = await pages(sinceMs);
  return page.length > 0 ? page : pages(sinceMs);
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
