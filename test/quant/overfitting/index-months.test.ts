import { describe, expect, test } from "vitest";
import { sliceBars } from "../../../quant/bars.ts";
import { dayOfDate } from "../../../quant/calendar.ts";
import { monthOfText, monthText } from "../../../quant/month.ts";
import { indexCoins, indexMonths } from "../../../quant/overfitting/index-months.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

/** 2020-01-01 to 2023-12-31. */
const BARS = madeUpBars({ seed: 2, days: 1461 });
const month = (text: string) => monthOfText(text)!;

/** A coin listed on one day, with a history up to and including another. */
function coin(name: string, listed = "2020-01-01", last = "2023-12-31") {
  const row = (date: string) => dayOfDate(date)! - BARS.day[0]!;
  return { coin: name, bars: sliceBars(BARS, row(listed), row(last) + 1) };
}

describe("indexCoins", () => {
  test("needs 200 days of warm-up and 1,095 more up to the month's last day", () => {
    // 2023-07-31 is row 1,307 of the history: 13 more rows than needed.
    const names = (board: ReturnType<typeof coin>[], text: string) =>
      indexCoins(board, month(text)).map((one) => one.coin);
    expect(
      names([coin("first"), coin("13th", "2020-01-14"), coin("14th", "2020-01-15")], "2023-07"),
    ).toEqual(["first", "13th"]);
    expect(names([coin("first")], "2023-06")).toEqual([]);
  });

  test("cuts each history at the month's last day", () => {
    const [one] = indexCoins([coin("a")], month("2023-08"));
    expect(one!.bars.day.at(-1)).toBe(dayOfDate("2023-08-31"));
  });

  test("leaves out a coin that does not reach the month's last day", () => {
    expect(indexCoins([coin("ended", "2020-01-01", "2023-08-30")], month("2023-08"))).toEqual([]);
    expect(indexCoins([coin("ends", "2020-01-01", "2023-08-31")], month("2023-08"))).toHaveLength(
      1,
    );
  });
});

describe("indexMonths", () => {
  const board = Array.from({ length: 10 }, (_, k) => coin(`coin-${k}`));

  test("are those with at least 10 coins, up to the last complete one", () => {
    expect(indexMonths(board, month("2023-11")).map(monthText)).toEqual([
      "2023-07",
      "2023-08",
      "2023-09",
      "2023-10",
      "2023-11",
    ]);
    expect(indexMonths(board.slice(1), month("2023-11"))).toEqual([]);
    expect(indexMonths([], month("2023-11"))).toEqual([]);
  });

  test("begin with the month on whose last day the coins are old enough", () => {
    const old = Array.from({ length: 10 }, (_, k) => coin(`coin-${k}`, "2020-01-14"));
    expect(indexMonths(old, month("2023-07")).map(monthText)).toEqual(["2023-07"]);
  });

  test("do not depend on coins that came or went later", () => {
    const [late, ended] = [coin("late", "2023-01-01"), coin("ended", "2020-01-01", "2021-01-01")];
    const none = { coin: "no price", bars: sliceBars(BARS, 0, 0) };
    for (const longer of [
      [late, none, ...board, ended],
      [ended, ...board, none, late],
    ]) {
      expect(indexMonths(longer, month("2023-11"))).toEqual(indexMonths(board, month("2023-11")));
    }
  });
});
