import { describe, expect, test } from "vitest";
import { newestMonth } from "../../pipeline/newest-month.ts";
import type { IngestedCoin } from "../../pipeline/stages/stage.ts";
import { applyPriceRules } from "../../pipeline/price-rules.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { monthOfText, monthText } from "../../quant/month.ts";
import { DATASET, datasetBlock } from "../../snapshots/tables/dataset.ts";
import { rawRows, sourceCoin, span } from "../support/prices-file-rows.ts";

/** The last day of the month, and two days later: a coin that ends the day before it is then stale. */
const END = dayOfDate("2023-08-31")!;
/** The days a coin needs up to that day: 200 of warm-up and 730 of the dataset. */
const OLD = 930;

/** A coin with that many days up to the month's end, but whose prices end on `lastDay`. */
function coin(ticker: string, lastDay: number, { asOf = END, days = OLD } = {}): IngestedCoin {
  const rows = lastDay < 0 ? [] : rawRows(...span(END - days + 1, lastDay));
  const clean = applyPriceRules({ coin: sourceCoin(rows), horizon: { asOf, today: null } });
  return { board: { ticker, name: ticker, symbol: "X/USDT" }, clean };
}

/** The newest month of a run whose snapshots hold the datasets of these months, and the run's notices. */
async function found(asOf: number, coins: readonly IngestedCoin[], published: readonly string[]) {
  const notices: string[] = [];
  const month = await newestMonth(asOf, {
    coins,
    previous: {
      async *tables(wanted) {
        expect(wanted).toEqual([DATASET]);
        for (const text of published) {
          const block = datasetBlock({ month: monthOfText(text)!, catalogue: "" }, [], 0);
          yield new Map([[DATASET, [block]]]);
        }
        yield new Map(); // of a version without this table
      },
    },
    notice: (text) => notices.push(text),
  });
  return { month: monthText(month), notices };
}

const AUGUST = { month: "2023-08", notices: [] };
const WAITING = (coins: string) => ({
  month: "2023-07",
  notices: [
    `index and dataset of 2023-08 wait for 2023-08-31 of ${coins}, at most until the run of 2023-09-02`,
  ],
});

describe("newestMonth", () => {
  test("is the last complete month, and waits for the coins without its last day", async () => {
    const [late, later, inTime] = [coin("a", END - 1), coin("b", END - 2), coin("c", END)];
    expect(await found(END, [inTime], ["2023-07"])).toEqual(AUGUST);
    expect(await found(END, [late, inTime, later], ["2023-07"])).toEqual(WAITING("a, b"));
    expect((await found(END - 1, [late, inTime], ["2023-06"])).month).toBe("2023-07");
  });

  test("waits for no coin that is stale, has no price, or is a day too young", async () => {
    expect(await found(END, [coin("a", END - 3)], ["2023-07"])).toEqual(AUGUST);
    expect(await found(END, [coin("a", -1)], ["2023-07"])).toEqual(AUGUST);
    const young = coin("a", END - 1, { days: OLD - 1 });
    expect(await found(END, [young], ["2023-07"])).toEqual(AUGUST);
  });

  test("goes by the run's as_of: a coin may be late for the month and not stale", async () => {
    for (const [asOf, awaited] of [
      [END + 1, true],
      [END + 2, false],
    ] as const) {
      const late = coin("a", END - 1, { asOf });
      const expected = awaited ? WAITING("a") : AUGUST;
      expect(await found(asOf, [late], ["2023-07"])).toEqual(expected);
    }
  });

  test("does not wait in a first run, nor where a snapshot has the month already", async () => {
    const late = [coin("a", END - 1)];
    expect(await found(END, late, [])).toEqual(AUGUST);
    expect(await found(END, late, ["2023-08"])).toEqual(AUGUST);
    expect(await found(END, late, ["2023-09"])).toEqual(AUGUST);
  });

  test("looks at every snapshot: after a run that went back in time the current one is not the newest", async () => {
    const late = [coin("a", END - 1)];
    expect(await found(END, late, ["2023-06", "2023-08", "2023-07"])).toEqual(AUGUST);
    expect(await found(END, late, ["2023-06", "2023-07"])).toEqual(WAITING("a"));
  });
});
