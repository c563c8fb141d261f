import { describe, expect, test } from "vitest";
import type { BacktestInputs, Timeframe } from "../../../quant/overfitting/backtest-inputs.ts";
import {
  BacktestInputError,
  barsPerYear,
  checkBacktestInputs,
  observationsOf,
} from "../../../quant/overfitting/backtest-inputs.ts";

const GOOD: BacktestInputs = {
  sharpe: 1.5,
  timeframe: "1d",
  lengthDays: 365,
  nTrials: 10,
  skew: 0,
  kurtosis: 3,
  trialsSharpeStd: null,
};

function faultOf(inputs: Partial<BacktestInputs>): BacktestInputError | undefined {
  try {
    checkBacktestInputs({ ...GOOD, ...inputs });
  } catch (error) {
    if (error instanceof BacktestInputError) return error;
    throw error;
  }
  return undefined;
}

describe("observationsOf", () => {
  test.each<[number, Timeframe, number]>([
    [7, "1w", 1],
    [13, "1w", 1],
    [14, "1w", 2],
    [365, "1w", 52],
    [365, "1h", 8760],
    [365, "4h", 2190],
    [1.99, "1d", 1],
    [0.1 + 0.2, "1h", 7],
    [5 / 24, "1h", 5],
    [0.125, "1h", 3],
    [29 / 6, "4h", 29],
    [0.3 - 1e-9, "1h", 7],
    [3 - 1e-9, "1d", 2],
    [3 - 1e-15, "1d", 3],
  ])("%d days of %s are %d bars", (lengthDays, timeframe, bars) => {
    expect(observationsOf({ ...GOOD, lengthDays, timeframe })).toBe(bars);
  });

  test("is whole for every whole number of bars there is a float64 length of", () => {
    for (let bars = 1; bars < 5000; bars++) {
      expect(observationsOf({ ...GOOD, lengthDays: bars / 24, timeframe: "1h" })).toBe(bars);
      expect(observationsOf({ ...GOOD, lengthDays: bars / 6, timeframe: "4h" })).toBe(bars);
      expect(observationsOf({ ...GOOD, lengthDays: bars * 7, timeframe: "1w" })).toBe(bars);
    }
  });
});

test("a year has 8760, 2190, 365 or 365 / 7 bars", () => {
  expect(barsPerYear("1h")).toBe(8760);
  expect(barsPerYear("4h")).toBe(2190);
  expect(barsPerYear("1d")).toBe(365);
  expect(barsPerYear("1w")).toBe(365 / 7);
});

describe("checkBacktestInputs", () => {
  test("accepts what can be computed, losses and 1e9 trials included", () => {
    for (const inputs of [
      {},
      { sharpe: -3 },
      { sharpe: 0 },
      { nTrials: 1 },
      { nTrials: 1_000_000_000 },
      { lengthDays: 2 },
      { lengthDays: 14, timeframe: "1w" },
      { kurtosis: 1 },
      { trialsSharpeStd: 0 },
    ] satisfies readonly Partial<BacktestInputs>[]) {
      expect(faultOf(inputs)).toBeUndefined();
    }
  });

  test.each<[keyof BacktestInputs, Partial<BacktestInputs>]>([
    ["sharpe", { sharpe: NaN }],
    ["sharpe", { sharpe: Infinity }],
    ["timeframe", { timeframe: "2h" as Timeframe }],
    ["lengthDays", { lengthDays: 0 }],
    ["lengthDays", { lengthDays: -5 }],
    ["lengthDays", { lengthDays: NaN }],
    ["lengthDays", { lengthDays: 1 }],
    ["lengthDays", { lengthDays: 13, timeframe: "1w" }],
    ["lengthDays", { lengthDays: 1.7e308, timeframe: "1h" }],
    ["nTrials", { nTrials: 0 }],
    ["nTrials", { nTrials: 1.5 }],
    ["nTrials", { nTrials: 1_000_000_001 }],
    ["nTrials", { nTrials: NaN }],
    ["skew", { skew: Infinity }],
    ["kurtosis", { kurtosis: 0.99 }],
    ["kurtosis", { kurtosis: 0 }],
    ["kurtosis", { kurtosis: NaN }],
    ["trialsSharpeStd", { trialsSharpeStd: -0.1 }],
    ["trialsSharpeStd", { trialsSharpeStd: Infinity }],
    ["skew", { skew: 50, kurtosis: 3 }],
    ["skew", { sharpe: 1e200 }],
  ])("names %s when it is at fault: %j", (field, inputs) => {
    const fault = faultOf(inputs);
    expect(fault).toBeInstanceOf(RangeError);
    expect(fault?.field).toBe(field);
    expect(fault?.message).toMatch(/^must be /);
  });
});
