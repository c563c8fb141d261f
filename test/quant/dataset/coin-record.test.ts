import { mean, sampleStandardDeviation } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { historyUpTo, type Bars } from "../../../quant/bars.ts";
import { dayOfDate } from "../../../quant/calendar.ts";
import { coinRecord, ranksFromBest } from "../../../quant/dataset/coin-record.ts";
import { pickOf } from "../../../quant/robustness/cell-premium.ts";
import { DOUBLED_COSTS } from "../../../quant/dataset/definition.ts";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { cscv } from "../../../quant/overfitting/cscv.ts";
import { rankCorrelation } from "../../../quant/overfitting/ranks.ts";
import { STUDIED } from "../../../quant/strategies/studied.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import { hasRealPrices, testBars } from "../../support/real-prices.ts";

const BARS = hasRealPrices
  ? historyUpTo(testBars("doge"), dayOfDate("2025-12-31")!)
  : madeUpBars({ seed: 3, days: 1500 });
const COIN = coinRecord({ coin: "doge", bars: BARS });
const DAYS = BARS.day.length - 200;
const SPLIT = Math.floor(DAYS * 0.7 + 1e-9);

/** Runs one variant alone, by the engine of single backtests. */
function plainRun(template: number, variant: number, costs?: typeof DOUBLED_COSTS) {
  const market = createMarket(BARS);
  const flags = flagsOf(STUDIED[template]!, market, STUDIED[template]!.variants[variant - 1]!);
  const window = { from: 200, to: BARS.day.length };
  const job = { bars: BARS, flags, window, startingCash: 1000 };
  return runBacktest(costs === undefined ? job : { ...job, costs });
}

function plainSharpe(returns: Float64Array): number {
  const values = Array.from(returns);
  return (mean(values) / sampleStandardDeviation(values)) * Math.sqrt(365);
}

const growth = (returns: Float64Array) =>
  returns.reduce((product, value) => product * (1 + value), 1) - 1;

/** Bars whose close follows from the one before, and whose open is the last close. */
function risingBars(next: (price: number) => number): Bars {
  const days = 1605;
  const close = new Float64Array(days).fill(10);
  for (let row = 1; row < days; row++) close[row] = next(close[row - 1]!);
  const open = close.map((price, row) => close[row - 1] ?? price);
  const day = Int32Array.from({ length: days }, (_, row) => 18_262 + row);
  return { day, open, high: close, low: open, close, volume: new Float64Array(days).fill(1000) };
}

describe("coinRecord", () => {
  test("has its dates at the warm-up, at 70 % of the days and at the end", () => {
    expect(COIN.firstDay).toBe(BARS.day[200]);
    expect(COIN.splitDay).toBe(BARS.day[200 + SPLIT]);
    expect(COIN.lastDay).toBe(BARS.day.at(-1));
    const [run] = COIN.cells[0]!.runs;
    expect(run!.segments.inSample.days).toBe(SPLIT);
    expect(run!.segments.outOfSample.days).toBe(DAYS - SPLIT);
    expect(run!.segments.whole.days).toBe(DAYS);
  });

  test("has 22 cells of 13 runs", () => {
    expect(COIN.cells.map(({ template }) => template)).toEqual(STUDIED.map(({ name }) => name));
    for (const { runs } of COIN.cells) {
      expect(runs.map(({ variant }) => variant)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
      ]);
    }
  });

  test.each([
    [0, 1],
    [4, 7],
    [14, 13],
    [20, 2],
  ])(
    "template %d, variant %d is the run a single backtest makes, cut in two",
    (template, variant) => {
      const plain = plainRun(template, variant);
      const { segments, fees, doubled } = COIN.cells[template]!.runs[variant - 1]!;
      const [inSample, outOfSample] = [plain.returns.slice(0, SPLIT), plain.returns.slice(SPLIT)];
      expect(segments.inSample.sharpe).toBeCloseTo(plainSharpe(inSample), 10);
      expect(segments.outOfSample.sharpe).toBeCloseTo(plainSharpe(outOfSample), 10);
      expect(segments.whole.sharpe).toBe(plain.statistics.sharpe);
      expect(segments.whole.totalReturn).toBe(plain.statistics.totalReturn);
      expect(segments.whole.maxDrawdown).toBe(plain.statistics.maxDrawdown);
      expect(segments.inSample.totalReturn).toBeCloseTo(growth(inSample), 10);
      expect(segments.outOfSample.totalReturn).toBeCloseTo(growth(outOfSample), 10);
      const bought = (from: number, to: number) =>
        plain.trades.filter(({ entryDay }) => entryDay >= from && entryDay < to).length;
      expect(segments.inSample.trades).toBe(bought(COIN.firstDay, COIN.splitDay));
      expect(segments.outOfSample.trades).toBe(bought(COIN.splitDay, COIN.lastDay + 1));
      expect(segments.whole.trades).toBe(plain.trades.length);
      expect(segments.whole.exposure).toBe(plain.exposure);
      expect(fees).toBeCloseTo(plain.fees / 1000, 12);
      const dear = plainRun(template, variant, DOUBLED_COSTS).returns;
      expect(doubled.inSampleSharpe).toBeCloseTo(plainSharpe(dear.slice(0, SPLIT)), 10);
      expect(doubled.outOfSampleSharpe).toBeCloseTo(plainSharpe(dear.slice(SPLIT)), 10);
      expect(doubled.outOfSampleReturn).toBeCloseTo(growth(dear.slice(SPLIT)), 10);
    },
  );

  test("a pick is the run with the best in-sample Sharpe, and its cell knows what that led to", () => {
    for (const cell of COIN.cells) {
      const inSample = cell.runs.map(({ segments }) => segments.inSample.sharpe);
      const outOfSample = cell.runs.map(({ segments }) => segments.outOfSample.sharpe);
      expect(inSample[cell.pick]).toBe(
        Math.max(...inSample.filter((value) => !Number.isNaN(value))),
      );
      const better = outOfSample.filter((value) => value > outOfSample[cell.pick]!).length;
      const equal = outOfSample.filter((value) => value === outOfSample[cell.pick]!).length;
      const rank = equal === 0 ? NaN : better + (equal + 1) / 2; // flat out-of-sample: no rank
      expect(cell.outOfSampleRanks[cell.pick]).toBe(rank);
      expect(cell.rankCorrelation).toBe(rankCorrelation(inSample, outOfSample));
    }
  });

  test("PBO is that of the whole run over 16 blocks, of a cell and of the coin", () => {
    const market = createMarket(BARS);
    const all = STUDIED.map((template) =>
      template.variants.map((params) => {
        const flags = flagsOf(template, market, params);
        const window = { from: 200, to: BARS.day.length };
        return runBacktest({ bars: BARS, flags, window, startingCash: 1 }).returns;
      }),
    );
    expect(COIN.cells[3]!.pbo).toBe(cscv(all[3]!, 16).pbo);
    expect(COIN.cells[17]!.pbo).toBe(cscv(all[17]!, 16).pbo);
    expect(COIN.pbo).toBe(cscv(all.flat(), 16).pbo);
  });

  test("the sums by block are of the newest whole blocks and give the Sharpe of all of them", () => {
    const { blocks, days, firstDay, sums, squares } = COIN.blocks;
    expect(blocks).toBe(16);
    expect(days).toBe(Math.floor(DAYS / 16));
    expect(firstDay + blocks * days - 1).toBe(COIN.lastDay);
    const run = 3 * 13 + 4;
    const part = plainRun(3, 5).returns.slice(DAYS - blocks * days);
    const total = (column: Float64Array) =>
      column.slice(run * blocks, (run + 1) * blocks).reduce((sum, value) => sum + value, 0);
    const [n, sum, square] = [part.length, total(sums), total(squares)];
    const deviation = Math.sqrt((square - (sum * sum) / n) / (n - 1));
    expect((sum / n / deviation) * Math.sqrt(365)).toBeCloseTo(plainSharpe(part), 10);
  });

  test("trials count the runs that moved in-sample and what they are worth", () => {
    const [cell] = COIN.cells;
    const { trials, meanCorrelation, impliedTrials, effectiveRank } = cell!.trials;
    expect(trials).toBe(13);
    expect(meanCorrelation).toBeGreaterThan(0.3);
    expect(impliedTrials).toBeCloseTo(meanCorrelation + (1 - meanCorrelation) * 13, 10);
    expect(effectiveRank).toBeGreaterThan(1);
    expect(effectiveRank).toBeLessThan(13);
    expect(COIN.trials.trials).toBe(
      COIN.cells.reduce((sum, { trials: { trials: count } }) => sum + count, 0),
    );
  });

  test("a coin that rises by the same amount every day has its figures", () => {
    // Its runs are copies of three, so the weeks' correlations hold hardly more than one eigenvalue.
    const steady = coinRecord({ coin: "steady", bars: risingBars((price) => price + 0.5) });
    expect(steady.trials.trials).toBe(181);
    expect(steady.trials.meanCorrelation).toBeCloseTo(0.9977829954201997, 12); // numpy's corrcoef
    expect(steady.trials.effectiveRank).toBeCloseTo(1.0161452090453789, 11); // and eigvalsh
  });

  test("weeks that only rounding moves count for no direction", () => {
    const steady = coinRecord({
      coin: "steady",
      bars: risingBars((price) => Number((price * 1.003).toPrecision(15))),
    });
    // 182 runs buy on the first days, before a whole week, and hold; the 13 of one template trade.
    expect(steady.trials.trials).toBe(195);
    expect(steady.trials.effectiveRank).toBeLessThanOrEqual(13);
  });
});

describe("pickOf", () => {
  test("is the first of equals and never one without a value", () => {
    expect(pickOf([NaN, 1, 2, 2])).toBe(2);
    expect(pickOf([-3, NaN])).toBe(0);
    expect(pickOf([NaN, NaN])).toBe(-1);
  });
});

describe("ranksFromBest", () => {
  test("counts from the largest, shares ranks on a tie, leaves out what has no value", () => {
    expect(Array.from(ranksFromBest([1, 3, NaN, 3, 2]))).toEqual([4, 1.5, NaN, 1.5, 3]);
    expect(Array.from(ranksFromBest([NaN]))).toEqual([NaN]);
  });
});
