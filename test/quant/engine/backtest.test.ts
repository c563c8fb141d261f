import { describe, expect, test } from "vitest";
import type { Bars } from "../../../quant/bars.ts";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { DEFAULT_COSTS, NO_COSTS } from "../../../quant/engine/costs.ts";
import { feesPaid, positionDaysWithin, tradesWithin } from "../../../quant/engine/run-counts.ts";
import { dayReturns } from "../../../quant/engine/day-returns.ts";
import { createRunBuffer, simulate } from "../../../quant/engine/simulate.ts";
import { holdReturns } from "../../../quant/engine/hold.ts";
import { barsOf, flagsOfLetters } from "../../support/engine-bars.ts";
import { testBars, testTickers } from "../../support/real-prices.ts";

const TICKER = testTickers().includes("btc") ? "btc" : testTickers()[0]!;
const BARS = testBars(TICKER);
const DAYS = BARS.day.length;
const whole = (bars: Bars) => ({ from: 0, to: bars.day.length });

/** Flags of a rule that trades often, derived from the bars themselves. */
function busyFlags(bars: Bars): Uint8Array {
  return Uint8Array.from(bars.close, (close, row) => (close > bars.open[row]! ? 1 : 2));
}

describe("a hand-worked run: 10,000 dollars, two trades, 0.10 % fee, 0.05 % slippage", () => {
  const bars = barsOf([100, 100, 120, 110, 100, 80], [100, 110, 115, 105, 90, 99]);
  const job = {
    bars,
    flags: flagsOfLetters("E.XE.."),
    window: whole(bars),
    startingCash: 10_000,
  };
  const result = runBacktest({ ...job, costs: { feeRate: 0.001, slippageRate: 0.0005 } });

  test("are the costs of every run that names none", () => {
    expect(runBacktest(job)).toEqual(result);
  });

  // Bought on day 1 at 100 x 1.0005 = 100.05; 10,000 / (100.05 x 1.001) = 99.85016... units.
  // Sold on day 3 at 110 x 0.9995 = 109.945, less 0.1 %: 109.835055 a unit = 10,967.05 dollars.
  // Bought on day 4 at 100.05: 10,967.05 / 100.15005 = 109.506... units, open at the last close of 99.
  test("fills, units and fees", () => {
    const [first, second] = result.trades;
    expect(first!.entryPrice).toBeCloseTo(100.05, 12);
    expect(first!.exitPrice).toBeCloseTo(109.945, 12);
    expect(first!.units).toBeCloseTo(99.85017481269357, 9);
    expect(first!.fees).toBeCloseTo(9.99000999000999 + 10.978027469781594, 9);
    expect(first!.profit.toFixed(2)).toBe("967.05");
    expect(first!.return).toBeCloseTo(109.835055 / 100.15005 - 1, 14);
    expect(second!.units.toFixed(6)).toBe("109.506180");
    expect(second!.fees.toFixed(2)).toBe("10.96");
    expect(result.fees.toFixed(2)).toBe("31.92");
  });

  test("equity at each close, to the cent", () => {
    const cents = Array.from(result.equity, (dollars) => dollars.toFixed(2));
    expect(cents).toEqual(["10000.00", "10983.52", "11482.77", "10967.05", "9855.56", "10841.11"]);
  });

  test("days and state of the trades", () => {
    const [first, second] = result.trades;
    expect(first).toMatchObject({ entryDay: 20_001, exitDay: 20_003, days: 2, open: false });
    expect(second).toMatchObject({ entryDay: 20_004, exitDay: null, exitPrice: null, open: true });
    expect(second!.days).toBe(2);
    expect(second!.return).toBeCloseTo(99 / 100.15005 - 1, 14);
    expect(result.exposure).toBe(4 / 6);
    expect(result.finalEquity).toBe(result.equity[5]);
  });

  test("the trade figures count closed trades only", () => {
    expect(result.tradeStatistics).toMatchObject({ trades: 2, closedTrades: 1, winRate: 1 });
    expect(result.tradeStatistics.profitFactor).toBeNaN();
    expect(result.tradeStatistics.expectancy).toBe(result.trades[0]!.return);
    expect(result.tradeStatistics.averageDays).toBe(2);
  });

  test("drawdown is against the highest equity so far", () => {
    expect(result.drawdown[2]).toBe(0);
    expect(result.drawdown[4]).toBeCloseTo(9855.557 / 11482.77 - 1, 6);
    expect(result.statistics.maxDrawdown).toBe(Math.min(...result.drawdown));
  });
});

describe("trade statistics", () => {
  test.each([100, 1])("two winners, a loser and an even trade of %d dollars, by hand", (cash) => {
    const prices = [10, 10, 12, 12, 9, 9, 9, 10, 15, 15];
    const bars = barsOf(prices, prices);
    const job = { bars, window: whole(bars), startingCash: cash, costs: NO_COSTS };
    // 10 -> 12 (+20 %), 12 -> 9 (-25 %), 9 -> 9 (0), 10 -> 15 (+50 %)
    const { trades, tradeStatistics: figures } = runBacktest({
      ...job,
      flags: flagsOfLetters("EXEXEXEX.."),
    });
    expect(trades.map((trade) => Math.round(trade.return * 100))).toEqual([20, -25, 0, 50]);
    expect(figures.winRate).toBe(0.5);
    expect(figures.profitFactor).toBeCloseTo((20 + 45) / 30, 12);
    expect(figures.expectancy).toBeCloseTo(0.1125, 12);
    expect(figures.best).toBeCloseTo(0.5, 12);
    expect(figures.worst).toBeCloseTo(-0.25, 12);
    expect(figures.averageDays).toBe(1);
  });

  test("have no value without a closed trade", () => {
    const bars = barsOf([10, 10, 12], [10, 11, 12]);
    const job = { bars, window: whole(bars), startingCash: 100 };
    for (const letters of ["...", "E.."]) {
      const figures = runBacktest({ ...job, flags: flagsOfLetters(letters) }).tradeStatistics;
      const { winRate, profitFactor, expectancy, best, worst, averageDays } = figures;
      expect([winRate, profitFactor, expectancy, best, worst, averageDays]).toEqual(
        Array(6).fill(NaN),
      );
    }
  });
});

describe("runBacktest", () => {
  test("always long without costs is buy-and-hold from the second day's open", () => {
    const result = runBacktest({
      bars: BARS,
      flags: new Uint8Array(DAYS).fill(1),
      window: whole(BARS),
      startingCash: 10_000,
      costs: NO_COSTS,
    });
    expect(result.equity[0]).toBe(10_000);
    for (let row = 1; row < DAYS; row++) {
      const held = (10_000 * BARS.close[row]!) / BARS.open[1]!;
      expect(Math.abs(result.equity[row]! / held - 1)).toBeLessThan(1e-12);
    }
    const hold = holdReturns(BARS, { from: 1, to: DAYS });
    expect(result.returns.subarray(1)).toEqual(hold);
  });

  test("equity is cash or units times close", () => {
    const { equity, trades, finalEquity } = runBacktest({
      bars: BARS,
      flags: busyFlags(BARS),
      window: whole(BARS),
      startingCash: 10_000,
    });
    expect(trades.length).toBeGreaterThan(100);
    for (const trade of trades) {
      const lastHeld = trade.entryDay - BARS.day[0]! + trade.days - 1;
      expect(equity[lastHeld]! / (trade.units * BARS.close[lastHeld]!)).toBeCloseTo(1, 12);
    }
    const profits = trades.reduce((total, trade) => total + trade.profit, 0);
    expect(finalEquity / (10_000 + profits)).toBeCloseTo(1, 11);
  });

  test("returns and ratios do not depend on the starting cash, money scales with it", () => {
    const job = { bars: BARS, flags: busyFlags(BARS), window: whole(BARS) };
    const small = runBacktest({ ...job, startingCash: 1 });
    const large = runBacktest({ ...job, startingCash: 1_000_000 });
    expect(large.returns).toEqual(small.returns);
    expect(large.statistics).toEqual(small.statistics);
    expect(large.finalEquity / small.finalEquity).toBeCloseTo(1_000_000, 6);
    expect(large.fees / small.fees).toBeCloseTo(1_000_000, 6);
    const { winRate, profitFactor, ...others } = small.tradeStatistics; // of profits below a dollar
    expect(large.tradeStatistics).toMatchObject(others);
    expect(large.tradeStatistics.winRate).toBe(winRate);
    expect(large.tradeStatistics.profitFactor / profitFactor).toBeCloseTo(1, 12);
  });

  test("moving the calendar moves the dates and nothing else", () => {
    const job = { flags: busyFlags(BARS), window: { from: 50, to: 400 }, startingCash: 1 };
    const later = { ...BARS, day: BARS.day.map((day) => day + 1) };
    const plain = runBacktest({ ...job, bars: BARS });
    const moved = runBacktest({ ...job, bars: later });
    expect(moved.equity).toEqual(plain.equity);
    expect(plain.days).toEqual(BARS.day.slice(50, 400));
    expect(moved.days[0]).toBe(plain.days[0]! + 1);
    expect(moved.trades.map((trade) => trade.entryDay - 1)).toEqual(
      plain.trades.map((trade) => trade.entryDay),
    );
  });

  test("the fees of the run are the fees of its trades", () => {
    const job = { bars: BARS, window: { from: 30, to: DAYS - 7 }, startingCash: 10_000 };
    const { fees, trades } = runBacktest({ ...job, flags: busyFlags(BARS) });
    const ofTrades = trades.reduce((total, trade) => total + trade.fees, 0);
    expect(fees / ofTrades).toBeCloseTo(1, 12);
  });

  test("is defined for histories of 0, 1 and 2 days", () => {
    for (const days of [0, 1, 2]) {
      const bars = barsOf([10, 11].slice(0, days), [11, 12].slice(0, days));
      const flags = new Uint8Array(days).fill(1);
      const result = runBacktest({ bars, flags, window: whole(bars), startingCash: 50 });
      expect(result.equity).toHaveLength(days);
      expect(result.trades).toHaveLength(days === 2 ? 1 : 0);
      expect(result.statistics.sharpe).toSatisfy(days === 2 ? Number.isFinite : Number.isNaN);
      expect(result.finalEquity).toBe(result.equity[days - 1] ?? 50);
    }
  });

  test.each([0, -1, NaN, Infinity])("refuses a starting cash of %d", (startingCash) => {
    const job = { bars: BARS, flags: busyFlags(BARS), window: whole(BARS), startingCash };
    expect(() => runBacktest(job)).toThrow(RangeError);
  });

  test("refuses a window outside the history", () => {
    const job = { bars: BARS, flags: busyFlags(BARS), startingCash: 1 };
    expect(() => runBacktest({ ...job, window: { from: 0, to: DAYS + 1 } })).toThrow(RangeError);
  });

  test("refuses flags of another length and costs outside [0, 1)", () => {
    const job = { bars: BARS, flags: busyFlags(BARS), window: whole(BARS), startingCash: 1 };
    expect(() => runBacktest({ ...job, flags: new Uint8Array(3) })).toThrow(RangeError);
    for (const feeRate of [-0.1, 1, NaN]) {
      expect(() => runBacktest({ ...job, costs: { ...DEFAULT_COSTS, feeRate } })).toThrow(
        RangeError,
      );
    }
  });
});

describe("figures of a run from fills and returns alone", () => {
  const window = { from: 0, to: DAYS };
  const run = createRunBuffer(DAYS);
  simulate(busyFlags(BARS), dayReturns(BARS, DEFAULT_COSTS), window, run);

  test("slices add up to the whole", () => {
    const cut = Math.floor(DAYS * 0.7);
    const parts = [
      { from: 0, to: cut },
      { from: cut, to: DAYS },
    ];
    const total = (count: (slice: { from: number; to: number }) => number) =>
      parts.reduce((sum, part) => sum + count(part), 0);
    expect(total((part) => tradesWithin(run, part))).toBe(Math.ceil(run.fillCount / 2));
    expect(total((part) => positionDaysWithin(run, part))).toBe(run.positionDays);
  });

  test("a trade belongs to the slice that holds the day it was bought", () => {
    const closed = createRunBuffer(6);
    // Fills after the fourth are left over from a longer run and are not part of this one.
    closed.fills.set([1, 3, 4, 5, 0, 0]);
    closed.fillCount = 4;
    const trades = (from: number, to: number) => tradesWithin(closed, { from, to });
    expect([trades(0, 1), trades(0, 2), trades(1, 4), trades(2, 4), trades(4, 6)]).toEqual([
      0, 1, 1, 0, 1,
    ]);
    const closes = (from: number, to: number) => positionDaysWithin(closed, { from, to });
    expect([closes(0, 6), closes(0, 2), closes(2, 5), closes(3, 4), closes(5, 6)]).toEqual([
      3, 1, 2, 0, 0,
    ]);
  });

  test("an open trade is in a position to the end of any slice", () => {
    const open = createRunBuffer(6);
    const still = Array<number>(6).fill(1);
    const days = dayReturns(barsOf(still, still), NO_COSTS);
    simulate(flagsOfLetters(".E...."), days, { from: 0, to: 6 }, open);
    expect(positionDaysWithin(open, { from: 0, to: 6 })).toBe(4);
    expect(positionDaysWithin(open, { from: 3, to: 5 })).toBe(2);
    expect(positionDaysWithin(open, { from: 0, to: 2 })).toBe(0);
    expect(tradesWithin(open, { from: 3, to: 6 })).toBe(0);
  });

  test("no fee, no fees", () => {
    expect(feesPaid(run, 0)).toBe(0);
  });
});
