import {
  cumulativeStdNormalProbability,
  mean,
  median,
  sampleCorrelation,
  sampleStandardDeviation,
  sumNthPowerDeviations,
} from "simple-statistics";
import { describe, expect, test } from "vitest";
import { sliceBars, type Bars } from "../../../quant/bars.ts";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { NO_COSTS } from "../../../quant/engine/costs.ts";
import { cscv } from "../../../quant/overfitting/cscv.ts";
import { coinMonth, coinRuns } from "../../../quant/overfitting/index-coin.ts";
import { STUDIED } from "../../../quant/strategies/studied.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { madeUpBars, withPrices } from "../../support/made-up-bars.ts";
import { hasRealPrices, testBars } from "../../support/real-prices.ts";

const BARS = hasRealPrices ? testBars("eth") : madeUpBars({ seed: 4, days: 1600 });
const TO = BARS.day.length - 50;
const LAST_DAY = BARS.day[TO - 1]!;
const COIN = coinMonth(coinRuns(BARS), LAST_DAY);

/** Annual Sharpe ratio, by the library's mean and deviation. */
function plainSharpe(returns: readonly number[]): number {
  const deviation = sampleStandardDeviation(returns);
  return deviation < 1e-14 ? NaN : (mean(returns) / deviation) * Math.sqrt(365);
}

/** Spearman's correlation: Pearson's, of ranks counted pair by pair. */
function plainSpearman(a: readonly number[], b: readonly number[]): number {
  const ranks = (values: readonly number[]) =>
    values.map((value) => {
      const below = values.filter((other) => other < value).length;
      const equal = values.filter((other) => other === value).length;
      return below + (equal + 1) / 2;
    });
  return sampleCorrelation(ranks(a), ranks(b));
}

/** Deflated Sharpe ratio for having chosen among 13 trials without skill, by the words of its definition. */
function plainDeflated(returns: readonly number[]): number {
  const count = returns.length;
  const moment = (power: number) => sumNthPowerDeviations(returns, power) / count;
  const skew = moment(3) / moment(2) ** 1.5;
  const kurtosis = moment(4) / moment(2) ** 2;
  const sharpe = plainSharpe(returns) / Math.sqrt(365);
  // The expected maximum of 13: (1 - gamma) z(1 - 1/13) + gamma z(1 - 1/(13 e)), by Python's NormalDist.
  const benchmark = 1.7033335471496844 / Math.sqrt(count - 1);
  const spread = Math.sqrt(1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2);
  return cumulativeStdNormalProbability(((sharpe - benchmark) * Math.sqrt(count - 1)) / spread);
}

/** A made-up market that rises by so much a day on top of its walk. */
function risingBars(drift: number): Bars {
  const risen = (column: Float64Array) => column.map((price, row) => price * Math.exp(drift * row));
  return withPrices(madeUpBars({ seed: 4, days: 1295 }), risen);
}

interface PlainRun {
  readonly window: Float64Array;
  readonly a: number;
  readonly b: number;
}

/** Every run separately, by the engine of single backtests, over the coin's whole history. */
function plainRuns(bars: Bars, to: number): PlainRun[] {
  const market = createMarket(bars);
  return STUDIED.flatMap((template) =>
    template.variants.map((params) => {
      const flags = flagsOf(template, market, params);
      const window = { from: 200, to: bars.day.length };
      const { returns } = runBacktest({ bars, flags, window, startingCash: 1000 });
      const period = returns.slice(to - 200 - 1095, to - 200);
      const [a, b] = [period.slice(0, 730), period.slice(730)];
      return { window: period, a: plainSharpe(Array.from(a)), b: plainSharpe(Array.from(b)) };
    }),
  );
}

function plainSet(runs: readonly PlainRun[]) {
  const moving = runs.filter(({ a, b }) => !Number.isNaN(a) && !Number.isNaN(b));
  const [a, b] = [moving.map((run) => run.a), moving.map((run) => run.b)];
  const best = a.indexOf(Math.max(...a));
  return {
    count: moving.length,
    pbo: cscv(
      moving.map(({ window }) => window),
      12,
    ).pbo,
    rankCorrelation: plainSpearman(a, b),
    premiumInSample: a[best]! - median(a),
    premiumOutOfSample: b[best]! - median(b),
    winner: [a[best], b[best]],
  };
}

describe("coinMonth", () => {
  const runs = plainRuns(BARS, TO);

  test("shopping is one set of all runs, by a plain computation", () => {
    const plain = plainSet(runs);
    expect(COIN.shopping.sets).toBe(1);
    expect(COIN.shopping.pbo).toBe(plain.pbo);
    expect(COIN.shopping.rankCorrelation).toBeCloseTo(plain.rankCorrelation, 10);
    expect(COIN.shopping.premiumInSample).toBeCloseTo(plain.premiumInSample, 10);
    expect(COIN.shopping.premiumOutOfSample).toBeCloseTo(plain.premiumOutOfSample, 10);
    expect(COIN.inSample).toHaveLength(plain.count);
    expect(COIN.runs).toBe(286);
  });

  test("tuning adds up a set for each template with 5 runs that moved", () => {
    const sets = STUDIED.map((_, set) => plainSet(runs.slice(13 * set, 13 * set + 13))).filter(
      ({ count }) => count >= 5,
    );
    expect(COIN.tuning.sets).toBe(sets.length);
    for (const [name, digits] of [
      ["pbo", 10],
      ["rankCorrelation", 9],
      ["premiumInSample", 9],
      ["premiumOutOfSample", 9],
    ] as const) {
      const sum = sets.reduce((total, set) => total + (set[name] || 0), 0); // NaN ranks count as 0
      expect(COIN.tuning[name], name).toBeCloseTo(sum, digits);
    }
    for (const [index, winner] of COIN.winners.entries()) {
      expect(winner.inSample).toBeCloseTo(sets[index]!.winner[0]!, 10);
      expect(winner.outOfSample).toBeCloseTo(sets[index]!.winner[1]!, 10);
    }
  });

  test("a winner is significant as a choice among 13 over the 730 days it was chosen in", () => {
    const rising = risingBars(0.0029);
    const plain = plainRuns(rising, 1295);
    const sets = STUDIED.map((_, set) => plain.slice(13 * set, 13 * set + 13)).filter(
      (set) => plainSet(set).count >= 5,
    );
    const chances = sets.map((set) => {
      const known = set.filter(({ a, b }) => !Number.isNaN(a) && !Number.isNaN(b));
      const best = known.reduce((best, run) => (run.a > best.a ? run : best));
      return plainDeflated(Array.from(best.window.subarray(0, 730)));
    });
    const { winners } = coinMonth(coinRuns(rising), rising.day.at(-1)!);
    expect(winners.map(({ significant }) => significant)).toEqual(
      chances.map((chance) => chance >= 0.95),
    );
    const isNear = (from: number) =>
      chances.some((chance) => chance > from && chance < from + 0.01);
    expect([isNear(0.94), isNear(0.95)], "one a little below and one a little above").toEqual([
      true,
      true,
    ]);
  });

  test("has the out-of-sample Sharpe ratio of every default variant", () => {
    for (const [set, sharpe] of COIN.defaultsOutOfSample.entries()) {
      expect(sharpe).toBeCloseTo(runs[13 * set]!.b, 10);
    }
    expect(COIN.defaultsOutOfSample).toHaveLength(22);
  });

  test("does not change when the history is cut off at the month's end", () => {
    expect(coinMonth(coinRuns(sliceBars(BARS, 0, TO)), LAST_DAY)).toEqual(COIN);
  });

  test("does not change when later prices are garbled", () => {
    const garble = (column: Float64Array) =>
      column.map((value, row) => (row < TO ? value : value * (1 + ((row * 7919) % 100) / 10)));
    const garbled = { ...withPrices(BARS, garble), volume: garble(BARS.volume) };
    expect(coinMonth(coinRuns(garbled), LAST_DAY)).toEqual(COIN);
  });

  test.each([
    ["first 730", 0, 200 + 730],
    ["last 365", 200 + 730 - 200, 1295],
  ])("runs that did not move in its %s days are in no set", (_, from, to) => {
    const bars = madeUpBars({ seed: 1, days: 1295 });
    const price = bars.close[from]!;
    for (const column of [bars.open, bars.high, bars.low, bars.close]) column.fill(price, from, to);
    const coin = coinMonth(coinRuns(bars, { costs: NO_COSTS }), bars.day.at(-1)!);
    expect(coin.inSample).toHaveLength(0);
    expect(coin.tuning.sets + coin.shopping.sets).toBe(0);
  });

  test("a coin that never moves has no set and all its runs are flat", () => {
    const still = madeUpBars({ seed: 1, days: 1295 });
    for (const column of [still.open, still.high, still.low, still.close]) column.fill(100);
    const coin = coinMonth(coinRuns(still), still.day.at(-1)!);
    expect(coin.tuning.sets + coin.shopping.sets + coin.winners.length).toBe(0);
    expect(coin.inSample).toHaveLength(0);
    expect(coin.runs).toBe(286);
  });
});
