import { assert, double, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { sliceBars, type Bars } from "../../../quant/bars.ts";
import { dateOfDay } from "../../../quant/calendar.ts";
import { dcaColumns, type DcaColumns } from "../../../quant/outcomes/dca.ts";
import { hasRealPrices, testBars } from "../../support/real-prices.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import { barsOfCloses } from "./bars-of-closes.ts";
import { naivePlan } from "./naive-outcomes.ts";

const FREQUENCIES = ["weekly", "monthly"] as const;

/** One start day's row of the table as an object. */
function rowOf(columns: DcaColumns, row: number): Record<keyof DcaColumns, number> {
  const entries = Object.entries(columns).map(([name, column]) => [name, column[row]]);
  return Object.fromEntries(entries) as Record<keyof DcaColumns, number>;
}

function isNear(got: number, expected: number): boolean {
  if (Object.is(got, expected)) return true;
  return Math.abs(got - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
}

/** How a row of the table differs from the naive schedule of that start day, in words; empty when it does not. */
function differences(bars: Bars, columns: DcaColumns, row: number, frequency: string): string[] {
  const naive = naivePlan(bars, row, frequency);
  const got = rowOf(columns, row);
  const finiteIrr = Number.isFinite(naive.irr) ? naive.irr : NaN;
  const pairs: Record<string, readonly [number, number]> = {
    startDay: [got.startDay, bars.day[row]!],
    purchases: [got.purchases, naive.purchaseDays.length],
    daysUnderWater: [got.daysUnderWater, naive.daysUnderWater],
    worstDay: [got.worstDay, naive.worstDay],
    firstCloseOfUnits: [got.units * bars.close[0]!, naive.units * bars.close[0]!],
    value: [got.value, naive.value],
    // An annual rate from a few days is huge and just as sensitive, so its logarithm is compared.
    irr: [Math.log1p(got.irr), Math.log1p(finiteIrr)],
    worstReturn: [got.worstReturn, naive.worstReturn],
    daysInProfitShare: [got.daysInProfitShare, naive.daysInProfitShare],
    lumpSumValue: [got.lumpSumValue, naive.lumpSumValue],
    lumpSumMaxDrawdown: [got.lumpSumMaxDrawdown, naive.lumpSumMaxDrawdown],
  };
  return Object.entries(pairs)
    .filter(([, [actual, expected]]) => !isNear(actual, expected))
    .map(([name, [actual, expected]]) => {
      return `${frequency} from ${dateOfDay(bars.day[row]!)}: ${name} ${actual}, not ${expected}`;
    });
}

describe("dcaColumns", () => {
  // Purchases of a schedule from the first day: 100, 50 and 200, on rows 0, 7 and 14.
  const closes = [100, 80, 100, 125, 100, 90, 80, 50, 60, 66, 67, 100, 100, 100, 200, 160];
  const bars = barsOfCloses("2024-01-01", closes);

  test("follows a weekly schedule worked by hand", () => {
    const schedule = rowOf(dcaColumns(bars, "weekly"), 0);
    expect(schedule.purchases).toBe(3);
    expect(schedule.units).toBeCloseTo(0.01 + 0.02 + 0.005, 15);
    expect(schedule.value).toBeCloseTo(5.6, 12);
    // Two dollars' 0.03 units at 50 are worth 1.5; before, 0.01 units at 80 were worth 0.8.
    expect(schedule.worstReturn).toBeCloseTo(-0.25, 12);
    expect(dateOfDay(schedule.worstDay)).toBe("2024-01-08");
    // Under water at 80, 90, 80; then below the average cost of 66.67 at 50, 60, 66.
    expect(schedule.daysUnderWater).toBe(6);
    // In profit at 125; at 67 and three times at 100; on both days from the third purchase on.
    expect(schedule.daysInProfitShare).toBeCloseTo(7 / 16, 12);
    // The three dollars grew over 15, 8 and 1 days to 5.6 together.
    const growth = (1 + schedule.irr) ** (1 / 365);
    expect(growth ** 15 + growth ** 8 + growth).toBeCloseTo(5.6, 10);
  });

  test("compares it with the same total at the first close", () => {
    const schedule = rowOf(dcaColumns(bars, "weekly"), 0);
    expect(schedule.lumpSumUnits).toBeCloseTo(0.03, 15);
    expect(schedule.lumpSumValue).toBeCloseTo(4.8, 12);
    expect(schedule.lumpSumCagr).toBeCloseTo(1.6 ** (365 / 15) - 1, 6);
    expect(schedule.lumpSumMaxDrawdown).toBeCloseTo(50 / 125 - 1, 12);
  });

  test("names the first day of its worst return, of equal lows in a week and in two", () => {
    const closes = [8, 4, 6, 4, 8, 8, 8, 8, 8, 4, 4];
    const schedule = rowOf(dcaColumns(barsOfCloses("2024-01-01", closes), "weekly"), 0);
    expect(schedule.worstReturn).toBe(-0.5); // 1/8 at 4 and, after the second purchase, 2/8 at 4 of 2
    expect(dateOfDay(schedule.worstDay)).toBe("2024-01-02");
  });

  test("is even all along where the price never moves", () => {
    // In float64, 1 / 49 * 49 is not 1 and sums of 1 / 0.7 drift: rounding must not look like a loss.
    const cases = FREQUENCIES.flatMap((frequency) =>
      [49, 0.7, 0.000123, 93.1].map((price) => ({ frequency, price })),
    );
    for (const { frequency, price } of cases) {
      const closes = Array<number>(400).fill(price);
      const columns = dcaColumns(barsOfCloses("2023-05-30", closes), frequency);
      expect(Math.max(...columns.daysUnderWater)).toBe(0);
      expect(Math.max(...columns.daysInProfitShare)).toBe(0);
      expect([...columns.worstReturn].every((worst) => worst === 0)).toBe(true);
      expect(columns.worstDay).toEqual(columns.startDay);
      expect(columns.value).toEqual(Float64Array.from(columns.purchases));
      expect(columns.lumpSumValue).toEqual(columns.value);
      expect([...columns.irr.subarray(0, 399)].every((irr) => irr === 0)).toBe(true);
    }
  });

  test("is defined for a single day, except for the annual rates", () => {
    for (const frequency of FREQUENCIES) {
      const schedule = rowOf(dcaColumns(barsOfCloses("2024-02-29", [40]), frequency), 0);
      expect(schedule).toMatchObject({ purchases: 1, units: 0.025, value: 1, worstReturn: 0 });
      expect(schedule).toMatchObject({ daysUnderWater: 0, daysInProfitShare: 0, lumpSumValue: 1 });
      expect(schedule.worstDay).toBe(schedule.startDay);
      expect(schedule.irr).toBeNaN();
      expect(schedule.lumpSumCagr).toBeNaN();
    }
  });

  test("has no rows without bars", () => {
    for (const frequency of FREQUENCIES) {
      const columns = dcaColumns(barsOfCloses("2024-01-01", []), frequency);
      for (const column of Object.values(columns)) expect(column).toHaveLength(0);
    }
  });

  test.each(FREQUENCIES)("%s: every start day agrees with the naive schedule", (frequency) => {
    const coin = testBars(hasRealPrices ? "dot" : "made-up-a");
    for (const history of [madeUpBars({ seed: 7, days: 800 }), coin]) {
      const columns = dcaColumns(history, frequency);
      const rows = Array.from(history.day.keys());
      expect(rows.flatMap((row) => differences(history, columns, row, frequency))).toEqual([]);
    }
  });

  test.each(FREQUENCIES)("%s: a sample of start days of other coins agrees too", (frequency) => {
    const tickers = hasRealPrices ? ["btc", "luna", "icp", "pepe", "xpl", "paxg"] : ["made-up-b"];
    for (const ticker of tickers) {
      const coin = testBars(ticker);
      const columns = dcaColumns(coin, frequency);
      const rows = Array.from(coin.day.keys()).filter(
        (row) => row % 61 === 0 || row > coin.day.length - 10,
      );
      expect(rows.flatMap((row) => differences(coin, columns, row, frequency))).toEqual([]);
    }
  });

  test("a price a power of two higher changes units and nothing else", () => {
    const coin = testBars("sol");
    const higher = { ...coin, close: coin.close.map((price) => price * 1024) };
    for (const frequency of FREQUENCIES) {
      const expected = dcaColumns(coin, frequency);
      const { units, lumpSumUnits, ...others } = dcaColumns(higher, frequency);
      expect(units.map((value) => value * 1024)).toEqual(expected.units);
      expect(lumpSumUnits.map((value) => value * 1024)).toEqual(expected.lumpSumUnits);
      expect({ ...expected, ...others }).toEqual(expected);
    }
  });

  test("any price scale leaves the returns as they are", () => {
    const madeUp = madeUpBars({ seed: 3, days: 500 });
    assert(
      property(double({ min: 1e-9, max: 1e6, noNaN: true }), (scale) => {
        const scaled = { ...madeUp, close: madeUp.close.map((price) => price * scale) };
        for (const frequency of FREQUENCIES) {
          const expected = dcaColumns(madeUp, frequency);
          const got = dcaColumns(scaled, frequency);
          for (let row = 0; row < madeUp.day.length; row += 37) {
            expect(isNear(got.value[row]!, expected.value[row]!)).toBe(true);
            expect(isNear(got.irr[row]!, expected.irr[row]!)).toBe(true);
            expect(isNear(got.worstReturn[row]!, expected.worstReturn[row]!)).toBe(true);
            expect(got.daysUnderWater[row]).toBe(expected.daysUnderWater[row]);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  test("days before the start day change nothing", () => {
    const coin = testBars("eth");
    const cut = sliceBars(coin, 211);
    for (const frequency of FREQUENCIES) {
      const whole = dcaColumns(coin, frequency);
      const got = dcaColumns(cut, frequency);
      for (const [name, column] of Object.entries(got)) {
        expect(column).toEqual(whole[name as keyof DcaColumns].subarray(211));
      }
    }
  });
});
