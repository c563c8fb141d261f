import { mean, sampleCorrelation, sampleKurtosis } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { dateOfDay, dayOfDate } from "../../../quant/calendar.ts";
import { loadBoard, type Board } from "../../../pipeline/board.ts";
import { applyPriceRules } from "../../../pipeline/price-rules.ts";
import { openDemo } from "../../../pipeline/sources/demo.ts";
import { openSource } from "../../../pipeline/sources/open-source.ts";
import type { RawRow } from "../../../pipeline/price-rules/raw-row.ts";

const BOARD = loadBoard();
const FIRST_DAY = dayOfDate("2017-08-17")!;
const TO_DAY = dayOfDate("2026-11-20")!;

async function market(board: Board = BOARD, seed = 1, toDay = TO_DAY): Promise<RawRow[][]> {
  const source = openDemo(board, seed);
  const coins = await Promise.all(
    board.map((coin) => source.fetch(coin, { fromDay: null, toDay })),
  );
  return coins.map(({ rows }) => [...rows]);
}

const changesOf = (rows: readonly RawRow[]) =>
  rows.slice(1).map(({ close }, index) => Math.log(close / rows[index]!.close));

describe("the demo market", () => {
  test("has the same bytes for the same seed and others for another", async () => {
    expect(await market()).toEqual(await market());
    expect((await market(BOARD, 2))[0]).not.toEqual((await market())[0]);
  });

  test("draws what earlier versions drew, or a run would revise every published day", async () => {
    const source = await openSource("demo", { board: BOARD, now: () => 0 });
    const last = [0, 1, 40, 49].map(async (index) => {
      const { rows } = await source.fetch(BOARD[index]!, { fromDay: null, toDay: TO_DAY });
      const { day, open, high, low, close, volume } = rows.at(-1)!;
      return [dateOfDay(day), open, high, low, close, volume].join(" ");
    });
    expect(await Promise.all(last)).toEqual([
      "2026-11-20 43941 44775 42984 43250 78400.159",
      "2026-11-20 993.91 1007.97 988.23 989.69 641945.58",
      "2024-09-10 85.462 89.159 78.505 81.938 1404314.6",
      "2026-11-20 158.3 159.89 155.62 157.86 263095",
    ]);
  });

  test("never changes a day, however much later it is looked at", async () => {
    const whole = await market();
    for (const cut of ["2017-08-17", "2019-12-31", "2024-09-10", "2026-11-19"]) {
      const early = await market(BOARD, 1, dayOfDate(cut)!);
      for (const [index, rows] of early.entries()) {
        expect(rows).toEqual(whole[index]!.slice(0, rows.length));
        expect(rows.length).toBe(whole[index]!.filter(({ day }) => day <= dayOfDate(cut)!).length);
      }
    }
  });

  test("gives a coin the same days whichever coins are requested, in any order", async () => {
    const source = openDemo(BOARD, 1);
    const range = { fromDay: null, toDay: TO_DAY };
    const late = await source.fetch(BOARD[49]!, range);
    const early = await source.fetch(BOARD[3]!, range);
    const whole = await market();
    expect(late.rows).toEqual(whole[49]);
    expect(early.rows).toEqual(whole[3]);
  });

  test("passes every price rule", async () => {
    const rows = await market();
    for (const [index, coin] of BOARD.entries()) {
      const { quality, bars } = applyPriceRules({
        coin: {
          ticker: coin.ticker,
          rows: rows[index]!,
          faults: [],
          fault: null,
          whole: true,
          fetchedFrom: null,
        },
        horizon: { asOf: TO_DAY, today: TO_DAY + 1 },
      });
      expect(quality).toMatchObject({ rejected: {}, filled: 0, restartedAt: null });
      expect(bars.day.length).toBe(rows[index]!.length);
    }
  });

  test("lists its coins on different days, the first on 2017-08-17, and delists one", async () => {
    const rows = await market();
    const firstDays = rows.map((coin) => coin[0]!.day);
    expect(firstDays[0]).toBe(FIRST_DAY);
    expect(new Set(firstDays).size).toBeGreaterThan(40);
    const ended = rows.filter((coin) => coin.at(-1)!.day < TO_DAY);
    expect(ended.map((coin) => coin.at(-1)!.day)).toEqual([dayOfDate("2024-09-10")]);
    const long = rows.filter((coin) => coin.length >= 930);
    expect(long.length).toBeGreaterThanOrEqual(40); // enough for the dataset's 40 coins
  });

  test("writes prices and volumes with few digits, as exchanges do", async () => {
    const digits = (value: number) =>
      value.toExponential().split("e")[0]!.replace(/[-.]/, "").length;
    const rows = (await market()).flat();
    const most = (values: readonly number[]) =>
      values.reduce((max, value) => Math.max(max, digits(value)), 0);
    expect(most(rows.map(({ open }) => open))).toBeLessThanOrEqual(5);
    expect(most(rows.map(({ volume }) => volume))).toBeLessThanOrEqual(8);
  });

  test("works with a board of one coin and with coins it does not know", async () => {
    const [only] = await market([{ ticker: "x", name: "X", symbol: "X/USDT" }]);
    expect(only![0]!.day).toBe(FIRST_DAY);
    expect(only!.at(-1)!.day).toBe(TO_DAY);
  });

  test("begins where it begins", async () => {
    const source = openDemo(BOARD, 1);
    expect(await source.newestDay(FIRST_DAY - 1)).toBeNull();
    expect(await source.newestDay(TO_DAY)).toBe(TO_DAY);
    expect(source).toMatchObject({ name: "demo", synthetic: true });
  });
});

describe.each([1, 2, 3])("the statistics of seed %d", (seed) => {
  const changes = market(BOARD, seed).then((coins) => coins.map(changesOf));

  test("have fat tails in every coin", async () => {
    for (const coin of await changes) {
      expect(sampleKurtosis(coin) + 3).toBeGreaterThan(4); // the library gives the excess
    }
  });

  test("cluster their volatility", async () => {
    const lagged = (await changes).map((coin) => {
      const squares = coin.map((change) => change * change);
      return sampleCorrelation(squares.slice(1), squares.slice(0, -1));
    });
    expect(mean(lagged)).toBeGreaterThan(0.05);
    // A fat-tailed sample can hide its clustering, so not every single coin has to show it.
    expect(lagged.filter((one) => one > 0).length).toBeGreaterThanOrEqual(45);
  });

  test("share a common factor", async () => {
    const days = 600; // of the coins that reach the last day
    const coins = (await changes)
      .filter((_, index) => index !== 40)
      .map((coin) => coin.slice(-days));
    const pairs = coins.flatMap((one, index) =>
      coins.slice(index + 1).map((other) => sampleCorrelation(one, other)),
    );
    expect(mean(pairs)).toBeGreaterThan(0.4);
    expect(mean(pairs)).toBeLessThan(0.8);
  });

  test("are those of coins in size", async () => {
    const deviations = (await changes).map((coin) => Math.sqrt(mean(coin.map((it) => it * it))));
    expect(mean(deviations)).toBeGreaterThan(0.025);
    expect(mean(deviations)).toBeLessThan(0.065);
  });
});
