import { dayOfCivil } from "../../quant/calendar.ts";
import { RequestFault } from "./retry.ts";
import type { FetchRange, RawRow, RowFault } from "./source.ts";

/** Start of the day in ms, open, high, low, close, volume in the base coin, as ccxt gives them. */
export type Candle = readonly (number | undefined)[];

/** Asks for one page of daily candles from an instant on, oldest first. */
export type CandlePages = (sinceMs: number) => Promise<readonly Candle[]>;

export interface Candles {
  readonly rows: readonly RawRow[];
  readonly faults: readonly RowFault[];
  /** Candles that came, wanted or not. */
  readonly received: number;
  readonly fetchedFrom: number;
}

/** Known days that are fetched again, so that a revision of the last days is noticed. */
const OVERLAP_DAYS = 7;
/** No exchange has prices of an earlier day: Mt. Gox opened. */
const HISTORY_FROM = dayOfCivil({ year: 2010, month: 7, dayOfMonth: 17 });
/** At 300 days a page, the smallest in use, over a hundred years. */
const PAGES_MAX = 150;
/** Where a page comes back empty, the next is asked for so much later: the smallest page in use. */
const EMPTY_PAGE_DAYS = 300;
const DAY_MS = 86_400_000;

/**
 * All daily candles of a market in a range. Exchanges differ in what a page before the listing
 * holds: some begin at the first candle there is, others send an empty page for that window.
 * Candles after `toDay` are left out, but for those of the future, which no exchange can know and
 * the price rules record; so the current, incomplete day never gets through.
 */
export async function fetchCandles(
  pages: CandlePages,
  { fromDay, toDay }: FetchRange,
  { today, pageDays }: { today: number; pageDays: number | undefined },
): Promise<Candles> {
  const first = fromDay === null ? HISTORY_FROM : Math.max(HISTORY_FROM, fromDay - OVERLAP_DAYS);
  const candles: Candle[] = [];
  let next = first;
  for (let page = 1; next <= toDay; page++) {
    if (page > PAGES_MAX) {
      throw new RequestFault(`more than ${PAGES_MAX} pages`, { retryable: false });
    }
    const got = await confirmed(pages, next * DAY_MS);
    for (const candle of got) candles.push(candle);
    // A candle of the future must not end the search for those of the past.
    const days = got.map(([at]) => Math.floor((at ?? NaN) / DAY_MS)).filter((day) => day <= today);
    const step = days.length === 0 ? next + (pageDays ?? EMPTY_PAGE_DAYS) : Math.max(...days) + 1;
    next = Math.max(next + 1, step); // always onward, whatever is sent
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
 * An empty page moves the search ahead by a whole page, so it is believed only when it comes twice:
 * the library makes an empty page of an answer in another shape, too.
 */
async function confirmed(pages: CandlePages, sinceMs: number): Promise<readonly Candle[]> {
  const page = await pages(sinceMs);
  return page.length > 0 ? page : pages(sinceMs);
}

/** A daily candle that does not begin at midnight UTC is another exchange's day, not ours. */
function rowOf(candle: Candle, line: number): RawRow | RowFault {
  const [at = NaN, open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] = candle;
  const day = at / DAY_MS;
  if (!Number.isInteger(day)) {
    return { line, day: null, reason: "not_a_utc_day", raw: candle.join(",") };
  }
  return { day, open, high, low, close, volume, line };
}
