import * as fc from "fast-check";
import { annualGrowth } from "../../../quant/annual-growth.ts";
import { describe, expect, test } from "vitest";
import {
  calmarRatio,
  dailyDeviation,
  drawdownDays,
  maxDrawdown,
  returnStatistics,
  shapeOfReturns,
  sharpeRatio,
  sortinoRatio,
  totalReturn,
  volatility,
} from "../../../quant/engine/statistics.ts";

const column = (...values: number[]) => Float64Array.from(values);
/** Applies a statistic to a whole column. */
const of = <T>(
  statistic: (returns: Float64Array, from: number, to: number) => T,
  returns: Float64Array,
) => statistic(returns, 0, returns.length);

// Mean 0.01; distances 0, 0.02, -0.02, 0.01, -0.01; squares sum to 0.001; n - 1 = 4.
const FIVE = column(0.01, 0.03, -0.01, 0.02, 0);
const DEVIATION = Math.sqrt(0.001 / 4);

describe("by hand on 1 %, 3 %, -1 %, 2 %, 0 %", () => {
  test("Sharpe, volatility", () => {
    expect(of(dailyDeviation, FIVE)).toBeCloseTo(DEVIATION, 15);
    expect(of(sharpeRatio, FIVE)).toBeCloseTo((0.01 / DEVIATION) * Math.sqrt(365), 12);
    expect(of(volatility, FIVE)).toBeCloseTo(DEVIATION * Math.sqrt(365), 14);
  });

  test("Sortino: one loss of 1 % over five days", () => {
    expect(of(sortinoRatio, FIVE)).toBeCloseTo((0.01 / Math.sqrt(0.0001 / 5)) * Math.sqrt(365), 12);
  });

  test("Sortino: losses of 1 % and 2 % over four days, their squares added up", () => {
    const returns = column(0.02, -0.01, 0.03, -0.02); // mean 0.005
    const downside = Math.sqrt((0.0001 + 0.0004) / 4);
    expect(of(sortinoRatio, returns)).toBeCloseTo((0.005 / downside) * Math.sqrt(365), 12);
  });

  test("total return, CAGR, drawdown, Calmar", () => {
    const growth = 1.01 * 1.03 * 0.99 * 1.02;
    expect(of(totalReturn, FIVE)).toBeCloseTo(growth - 1, 15);
    expect(returnStatistics(FIVE).cagr).toBeCloseTo(Math.exp(Math.log(growth) * 73) - 1, 10);
    expect(of(maxDrawdown, FIVE)).toBeCloseTo(-0.01, 15);
    expect(calmarRatio(0.3, -0.2)).toBeCloseTo(1.5, 15);
  });

  test("skew and kurtosis with population moments", () => {
    // Third powers cancel; fourth powers: 2 x 16e-8 + 2 x 1e-8 = 34e-8, over 5; variance 0.0002.
    expect(of(shapeOfReturns, FIVE).skew).toBeCloseTo(0, 12);
    expect(of(shapeOfReturns, FIVE).kurtosis).toBeCloseTo(6.8e-8 / 4e-8, 12);
    // 0, 0, 0, 4: mean 1, m2 = 3, m3 = (27 - 3) / 4 = 6, m4 = (81 + 3) / 4 = 21.
    const { skew, kurtosis } = of(shapeOfReturns, column(0, 0, 0, 4));
    expect(skew).toBeCloseTo(6 / 3 ** 1.5, 12);
    expect(kurtosis).toBeCloseTo(21 / 9, 12);
  });

  test("all together", () => {
    expect(returnStatistics(FIVE)).toEqual({
      days: 5,
      totalReturn: of(totalReturn, FIVE),
      cagr: annualGrowth(1 + of(totalReturn, FIVE), 5),
      volatility: of(volatility, FIVE),
      sharpe: of(sharpeRatio, FIVE),
      sortino: of(sortinoRatio, FIVE),
      calmar: annualGrowth(1 + of(totalReturn, FIVE), 5) / -of(maxDrawdown, FIVE),
      maxDrawdown: of(maxDrawdown, FIVE),
      maxDrawdownDays: 2,
      longestDrawdownDays: 2,
      ...of(shapeOfReturns, FIVE),
    });
  });
});

describe("no value", () => {
  test.each([
    ["all zero", column(0, 0, 0, 0)],
    ["all equal", new Float64Array(3000).fill(0.01)],
    [
      "equal but for rounding",
      Float64Array.from({ length: 500 }, (_, day) => 1.01 ** (day + 1) / 1.01 ** day - 1),
    ],
  ])("a series %s has no Sharpe ratio and no shape, and no volatility", (_, returns) => {
    expect(of(sharpeRatio, returns)).toBeNaN();
    expect(of(shapeOfReturns, returns)).toEqual({ skew: NaN, kurtosis: NaN });
    expect(of(volatility, returns)).toBe(0);
    expect(of(sortinoRatio, returns)).toBeNaN();
  });

  test("one tiny trade is not flat", () => {
    expect(of(sharpeRatio, column(0, 0, 1e-9, 0))).toBeCloseTo(Math.sqrt(365) / 2, 6);
  });

  test("no day and one day", () => {
    for (const returns of [column(), column(0.1)]) {
      expect(of(sharpeRatio, returns)).toBeNaN();
      expect(of(volatility, returns)).toBeNaN();
      expect(of(sortinoRatio, returns)).toBeNaN();
    }
    expect(returnStatistics(column())).toMatchObject({
      days: 0,
      totalReturn: 0,
      cagr: NaN,
      maxDrawdown: 0,
    });
  });

  test("no loss: no Sortino, no Calmar", () => {
    const figures = returnStatistics(column(0.01, 0.02));
    expect([figures.sortino, figures.calmar]).toEqual([NaN, NaN]);
  });

  test("a growth rate beyond what a number holds", () => {
    expect(returnStatistics(column(9)).cagr).toBeNaN();
    expect(returnStatistics(column(0, -1, 0)).cagr).toBe(-1);
    expect(returnStatistics(column(0, 0, 0)).cagr).toBe(0);
    const nearlyAll = new Float64Array(3650).fill(-0.9, 0, 20); // a 10^20th part is left after ten years
    expect(returnStatistics(nearlyAll).cagr).toBeCloseTo(-0.99, 12);
  });
});

describe("drawdown", () => {
  // Growth: 1.00 | 0.9, 0.99, 1.089, 0.5445, 1.089, 1.1979, 0.8, 0.8
  const swings = column(-0.1, 0.1, 0.1, -0.5, 1, 0.1, 0.8 / 1.1979 - 1, 0);

  test("counts the starting cash as the first high", () => {
    expect(of(maxDrawdown, column(-0.2, 0.1))).toBeCloseTo(-0.2, 15);
    expect(of(drawdownDays, column(-0.2, 0.1))).toEqual({ deepest: 2, longest: 2 });
  });

  test("the deepest and the longest are distinguished", () => {
    expect(of(maxDrawdown, swings)).toBeCloseTo(-0.5, 15);
    // Under water on days 0-1 (back on day 2: 3 days), on day 3 (back on day 4: 2), from day 6 on (2).
    expect(of(drawdownDays, swings)).toEqual({ deepest: 2, longest: 3 });
  });

  test("a later one that is shallower, or as deep, is not the deepest however long it lasts", () => {
    // Growth: 1.00 | 0.5, 1, 0.9, 0.9, 0.9
    expect(of(drawdownDays, column(-0.5, 1, -0.1, 0, 0))).toEqual({ deepest: 2, longest: 3 });
    expect(of(drawdownDays, column(-0.5, 1, -0.5, 0, 0))).toEqual({ deepest: 2, longest: 3 });
  });

  test("one that begins on the last day lasts a day", () => {
    expect(of(drawdownDays, column(0.1, -0.1))).toEqual({ deepest: 1, longest: 1 });
  });

  test("one that never recovers lasts to the last close", () => {
    expect(of(drawdownDays, column(0.1, -0.3, 0.01, 0.01, 0.01))).toEqual({
      deepest: 4,
      longest: 4,
    });
  });

  /** Returns of a coin held over these closes. */
  const heldOver = (closes: readonly number[]) =>
    Float64Array.from(closes.slice(1), (close, row) => close / closes[row]! - 1);

  test("ends where the price is back, although compounded returns miss it by rounding", () => {
    const returns = heldOver([100, 97, 100, 90, 80]);
    expect(of(totalReturn, returns.subarray(0, 2))).toBeLessThan(0);
    expect(of(drawdownDays, returns)).toEqual({ deepest: 2, longest: 2 });
  });

  test("of two as deep the first counts, although compounded returns say the second is deeper", () => {
    const returns = heldOver([100, 97, 100, 97, 97, 100]);
    expect(of(drawdownDays, returns)).toEqual({ deepest: 2, longest: 3 });
  });

  test("lasts as long as whole numbers of ticks say", () => {
    const steps = fc.array(fc.constantFrom(-1, 0, 1), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(steps, (walk) => {
        let [price, peak, peakRow, longest] = [400, 400, 0, 0];
        let [deepest, lowest, from, isDeepest] = [0, 1, 1, false]; // the deepest fell to lowest / from
        const closes = [price, ...walk.map((step) => (price += step))];
        closes.forEach((close, row) => {
          if (close < peak || row - peakRow > 1) longest = Math.max(longest, row - peakRow);
          if (close * from < lowest * peak) [lowest, from, isDeepest] = [close, peak, true];
          if (isDeepest) deepest = row - peakRow;
          if (close >= peak) [peak, peakRow, isDeepest] = [close, row, false];
        });
        const returns = heldOver(closes.map((ticks) => ticks / 100));
        expect(of(drawdownDays, returns)).toEqual({ deepest, longest });
      }),
    );
  });

  test("none has no days", () => {
    for (const returns of [column(), column(0, 0, 0), column(0.1, 0, 0, 0.2)]) {
      expect(of(maxDrawdown, returns)).toBe(0);
      expect(of(drawdownDays, returns)).toEqual({ deepest: 0, longest: 0 });
    }
  });

  test("a total loss is -1", () => {
    expect(of(maxDrawdown, column(0.5, -1, 0))).toBe(-1);
  });
});

const returnsArbitrary = fc.array(fc.double({ min: -0.5, max: 0.8, noNaN: true }), {
  minLength: 2,
  maxLength: 80,
});

test("a slice has the figures of the same days alone", () => {
  fc.assert(
    fc.property(returnsArbitrary, fc.nat(80), fc.nat(80), (values, a, b) => {
      const returns = Float64Array.from(values);
      const [from, to] = [Math.min(a, b), Math.max(a, b)].map((row) =>
        Math.min(row, returns.length),
      ) as [number, number];
      expect(returnStatistics(returns, from, to)).toEqual(
        returnStatistics(returns.slice(from, to)),
      );
    }),
  );
});
