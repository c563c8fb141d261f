import { DAY_MS, dayOfInstant } from "./as-of.ts";
import { RequestFault } from "./retry.ts";

/** Start of the day in ms, open, high, low, close, volume in the base coin, as ccxt gives them. */
export type Candle = readonly (number | undefined)[];

/** Requests one page of at most `days` daily candles from an instant on. */
export type CandlePages = (sinceMs: number, days: number) => Promise<readonly Candle[]>;

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
 * Requests candles of an exchange in windows of days, from the newest back. Exchanges treat windows with more candles
 * than a page differently: Binance sends the oldest after the start, OKX the
 * newest before the end, Kraken the newest 720 of all whatever the start, and MEXC covers 500 days only.
 * So no answer counts as complete: the days before its oldest candle and after its newest one are requested
 * until nothing comes.
 */
export class CandleSearch {
  readonly #pages: CandlePages;
  readonly #today: number;
  readonly #pageDays: number;
  #asked = 0;
  /** Candles received, wanted or not. */
  received = 0;
  /** Candles of days that have not begun, by their instant. */
  readonly future = new Map<number, Candle>();

  constructor(pages: CandlePages, { today, pageDays }: { today: number; pageDays: number }) {
    this.#pages = pages;
    this.#today = today;
    this.#pageDays = pageDays;
  }

  /**
   * The candles of the days `first` to `last`, oldest first. Once there are some, a whole window without any
   * before them ends the search: the history starts anew after such a gap (price-rules/history.ts).
   */
  async backwards(first: number, last: number): Promise<Candle[]> {
    const windows: Candle[][] = []; // newest first
    let end = last;
    while (end >= first) {
      const start = Math.max(first, end - this.#pageDays + 1);
      const candles = await this.#inWindow(start, end);
      if (candles.length > 0) windows.push(candles);
      else if (windows.length > 0) break;
      end = (candles.length > 0 ? Math.min(...candles.map(dayOf)) : start) - 1;
    }
    return windows.toReversed().flat();
  }

  /**
   * Candles of the newest days of a window, up to its end, or none if it has none. An empty page may only mean
   * that the exchange looked at the window's older days; the library also makes an empty page of an answer in another
   * shape. So the newer half is requested, and its newer half, at least once. A page of other days ends this.
   */
  async #inWindow(start: number, end: number): Promise<Candle[]> {
    let days = end - start + 1;
    for (let attempt = 1; ; attempt++) {
      const { sent, wanted } = await this.#page(end - days + 1, end);
      if (wanted.length > 0) {
        const next = Math.max(...wanted.map(dayOf)) + 1;
        return [...wanted, ...(await this.backwards(next, end))];
      }
      if (sent > 0 || (attempt > 1 && days <= PIECE_DAYS)) return [];
      days = Math.ceil(days / 2);
    }
  }

  /** Requests a window: the number of candles sent, and those of its days. */
  async #page(start: number, end: number): Promise<{ sent: number; wanted: Candle[] }> {
    if (++this.#asked > PAGES_MAX) {
      throw new RequestFault(`more than ${PAGES_MAX} pages`, { retryable: false });
    }
    const wantedDays = end - start + 1;
    const [since, days] =
      wantedDays + SLACK_DAYS > this.#pageDays
        ? [start, this.#pageDays]
        : [start - 1, wantedDays + SLACK_DAYS];
    const page = await this.#pages(since * DAY_MS, days);
    this.received += page.length;
    const past = page.filter((candle) => dayOf(candle) <= this.#today);
    for (const candle of page) {
      if (dayOf(candle) > this.#today) this.future.set(candle[0] ?? NaN, candle);
    }
    const wanted = past.filter((candle) => dayOf(candle) >= start && dayOf(candle) <= end);
    return { sent: past.length, wanted };
  }
}

/** The day in which a candle begins. */
function dayOf([at = NaN]: Candle): number {
  return dayOfInstant(at);
}
