import { describe, expect, test } from "vitest";
import { dayOfDate } from "../../../quant/calendar.ts";
import { fetchCandles } from "../../../pipeline/sources/candles.ts";
import type { Candle, CandlePages } from "../../../pipeline/sources/candles.ts";
import { span } from "../../support/prices-file-rows.ts";

const TODAY = 20_000;
const DAY_MS = 86_400_000;
const candle = (day: number): Candle => [day * DAY_MS, 10, 12, 9, 11, 5];
const AT = { today: TODAY, pageDays: 300 };

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
  test("skips the empty pages before a listing, and requests each of them twice", async () => {
    const { pages, asked } = windows(span(16_000, TODAY), 300);
    const { rows, fetchedFrom } = await fetchCandles(pages, { fromDay: null, toDay: 19_999 }, AT);
    expect(rows.map(({ day }) => day)).toEqual(span(16_000, 19_999));
    expect(fetchedFrom).toBe(dayOfDate("2010-07-17"));
    expect(asked[0]).toBe(asked[1]);
    expect(asked.at(-1)).toBeLessThanOrEqual(19_999);
  });

  test("skips a gap in the middle of a history", async () => {
    const days = [...span(16_000, 16_100), ...span(17_500, 17_600)];
    const { pages } = windows(days, 300);
    const { rows } = await fetchCandles(pages, { fromDay: null, toDay: 19_999 }, AT);
    expect(rows.map(({ day }) => day)).toEqual(days);
  });

  test("fetches the last known days again, so that a revision is seen", async () => {
    const { pages, asked } = windows(span(16_000, TODAY), 300);
    const range = { fromDay: 19_999, toDay: 19_999 };
    expect(await fetchCandles(pages, range, AT)).toMatchObject({
      fetchedFrom: 19_992,
      received: 9,
    });
    expect(asked).toEqual([19_992]);
  });

  test("requests nothing when every wanted day is long known", async () => {
    const { pages, asked } = windows(span(16_000, TODAY), 300);
    const range = { fromDay: 19_999, toDay: 18_000 };
    expect(await fetchCandles(pages, range, AT)).toMatchObject({ rows: [], received: 0 });
    expect(asked).toEqual([]);
  });

  test("goes on after a candle of a future day", async () => {
    const { pages } = windows(span(16_000, 19_999), 300);
    const odd: CandlePages = async (since) => [...(await pages(since)), candle(TODAY + 500)];
    const { rows } = await fetchCandles(odd, { fromDay: 16_007, toDay: 19_999 }, AT);
    const past = rows.filter(({ day }) => day < TODAY);
    expect(past.map(({ day }) => day)).toEqual(span(16_000, 19_999));
    const future = rows.filter(({ day }) => day > TODAY);
    expect(new Set(future.map(({ day }) => day)), "for the price rules").toEqual(
      new Set([TODAY + 500]),
    );
  });

  test("asks for the newest day where a page ends on the day before it", async () => {
    const { pages, asked } = windows(span(19_000, 19_999), 10);
    const range = { fromDay: 19_996, toDay: 19_999 };
    const { rows } = await fetchCandles(pages, range, { ...AT, pageDays: 10 });
    expect(asked).toEqual([19_989, 19_999]);
    expect(rows.at(-1)!.day).toBe(19_999);
  });

  test("goes over an empty page by the days that a page holds", async () => {
    const { pages, asked } = windows([19_999], 1);
    await fetchCandles(pages, { fromDay: 18_007, toDay: 19_999 }, { ...AT, pageDays: 1000 });
    expect(asked.slice(0, 3)).toEqual([18_000, 18_000, 19_000]);
  });

  test("finds out that a coin was listed after the wanted days", async () => {
    const { pages } = windows(span(19_500, TODAY), 300);
    const { rows, received } = await fetchCandles(pages, { fromDay: null, toDay: 18_000 }, AT);
    expect(rows).toEqual([]);
    expect(received, "without a candle the coin would count as failed").toBeGreaterThan(0);
    const never = windows([], 300);
    expect((await fetchCandles(never.pages, { fromDay: null, toDay: 18_000 }, AT)).received).toBe(
      0,
    );
    expect(Math.max(...never.asked)).toBeLessThanOrEqual(TODAY);
  });

  test("begins no earlier than any exchange did, also behind a very early day", async () => {
    const { pages, asked } = windows([], 300);
    const early = dayOfDate("2010-07-20")!;
    await fetchCandles(pages, { fromDay: early, toDay: early }, AT);
    expect(asked[0]).toBe(dayOfDate("2010-07-17"));
  });

  test("refuses a candle that begins at another hour, and asks on from a midnight", async () => {
    const asked: number[] = [];
    const pages: CandlePages = (sinceMs) => {
      asked.push(sinceMs / DAY_MS);
      return Promise.resolve([
        candle(sinceMs / DAY_MS),
        [(19_995 + 1 / 3) * DAY_MS, 1, 1, 1, 1, 1],
      ]);
    };
    const range = { fromDay: 19_997, toDay: 19_996 };
    const { rows, faults } = await fetchCandles(pages, range, AT);
    expect(asked).toEqual([19_990, 19_996]);
    expect(rows.map(({ day }) => day)).toEqual([19_990, 19_996]);
    const raw = `${(19_995 + 1 / 3) * DAY_MS},1,1,1,1,1`;
    const fault = { day: null, reason: "not_a_utc_day", raw };
    expect(faults).toEqual([2, 4].map((line) => ({ line, ...fault })));
  });

  test("ends, whatever an exchange keeps sending", async () => {
    const asked: number[] = [];
    const stuck: CandlePages = (sinceMs) => {
      asked.push(sinceMs / DAY_MS);
      return Promise.resolve([candle(15_000)]);
    };
    await expect(fetchCandles(stuck, { fromDay: 16_007, toDay: 19_999 }, AT)).rejects.toThrow(
      "more than 150 pages",
    );
    expect(asked, "always onward").toEqual(span(16_000, 16_149));
    asked.length = 0;
    await fetchCandles(stuck, { fromDay: 19_857, toDay: 19_999 }, AT);
    expect(asked, "150 are none too many").toEqual(span(19_850, 19_999));
  });

  test("turns missing values into NaN, which the price rules refuse", async () => {
    const pages: CandlePages = () => Promise.resolve([[19_999 * DAY_MS, 10, undefined, 9, 11]]);
    const { rows } = await fetchCandles(pages, { fromDay: 19_999, toDay: 19_999 }, AT);
    expect(rows).toEqual([
      { day: 19_999, open: 10, high: NaN, low: 9, close: 11, volume: NaN, line: 1 },
    ]);
  });
});
