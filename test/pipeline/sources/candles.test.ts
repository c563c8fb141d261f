import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayOfDate } from "../../../quant/calendar.ts";
import { fetchCandles as fetchAll } from "../../../pipeline/sources/candles.ts";
import type { Candle, CandlePages } from "../../../pipeline/sources/candles.ts";
import { span } from "../../support/prices-file-rows.ts";

const TODAY = 20_000;
const DAY_MS = 86_400_000;
const candle = (day: number): Candle => [day * DAY_MS, 10, 12, 9, 11, 5];
/** The candles of a range, 300 days a page. */
const fetchCandles = (
  pages: CandlePages,
  range: Parameters<typeof fetchAll>[1],
  pageDays: number = 300,
) => fetchAll({ pages, today: TODAY, pageDays }, range);

/** An exchange that answers each request with only the window of `pageDays` from the instant on. */
function windows(days: readonly number[], pageDays: number) {
  const asked: number[] = [];
  const pages: CandlePages = (sinceMs) => {
    const since = sinceMs / DAY_MS;
    asked.push(since);
    const inWindow = days.filter((day) => day >= since && day < since + pageDays);
    return Promise.resolve(inWindow.map(candle));
  };
  return { pages, asked };
}

describe("fetchCandles", () => {
  test("goes back to the first candle, and asks the days before it in halves", async () => {
    const { pages, asked } = windows(span(19_400, TODAY), 300);
    const { rows, fetchedFrom } = await fetchCandles(pages, { fromDay: null, toDay: 19_999 });
    expect(rows.map(({ day }) => day)).toEqual(span(19_400, 19_999));
    expect(rows.map(({ line }) => line)).toEqual(span(1, 600));
    expect(fetchedFrom).toBe(dayOfDate("2010-07-17"));
    expect(asked).toEqual([19_700, 19_400, 19_100, 19_249]);
  });

  test("skips a gap in the middle of a history", async () => {
    const days = [...span(18_000, 18_300), ...span(18_500, 18_600), ...span(18_700, 18_900)];
    const { pages } = windows(days, 300);
    const { rows } = await fetchCandles(pages, { fromDay: null, toDay: 19_999 });
    expect(rows.map(({ day }) => day)).toEqual(days);
  });

  test("does not look after a whole page without a candle", async () => {
    const { pages, asked } = windows([...span(15_000, 16_000), ...span(19_900, TODAY)], 300);
    const { rows } = await fetchCandles(pages, { fromDay: null, toDay: 19_999 });
    expect(rows.map(({ day }) => day)).toEqual(span(19_900, 19_999));
    expect(Math.min(...asked)).toBe(19_600);
  });

  test("misses none, whatever a page holds and wherever its window ends", async () => {
    const exchange = fc.record({
      listed: fc.integer({ min: 17_000, max: 19_999 }),
      gaps: fc.array(fc.integer({ min: 17_000, max: 19_990 }), { maxLength: 5 }),
      cut: fc.constantFrom<"none" | "oldest" | "newest">("none", "oldest", "newest"),
      page: fc.constantFrom(30, 100, 200, 720),
      looks: fc.constantFrom(100, 300, 500, 5000),
      endsLater: fc.constantFrom(-1, 0, 1),
      beginsEarlier: fc.constantFrom(0, 1),
    });
    await fc.assert(
      fc.asyncProperty(exchange, async ({ listed, gaps, cut, page, looks, ...window }) => {
        const isGap = (day: number) => gaps.some((gap) => day >= gap && day < gap + 9);
        const days = span(listed, TODAY).filter((day) => !isGap(day));
        const pages: CandlePages = (sinceMs, limit) => {
          const from = sinceMs / DAY_MS - window.beginsEarlier;
          const end = sinceMs / DAY_MS + Math.min(limit, looks) + window.endsLater;
          const inWindow = days.filter((day) => day >= from && (cut === "none" || day < end));
          const most = Math.min(limit, page);
          const sent = cut === "newest" ? inWindow.slice(-most) : inWindow.slice(0, most);
          return Promise.resolve(sent.map(candle).filter(([at]) => at! >= sinceMs));
        };
        const { rows } = await fetchCandles(pages, { fromDay: null, toDay: 19_999 });
        expect(rows.map(({ day }) => day)).toEqual(days.filter((day) => day < TODAY));
      }),
      { numRuns: 300 },
    );
  });

  test("fetches the last known days again, so that a revision is seen", async () => {
    const { pages, asked } = windows(span(16_000, TODAY), 300);
    const range = { fromDay: 19_999, toDay: 19_999 };
    const fetched = await fetchCandles(pages, range);
    expect(fetched.rows.map(({ day }) => day)).toEqual(span(19_992, 19_999));
    expect(fetched).toMatchObject({ fetchedFrom: 19_992, received: 10 });
    expect(asked, "and the day before them, which is not used").toEqual([19_991]);
  });

  test("requests nothing when every wanted day is long known", async () => {
    const { pages, asked } = windows(span(16_000, TODAY), 300);
    const range = { fromDay: 19_999, toDay: 18_000 };
    expect(await fetchCandles(pages, range)).toMatchObject({ rows: [], received: 0 });
    expect(asked).toEqual([]);
  });

  test("goes on after candles of future days, and keeps each once", async () => {
    const { pages } = windows(span(16_000, 19_999), 300);
    const odd: CandlePages = async (since, days) => [
      ...(await pages(since, days)),
      candle(TODAY + 1),
      candle(TODAY + 500),
    ];
    const { rows } = await fetchCandles(odd, { fromDay: 16_007, toDay: 19_999 });
    expect(rows.map(({ day }) => day)).toEqual([...span(16_000, 19_999), TODAY + 1, TODAY + 500]);
  });

  test("asks for the newest day where a page ends on the day before it", async () => {
    const { pages, asked } = windows(span(19_000, 19_999), 11);
    const range = { fromDay: 19_996, toDay: 19_999 };
    const { rows } = await fetchCandles(pages, range);
    expect(asked).toEqual([19_988, 19_998]);
    expect(rows.at(-1)!.day).toBe(19_999);
  });

  test("asks twice for newest days that are not sent, and no more", async () => {
    const { pages, asked } = windows(span(19_000, 19_990), 300);
    await fetchCandles(pages, { fromDay: 19_991, toDay: 19_999 });
    expect(asked).toEqual([19_983, 19_990]);
    asked.length = 0;
    const gone = { fromDay: 19_999, toDay: 19_999 };
    expect(await fetchCandles(pages, gone)).toMatchObject({ rows: [], received: 0 });
    expect(asked.slice(0, 2), "the newer half of them is the repetition").toEqual([19_991, 19_995]);
  });

  test("finds out that a coin was listed after the wanted days", async () => {
    const { pages } = windows(span(19_500, TODAY), 300);
    const { rows, received } = await fetchCandles(pages, { fromDay: null, toDay: 18_000 });
    expect(rows).toEqual([]);
    expect(received, "without a candle the coin would count as failed").toBeGreaterThan(0);
    const never = windows([], 300);
    expect((await fetchCandles(never.pages, { fromDay: null, toDay: 18_000 })).received).toBe(0);
    expect(Math.max(...never.asked)).toBeLessThanOrEqual(TODAY);
    expect(never.asked.length).toBeLessThan(100);
  });

  test("begins no earlier than any exchange did, also after a very early day", async () => {
    const { pages, asked } = windows([], 300);
    const early = dayOfDate("2010-07-20")!;
    await fetchCandles(pages, { fromDay: early, toDay: early });
    expect(asked[0], "one day of slack").toBe(dayOfDate("2010-07-16"));
    expect(Math.min(...asked)).toBe(asked[0]);
  });

  test("refuses a candle that begins at another hour", async () => {
    const odd: Candle = [(19_995 + 1 / 3) * DAY_MS, 1, 1, 1, 1, 1];
    const pages: CandlePages = () =>
      Promise.resolve(span(19_990, 19_996).map((day) => (day === 19_995 ? odd : candle(day))));
    const range = { fromDay: 19_997, toDay: 19_996 };
    const { rows, faults } = await fetchCandles(pages, range);
    expect(rows.map(({ day }) => day)).toEqual([...span(19_990, 19_994), 19_996]);
    const raw = `${(19_995 + 1 / 3) * DAY_MS},1,1,1,1,1`;
    expect(faults).toEqual([{ day: null, line: 6, reason: "not_a_utc_day", raw }]);
  });

  test("ends, whatever an exchange keeps sending", async () => {
    const asked: number[] = [];
    const two: CandlePages = (sinceMs) => {
      asked.push(sinceMs / DAY_MS);
      return Promise.resolve([candle(sinceMs / DAY_MS), candle(sinceMs / DAY_MS + 1)]);
    };
    await expect(fetchCandles(two, { fromDay: 16_007, toDay: 19_999 }, 1000)).rejects.toThrow(
      "more than 400 pages",
    );
    expect(asked).toHaveLength(400);
    expect(asked, "always onward").toEqual(
      [...new Set(asked)].toSorted((one, other) => one - other),
    );
    asked.length = 0;
    const range = { fromDay: 19_607, toDay: 19_999 };
    const all = await fetchCandles(two, range, 1000);
    expect(all.rows.map(({ day }) => day)).toEqual(span(19_600, 19_999));
    expect(asked, "400 are none too many").toHaveLength(400);
    const stuck: CandlePages = () => Promise.resolve([candle(15_000)]);
    const { rows } = await fetchCandles(stuck, { fromDay: 16_007, toDay: 19_999 });
    expect(rows).toEqual([]);
  });

  test("turns missing values into NaN, which the price rules refuse", async () => {
    const pages: CandlePages = () => Promise.resolve([[19_999 * DAY_MS, 10, undefined, 9, 11]]);
    const { rows } = await fetchCandles(pages, { fromDay: 19_999, toDay: 19_999 });
    expect(rows).toEqual([
      { day: 19_999, open: 10, high: NaN, low: 9, close: 11, volume: NaN, line: 1 },
    ]);
  });
});
