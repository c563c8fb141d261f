import { dayOfCivil } from "../../quant/calendar.ts";
import { DAY_MS, dayOfInstant } from "./as-of.ts";
import { RequestFault } from "./retry.ts";
import type { RawRow, RowFault } from "../price-rules/raw-row.ts";
import type { FetchRange } from "./source.ts";

/** Start of the day in ms, open, high, low, close, volume in the base coin, as ccxt gives them. */
export type Candle = readonly (number | undefined)[];

/** Requests one page of at most `days` daily candles from an instant on. */
export type CandlePages = (sinceMs: number, days: number) => Promise<readonly Candle[]>;

interface Exchange {
  readonly pages: CandlePages;
  readonly today: number;
  readonly pageDays: number;
}

/** How many known days are fetched again, so that revisions of the last days are noticed. */
export const OVERLAP_DAYS = 7;
/** The day Mt. Gox opened; no exchange has earlier prices. */
const HISTORY_FROM = dayOfCivil({ year: 2010, month: 7, dayOfMonth: 17 });
/** Sixteen years of empty windows of 200 days, each searched in halves, take 90. */
const PAGES_MAX = 400;
/**
 * Requests for a short window include one more day before it and several after it. Some exchanges leave out the first
 * candle, and some count one before the instant, or the one at the window's end, as part of the page.
 */
const SLACK_DAYS = 8;
/** A window without candles is searched in halves down to this length. */
const PIECE_DAYS = 64;

/**
 * All daily candles of a market in a range, from the newest back to the last long gap. Candles after `toDay` are left
 * out, and with them the current, incomplete day. Candles of future days are kept, so that the price rules refuse and
 * record them. `received` counts all candles, wanted or not.
 *
 * If nothing was sent, the days after `toDay` are requested as well: a coin that was listed after `toDay` has candles
 * there, and one without any has failed.
 */
export async function fetchCandles(exchange: Exchange, { fromDay, toDay }: FetchRange) {
  const first = fromDay === null ? HISTORY_FROM : Math.max(HISTORY_FROM, fromDay - OVERLAP_DAYS);
  const search = searchOf(exchange);
  const candles = await search.backwards(first, toDay);
  if (search.received() === 0 && first <= toDay) {
    await search.backwards(toDay + 1, exchange.today);
  }
  const rows: RawRow[] = [];
  const faults: RowFault[] = [];
  for (const [index, candle] of [...candles, ...search.future.values()].entries()) {
    const row = rowOf(candle, index + 1);
    if ("reason" in row) faults.push(row);
    else rows.push(row);
  }
  return { rows, faults, received: search.received(), fetchedFrom: first };
}

/**
 * Requests candles of an exchange in windows of days, from the newest back. Exchanges treat windows with more candles
 * than a page differently: Binance sends the oldest after the start, OKX the newest before the end, Kraken the newest
 * 720 of all whatever the start, and MEXC covers 500 days only. So no answer counts as complete: the days before its
 * oldest candle and after its newest one are requested until nothing comes.
 */
function searchOf({ pages, today, pageDays }: Exchange) {
  let requested = 0;
  let received = 0;
  /** Candles of days that have not begun, by their instant. */
  const future = new Map<number, Candle>();

  /** Requests a window: the number of candles sent, and those of its days. */
  async function page(start: number, end: number): Promise<{ sent: number; wanted: Candle[] }> {
    if (++requested > PAGES_MAX) {
      throw new RequestFault(`more than ${PAGES_MAX} pages`, { retryable: false });
    }
    const days = end - start + 1 + SLACK_DAYS;
    const [since, count] = days > pageDays ? [start, pageDays] : [start - 1, days];
    const candles = await pages(since * DAY_MS, count);
    received += candles.length;
    const past = candles.filter((candle) => dayOf(candle) <= today);
    for (const candle of candles) {
      if (dayOf(candle) > today) future.set(candle[0] ?? NaN, candle);
    }
    const wanted = past.filter((candle) => dayOf(candle) >= start && dayOf(candle) <= end);
    return { sent: past.length, wanted };
  }

  /**
   * Candles of the newest days of a window, up to its end, or none if it has none. An empty page may only mean that
   * the exchange looked at the window's older days; the library also makes an empty page of an answer in another
   * shape. So the newer half is requested, and its newer half, at least once. A page of other days ends this.
   */
  async function inWindow(start: number, end: number): Promise<Candle[]> {
    let days = end - start + 1;
    for (let attempt = 1; ; attempt++) {
      const { sent, wanted } = await page(end - days + 1, end);
      if (wanted.length > 0) {
        const next = Math.max(...wanted.map(dayOf)) + 1;
        return [...wanted, ...(await backwards(next, end))];
      }
      if (sent > 0 || (attempt > 1 && days <= PIECE_DAYS)) return [];
      days = Math.ceil(days / 2);
    }
  }

  /**
   * The candles of the days `first` to `last`, oldest first. Once there are some, a whole window without any before
   * them ends the search: the history starts anew after such a gap (price-rules/history.ts).
   */
  async function backwards(first: number, last: number): Promise<Candle[]> {
    const windows: Candle[][] = []; // newest first
    let end = last;
    while (end >= first) {
      const start = Math.max(first, end - pageDays + 1);
      const candles = await inWindow(start, end);
      if (candles.length > 0) windows.push(candles);
      else if (windows.length > 0) break;
      end = (candles.length > 0 ? Math.min(...candles.map(dayOf)) : start) - 1;
    }
    return windows.toReversed().flat();
  }

  return { backwards, future, received: () => received };
}

/** The day in which a candle begins. */
function dayOf([at = NaN]: Candle): number {
  return dayOfInstant(at);
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
