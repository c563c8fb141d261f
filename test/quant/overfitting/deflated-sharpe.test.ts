import { assert, double, integer, property } from "fast-check";
import { variance } from "simple-statistics";
import { describe, expect, test } from "vitest";
import {
  BREAK_EVEN_TRIALS_MAX,
  breakEvenTrials,
  deflatedSharpe,
  expectedMaximum,
  luckBar,
  minBacktestYears,
  nullTrialsVariance,
} from "../../../quant/overfitting/deflated-sharpe.ts";
import { probabilisticSharpe } from "../../../quant/overfitting/probabilistic-sharpe.ts";

const NORMAL = { skew: 0, kurtosis: 3 };

describe("published by Bailey and Lopez de Prado, 2014", () => {
  // An annual Sharpe of 2.5 over five years of 250 days; an annual V of one half.
  const estimate = { sharpe: 2.5 / Math.sqrt(250), observations: 1250, skew: -3, kurtosis: 10 };
  const trialsVariance = 0.5 / 250;

  test("luck bar 0.1132 of 100 trials", () => {
    expect(luckBar({ trials: 100, trialsVariance })).toBeCloseTo(0.1131720019, 10);
  });

  test("DSR 0.9004 of 100 trials (pypbo: 0.90039683444939), 0.9505 of 46", () => {
    expect(deflatedSharpe(estimate, { trials: 100, trialsVariance })).toBeCloseTo(
      0.90039683444939,
      13,
    );
    expect(deflatedSharpe(estimate, { trials: 46, trialsVariance })).toBeCloseTo(0.9505017069, 10);
  });

  test("DSR 0.9505 of 88 trials with normal returns", () => {
    const dsr = deflatedSharpe({ ...estimate, ...NORMAL }, { trials: 88, trialsVariance });
    expect(dsr).toBeCloseTo(0.9504908167, 10);
  });

  test("so 46 and 88 are the most trials that these survive", () => {
    expect(breakEvenTrials(estimate, trialsVariance, 0.95)).toBe(46);
    expect(breakEvenTrials({ ...estimate, ...NORMAL }, trialsVariance, 0.95)).toBe(88);
  });

  test("0.450 on the example of the 2025 paper, which gives 0.416 and 0.410 itself", () => {
    const monthly = { sharpe: 0.036 / 0.079, observations: 24, skew: -2.448, kurtosis: 10.164 };
    expect(deflatedSharpe(monthly, { trials: 10, trialsVariance: 0.1 })).toBeCloseTo(0.45, 3);
  });
});

describe("what other programs' own tests have", () => {
  // They use the divisor n for the trials' variance; the service's dataset uses n - 1.
  test("mlfinlab: DSR 0.95836 of 1.14 among 3.5, 1.01 and 1.02, 250 returns", () => {
    const trialsVariance = variance([3.5, 1.01, 1.02]);
    const estimate = { sharpe: 1.14, observations: 250, ...NORMAL };
    const dsr = deflatedSharpe(estimate, { trials: 3, trialsVariance });
    expect(Math.abs(dsr - 0.95836)).toBeLessThan(1e-5);
  });

  test("RiskLabAI: luck bar 0.74183 of six trials, expected maximum 1.5746 of 10, 3.2316 of 50", () => {
    const trialsVariance = variance([0.5, 1.2, -0.3, 0.8, 1.5, 0.9]);
    // They cut off Euler's constant after eleven digits.
    expect(luckBar({ trials: 6, trialsVariance })).toBeCloseTo(0.7418275166314174, 11);
    expect(expectedMaximum(10)).toBeCloseTo(1.5745983013449716, 11);
    expect(0.5 + 1.2 * expectedMaximum(50)).toBeCloseTo(3.231563712103708, 11);
  });
});

describe("expectedMaximum", () => {
  test("is 1.57 of 10 trials (published), and as tabled for more", () => {
    expect(expectedMaximum(10)).toBeCloseTo(1.574598, 6);
    const table = [100, 286, 1000, 11_440].map((trials) => expectedMaximum(trials).toFixed(4));
    expect(table).toEqual(["2.5306", "2.8804", "3.2551", "3.8934"]);
  });

  test("is 0 for one trial, and for a number of effective trials hardly above it", () => {
    expect(expectedMaximum(1)).toBe(0);
    expect(expectedMaximum(1.2)).toBe(0);
    expect(expectedMaximum(1.5)).toBeGreaterThan(0);
    expect(() => expectedMaximum(0.5)).toThrow(RangeError);
    expect(() => expectedMaximum(NaN)).toThrow(RangeError);
  });

  test("keeps its digits at 1e9 trials and far beyond", () => {
    expect(expectedMaximum(1e9)).toBeCloseTo(6.090388996413457, 13);
    expect(expectedMaximum(1e16)).toBeCloseTo(8.290805935009109, 12);
  });

  // The exact maxima: the integral of x n pdf(x) cdf(x)^(n-1), by mpmath's quadrature at 25 digits.
  test.each([
    [2, 0.56419, -7.9],
    [3, 0.84628, 0.8],
    [5, 1.16296, 2.5],
    [10, 1.53875, 2.3],
    [20, 1.86748, 1.8],
    [50, 2.24907, 1.2],
    [100, 2.50759, 0.9],
  ])("of %d trials is off the exact %d by %d %%, as documented", (trials, exact, percent) => {
    expect((100 * (expectedMaximum(trials) / exact - 1)).toFixed(1)).toBe(percent.toFixed(1));
  });
});

describe("minBacktestYears", () => {
  test("is 5 years for 45 trials at a Sharpe of 1 (published)", () => {
    expect(minBacktestYears(1, 45)).toBeCloseTo(4.998087, 6);
  });

  test("is 0.9806 for the 2 years that allow 7 trials (published as 1)", () => {
    expect(Math.sqrt(minBacktestYears(1, 7) / 2)).toBeCloseTo(0.9806, 4);
  });

  test("is 2.9, 8.3 and 15.2 years for 13, 286 and 11,440 trials", () => {
    const years = [13, 286, 11_440].map((trials) => minBacktestYears(1, trials).toFixed(1));
    expect(years).toEqual(["2.9", "8.3", "15.2"]);
  });

  test("is below 2 ln N / SR^2, 0 for one trial, and none for a Sharpe of 0 or less", () => {
    for (const trials of [2, 10, 1e4, 1e9]) {
      expect(minBacktestYears(0.8, trials)).toBeLessThan((2 * Math.log(trials)) / 0.64);
    }
    expect(minBacktestYears(0.8, 1)).toBe(0);
    expect(minBacktestYears(0, 5)).toBeNaN();
    expect(minBacktestYears(-1, 5)).toBeNaN();
  });
});

describe("deflatedSharpe with the variance of trials without skill", () => {
  const dsrOf = (sharpe: number, observations: number, trials: number) => {
    const trialsVariance = nullTrialsVariance(observations);
    return deflatedSharpe({ sharpe, observations, ...NORMAL }, { trials, trialsVariance });
  };

  test("is 0.4999 at a Sharpe of 1 over 1825 days of 45 trials", () => {
    expect(dsrOf(1 / Math.sqrt(365), 1825, 45)).toBeCloseTo(0.4999, 4);
  });

  test("hardly depends on the timeframe: 2 over a year of 100 trials", () => {
    const values = [8760, 2190, 365, 365 / 7].map((bars) =>
      dsrOf(2 / Math.sqrt(bars), Math.floor(bars), 100).toFixed(5),
    );
    expect(values).toEqual(["0.29783", "0.29777", "0.29740", "0.29379"]);
  });

  test("is 0.5 at the minimum backtest length, which is T - 1 bars", () => {
    for (const [sharpe, trials] of [
      [0.7, 3],
      [1, 45],
      [3, 1e9],
    ] as const) {
      const observations = 1 + 365 * minBacktestYears(sharpe, trials);
      expect(dsrOf(sharpe / Math.sqrt(365), observations, trials)).toBeCloseTo(0.5, 12);
    }
  });

  test("is PSR for one trial, falls with the trials and rises with the bars", () => {
    const sharpes = double({ min: 0.01, max: 0.5, noNaN: true });
    const bars = integer({ min: 3, max: 5000 });
    const trials = integer({ min: 1, max: 1e9 });
    assert(
      property(sharpes, bars, trials, (sharpe, observations, count) => {
        const estimate = { sharpe, observations, ...NORMAL };
        expect(dsrOf(sharpe, observations, 1)).toBe(probabilisticSharpe(estimate, 0));
        const dsr = dsrOf(sharpe, observations, count);
        expect(dsrOf(sharpe, observations, count + 1)).toBeLessThanOrEqual(dsr);
        expect(dsrOf(sharpe, observations, 2 * count)).toBeLessThanOrEqual(dsr);
        expect(dsrOf(sharpe, observations + 1, count)).toBeGreaterThanOrEqual(dsr);
      }),
      { numRuns: 500 },
    );
  });
});

describe("breakEvenTrials", () => {
  const estimate = { sharpe: 0.15, observations: 900, skew: -0.4, kurtosis: 6 };
  const variance = nullTrialsVariance(900);
  const dsrAt = (trials: number) => deflatedSharpe(estimate, { trials, trialsVariance: variance });

  test("is the last whole number of trials that is survived", () => {
    const trials = breakEvenTrials(estimate, variance, 0.95)!;
    expect(Number.isInteger(trials)).toBe(true);
    expect(dsrAt(trials)).toBeGreaterThanOrEqual(0.95);
    expect(dsrAt(trials + 1)).toBeLessThan(0.95);
  });

  test("is 1 just above the threshold and undefined just below", () => {
    const psr = probabilisticSharpe(estimate, 0);
    expect(breakEvenTrials(estimate, variance, psr)).toBe(1);
    expect(breakEvenTrials(estimate, variance, psr + 1e-12)).toBeUndefined();
  });

  test("ends at its cap, for trials that do not differ or a Sharpe beyond doubt", () => {
    expect(breakEvenTrials(estimate, 0, 0.95)).toBe(BREAK_EVEN_TRIALS_MAX);
    expect(breakEvenTrials({ ...estimate, sharpe: 3 }, variance, 0.5)).toBe(1e300);
  });
});
