import { describe, expect, test } from "vitest";
import { dateOfDay, dayOfDate } from "../../../quant/calendar.ts";
import { buyHoldYears } from "../../../quant/outcomes/buy-hold.ts";
import { testBars } from "../../support/real-prices.ts";
import { barsOfCloses } from "./bars-of-closes.ts";

/** Row of the lowest close from `from` on, inclusive; the first one on a tie. */
function lowestAfter(close: Float64Array, from: number): number {
  const later = Array.from(close.subarray(from));
  return from + later.indexOf(Math.min(...later));
}

describe("buyHoldYears", () => {
  const closes = [100, 150, 90, 120, 60, 150, 75, 110];
  const bars = barsOfCloses("2020-12-29", closes);
  const [first, second] = buyHoldYears(bars);

  test("buys at the first close of each year and holds to the last day", () => {
    expect(buyHoldYears(bars)).toHaveLength(2);
    expect(first).toMatchObject({ year: 2020, entryPriceUsd: 100, daysHeld: 7, partial: true });
    expect(second).toMatchObject({ year: 2021, entryPriceUsd: 120, daysHeld: 4, partial: false });
    expect(dateOfDay(second!.entryDay)).toBe("2021-01-01");
    expect(first!.valueOf1000Usd).toBeCloseTo(1100, 10);
    expect(first!.totalReturn).toBeCloseTo(0.1, 12);
    expect(second!.totalReturn).toBeCloseTo(110 / 120 - 1, 12);
  });

  test("returns of calendar years are between last closes, and compound to the whole", () => {
    expect(first!.calendarReturn).toBeCloseTo(90 / 100 - 1, 12);
    expect(second!.calendarReturn).toBeCloseTo(110 / 90 - 1, 12);
    const { close, ...real } = testBars("btc");
    const years = buyHoldYears({ ...real, close });
    const growth = years.reduce((all, { calendarReturn }) => all * (1 + calendarReturn), 1);
    expect(growth).toBeCloseTo(close.at(-1)! / close[0]!, 6);
  });

  test("annualises by actual days over 365", () => {
    expect(first!.cagr).toBeCloseTo(1.1 ** (365 / 7) - 1, 10);
  });

  test("finds peak and drawdown from entry to the end, the first day of equals", () => {
    expect(first!.peakPriceUsd).toBe(150);
    expect(dateOfDay(first!.peakDay)).toBe("2020-12-30");
    expect(first!.peakReturn).toBeCloseTo(0.5, 12);
    expect(first!.maxDrawdown).toBeCloseTo(-0.6, 12);
    expect(dateOfDay(first!.drawdownFromDay!)).toBe("2020-12-30");
    expect(dateOfDay(first!.drawdownToDay!)).toBe("2021-01-02");
    // The price halved twice in the second year: 120 to 60, then 150 to 75. The first fall counts.
    expect(second!.maxDrawdown).toBe(-0.5);
    expect(dateOfDay(second!.drawdownFromDay!)).toBe("2021-01-01");
    expect(dateOfDay(second!.drawdownToDay!)).toBe("2021-01-02");
    expect(dateOfDay(second!.peakDay)).toBe("2021-01-03");
  });

  test("begins at the year's own first close, whatever the one before", () => {
    const [, year] = buyHoldYears(barsOfCloses("2023-12-31", [100, 50, 60, 57]));
    expect(year).toMatchObject({ year: 2024, entryPriceUsd: 50, peakPriceUsd: 60, partial: false });
    expect(year!.maxDrawdown).toBeCloseTo(-0.05, 15);
    expect(dateOfDay(year!.drawdownFromDay!)).toBe("2024-01-02");
  });

  test("has no drawdown days where no close fell below an earlier one", () => {
    const [year] = buyHoldYears(barsOfCloses("2021-01-01", [1, 1, 2, 2, 3]));
    expect(year).toMatchObject({ maxDrawdown: 0, drawdownFromDay: null, drawdownToDay: null });
    expect(year!.peakReturn).toBe(2);
  });

  test("is defined for a single day, except for its annual rate", () => {
    const [year] = buyHoldYears(barsOfCloses("2021-06-05", [40]));
    expect(year).toMatchObject({ year: 2021, daysHeld: 0, totalReturn: 0, partial: true });
    expect(year).toMatchObject({ valueOf1000Usd: 1000, peakReturn: 0, maxDrawdown: 0 });
    expect(year!.cagr).toBeNaN();
  });

  test("has no annual rate beyond float64", () => {
    const [year] = buyHoldYears(barsOfCloses("2021-01-01", [1, 10]));
    expect(year!.totalReturn).toBe(9);
    expect(year!.cagr).toBeNaN();
  });

  test("has no years without bars", () => {
    expect(buyHoldYears(barsOfCloses("2021-01-01", []))).toEqual([]);
  });

  test("marks only a first year as partial", () => {
    const years = buyHoldYears(testBars("btc"));
    expect(years.map(({ partial }) => partial)).toEqual(
      years.map(({ entryDay }, k) => k === 0 && !dateOfDay(entryDay).endsWith("-01-01")),
    );
  });

  test("agrees with the lowest close after every day of a whole coin", () => {
    const { day, close } = testBars("sol");
    const years = buyHoldYears(testBars("sol"));
    const pairs = Array.from(close.keys(), (from) => ({ from, to: lowestAfter(close, from) }));
    for (const year of years) {
      const entry = day.indexOf(dayOfDate(dateOfDay(year.entryDay))!);
      const ratioOf = ({ from, to }: { from: number; to: number }) => close[to]! / close[from]!;
      const deepest = pairs.slice(entry).reduce((a, b) => (ratioOf(b) < ratioOf(a) ? b : a));
      expect(year.maxDrawdown).toBe(ratioOf(deepest) - 1);
      expect(year.drawdownFromDay).toBe(ratioOf(deepest) < 1 ? day[deepest.from] : null);
      expect(year.drawdownToDay).toBe(ratioOf(deepest) < 1 ? day[deepest.to] : null);
      expect(year.peakPriceUsd).toBe(Math.max(...close.subarray(entry)));
      expect(close[day.indexOf(year.peakDay)]).toBe(year.peakPriceUsd);
    }
  });
});
