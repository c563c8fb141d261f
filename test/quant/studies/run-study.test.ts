import { describe, expect, test } from "vitest";
import { coinRecord } from "../../../quant/dataset/coin-record.ts";
import { datasetWindow, inSampleDays } from "../../../quant/dataset/definition.ts";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { DEFAULT_COSTS } from "../../../quant/engine/costs.ts";
import { holdReturns } from "../../../quant/engine/hold.ts";
import { sharpeRatio } from "../../../quant/engine/statistics.ts";
import { findTemplate } from "../../../quant/strategies/catalogue.ts";
import { STUDIED } from "../../../quant/strategies/studied.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { parameterGrid } from "../../../quant/studies/parameter-grid.ts";
import { runStudy, type Study } from "../../../quant/studies/run-study.ts";
import { foldsOf } from "../../../quant/studies/walk-forward.ts";
import { binomialTail } from "../../../quant/check/binomial-tail.ts";
import { nullStudy, studyOf } from "../../../scripts/dev/null-studies.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import { testBars, testTickers } from "../../support/real-prices.ts";

describe("a study", () => {
  test("of the 13 variants on the dataset's in-sample days has their figures to the last digit", () => {
    const bars = testBars("sol");
    const whole = datasetWindow(bars.day.length);
    const window = { from: whole.from, to: whole.from + inSampleDays(whole.to - whole.from) };
    const { cells } = coinRecord({ coin: "sol", bars });
    for (const name of ["ma_cross", "time_series_momentum", "macd_cross"]) {
      const template = findTemplate(name)!;
      const values = template.parameters.map((each) => [
        each.name,
        template.variants.map((params) => params[each.name]!),
      ]);
      const grid = parameterGrid(template, Object.fromEntries(values) as never);
      const of = { bars, coin: "sol", window, costs: DEFAULT_COSTS, grid, folds: [], peers: null };
      const study = runStudy({ ...of, resamples: 20 });
      const { runs } = cells[STUDIED.indexOf(template)]!;
      for (const [variant, params] of template.variants.entries()) {
        const set = grid.sets.findIndex((each) => JSON.stringify(each) === JSON.stringify(params));
        const { sharpe, totalReturn, maxDrawdown } = runs[variant]!.segments.inSample;
        expect({ name, params, figures: figuresOf(study, set) }).toEqual({
          name,
          params,
          figures: [sharpe, totalReturn, maxDrawdown],
        });
      }
    }
  });

  const bars = madeUpBars({ seed: 8, days: 1000 });
  const window = { from: 220, to: 1000 };
  const costs = { feeRate: 0.002, slippageRate: 0.001 };
  const template = findTemplate("ma_cross")!;
  const grid = parameterGrid(template, { fast: [5, 10, 20, 30], slow: [25, 50, 90] });
  const folds = foldsOf(8, 780);
  const study = runStudy({
    bars,
    coin: "btc",
    window,
    costs,
    grid,
    folds,
    resamples: 200,
    peers: null,
  });

  test("has the figures of a backtest of each set", () => {
    const market = createMarket(bars);
    for (const [set, params] of grid.sets.entries()) {
      const flags = flagsOf(template, market, params);
      const run = runBacktest({ bars, flags, window, startingCash: 1, costs });
      const { sharpe, totalReturn, maxDrawdown } = run.statistics;
      expect(figuresOf(study, set)).toEqual([sharpe, totalReturn, maxDrawdown]);
      expect(study.runs.trades[set]).toBe(run.trades.length);
      expect(study.runs.exposure[set]).toBe(run.exposure);
    }
  });

  test("counts the sets that beat holding, and holds the best to as many trials as are known", () => {
    const held = holdReturns(bars, window);
    const hold = sharpeRatio(held, 0, held.length);
    const beat = study.runs.sharpe.filter((sharpe) => sharpe > hold).length;
    expect(study.beatHoldSharpe).toBe(beat / grid.sets.length);
    expect(study.trials).toMatchObject({ value: study.trials.measured, declared: null });
    const of = { bars, coin: "btc", window, costs, grid, folds: [], resamples: 200, peers: null };
    const declared = runStudy({ ...of, nTrials: 5000, known: 40 });
    expect(declared.trials).toMatchObject({ value: 5000, declared: 5000 });
    const known = runStudy({ ...of, known: 400 });
    expect(known.trials.value).toBe(400 - (grid.sets.length - known.trials.measured));
    const alone = study.report!.verdict.pValue!;
    for (const { report, trials } of [known, declared]) {
      const p = 1 - (1 - alone) ** (trials.value / trials.measured);
      expect(report!.verdict.pValue).toBeCloseTo(p, 9);
    }
  });

  test("follows from test to test the set that was best on all days before", () => {
    const walk = study.walk!;
    const market = createMarket(bars);
    const returns = grid.sets.map((params) => {
      const flags = flagsOf(template, market, params);
      return runBacktest({ bars, flags, window, startingCash: 1, costs }).returns;
    });
    let value = 1;
    for (const [test, { split, end }] of folds.entries()) {
      const sharpes = returns.map((column) => sharpeRatio(column, 0, split));
      const best = sharpes.indexOf(Math.max(...sharpes.filter((each) => !Number.isNaN(each))));
      expect(walk.picks[test]).toBe(best);
      for (let row = split; row < end; row++) value *= 1 + returns[best]![row]!;
    }
    expect(walk.followedEquity.at(-1)! / value).toBeCloseTo(1, 12);
    const tests = (column: Float64Array) => sharpeRatio(column, 390, 780);
    const all = returns.map(tests).filter((sharpe) => !Number.isNaN(sharpe));
    const joined = new Float64Array(780);
    for (const [test, { split, end }] of folds.entries())
      joined.set(returns[walk.picks[test]!]!.subarray(split, end), split);
    const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
    expect(walk.leadAfter).toBeCloseTo(tests(joined) - mean, 9);
    expect(walk.low).toBeLessThan(walk.leadAfter);
    expect(walk.high).toBeGreaterThan(walk.leadAfter);
  });

  test("rolls with training and tests of fixed lengths, and has no interval below eight tests", () => {
    const rolling = foldsOf({ trainDays: 300, testDays: 90 }, 780);
    expect(rolling.map(({ trainFrom, split, end }) => [trainFrom, split, end])).toEqual([
      [0, 300, 390],
      [90, 390, 480],
      [180, 480, 570],
      [270, 570, 660],
      [360, 660, 750],
    ]);
    const of = { bars, coin: "btc", window, costs, grid, resamples: 20, peers: null };
    expect(runStudy({ ...of, folds: rolling }).walk!.low).toBeNaN();
  });

  test("stays in cash where no set moved in training, and has no report where none ever moves", () => {
    const never = parameterGrid(findTemplate("bollinger_breakout")!, {
      period: [150, 199],
      multiplier: [9, 10],
    });
    const of = { bars, coin: "btc", window, costs, grid: never, folds, resamples: 20, peers: null };
    const still = runStudy(of);
    expect(still.walk!.picks.every((pick) => pick === -1)).toBe(true);
    expect(still.walk!.followedEquity.every((value) => value === 1)).toBe(true);
    expect(still.report).toBeNull();
    expect(still.reportReason).toContain("no variant moves");
    expect(still.flatness.best).toBe(-1);
  });
});

describe("studies whose truth is known", () => {
  test("find nothing where the order of the days teaches nothing", { timeout: 120_000 }, () => {
    const draws = 30;
    const coins = testTickers()
      .map(testBars)
      .filter((bars) => bars.day.length >= 1_100);
    const outcomes = Array.from({ length: draws }, (_, draw) =>
      nullStudy(coins[draw % coins.length]!, draw),
    );
    const skill = outcomes.filter(({ isSkill }) => isSkill).length;
    const above = outcomes.filter(({ isAboveAll }) => isAboveAll).length;
    expect(binomialTail(skill, draws, 0.07), `${skill} skill`).toBeGreaterThan(0.01);
    expect(binomialTail(above, draws, 0.07), `${above} above all`).toBeGreaterThan(0.01);
  });

  test("find an edge that was planted, and say where", () => {
    const bars = plantedBars();
    const study = studyOf(bars, [
      "ma_cross",
      { fast: [2, 5, 10, 15, 20, 25], slow: [30, 40, 50, 60, 80, 120] },
    ]);
    const { best } = study.flatness;
    const grid = parameterGrid(findTemplate("ma_cross")!, {
      fast: [2, 5, 10, 15, 20, 25],
      slow: [30, 40, 50, 60, 80, 120],
    });
    expect(study.report!.verdict.value).toBe("skill");
    const { fast, slow } = grid.sets[best]!;
    expect(Math.abs(fast! - 10)).toBeLessThanOrEqual(5);
    expect(Math.abs(slow! - 40)).toBeLessThanOrEqual(20);
    expect(study.permuted.every(({ best: luck }) => study.runs.sharpe[best]! > luck)).toBe(true);
  });
});

function figuresOf({ runs }: Study, set: number): readonly unknown[] {
  return [runs.sharpe[set], runs.totalReturn[set], runs.maxDrawdown[set]];
}

/** Prices that rise on the days after the 10-day average was above the 40-day one, and fall on the others. */
function plantedBars() {
  const bars = madeUpBars({ seed: 21, days: 1500 });
  const { open, high, low, close } = bars;
  const changes = close.map((value, row) => (row === 0 ? 1 : value / close[row - 1]!));
  const mean = (to: number, days: number) =>
    close.subarray(to - days, to).reduce((sum, value) => sum + value, 0) / days;
  for (let row = 1; row < close.length; row++) {
    const side = row < 42 ? 0 : mean(row - 1, 10) > mean(row - 1, 40) ? 1 : -1;
    const before = close[row - 1]!;
    close[row] = before * changes[row]! * (1 + 0.006 * side);
    open[row] = before;
    high[row] = Math.max(before, close[row]!) * 1.01;
    low[row] = Math.min(before, close[row]!) * 0.99;
  }
  return bars;
}
