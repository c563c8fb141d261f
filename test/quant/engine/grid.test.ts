import { describe, expect, test } from "vitest";
import { sliceBars } from "../../../quant/bars.ts";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { DEFAULT_COSTS, NO_COSTS } from "../../../quant/engine/costs.ts";
import { gridFills } from "../../../quant/engine/grid-fills.ts";
import { runGrid, type GridJob } from "../../../quant/engine/grid.ts";
import { feesPaid } from "../../../quant/engine/run-counts.ts";
import { returnStatistics, sharpeRatio } from "../../../quant/engine/statistics.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { STUDIED } from "../../../quant/strategies/studied.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { firstDifference } from "../../support/engine-bits.ts";
import { withPrices } from "../../support/made-up-bars.ts";
import { hasRealPrices, testBars, testTickers } from "../../support/real-prices.ts";

const BARS = testBars(hasRealPrices ? "aave" : testTickers()[0]!);
const window = { from: 200, to: BARS.day.length };
const GRID = { bars: BARS, window, templates: STUDIED };
const DAYS = window.to - window.from;

/** The same runs as single jobs, each template on a market of its own. */
function single(bars = BARS, costs = DEFAULT_COSTS) {
  return STUDIED.flatMap((template) => {
    const market = createMarket(bars);
    return template.variants.map((params) => {
      const flags = flagsOf(template, market, params);
      const job = { bars, flags, window: { from: 200, to: bars.day.length }, startingCash: 10_000 };
      return runBacktest({ ...job, costs });
    });
  });
}

describe("runGrid", () => {
  test.each([
    ["the usual costs", DEFAULT_COSTS],
    ["no costs", NO_COSTS],
  ])("gives the bits of the single runs, with %s", (_, costs) => {
    const jobs = single(BARS, costs);
    let index = 0;
    runGrid({ ...GRID, costs }, (run) => {
      const job = jobs[index++]!;
      expect(firstDifference(run.returns, job.returns)).toBe(-1);
      expect(returnStatistics(run.returns)).toEqual(job.statistics);
      expect(Math.ceil(run.fillCount / 2)).toBe(job.trades.length);
      expect(run.positionDays / DAYS).toBe(job.exposure);
      expect(10_000 * feesPaid(run, costs.feeRate)).toBe(job.fees);
    });
    expect(index).toBe(286);
  });

  test("shows beside each run the same at other costs, and the run itself where there are none", () => {
    const templates = STUDIED.slice(0, 2);
    const jobs = single(BARS, NO_COSTS);
    let index = 0;
    runGrid({ ...GRID, templates, otherCosts: NO_COSTS }, (run, _, __, other) => {
      const job = jobs[index++]!;
      expect(firstDifference(other.returns, job.returns)).toBe(-1);
      expect(firstDifference(run.returns, job.returns), "those cost something").not.toBe(-1);
      expect([other.fillCount, other.positionDays]).toEqual([run.fillCount, run.positionDays]);
    });
    expect(index).toBe(26);
    runGrid({ ...GRID, templates }, (run, _, __, other) => expect(other).toBe(run));
  });

  test("visits templates and variants in their order", () => {
    const visited: string[] = [];
    runGrid(GRID, (_, template, variant) => visited.push(`${template.name} ${variant}`));
    const expected = STUDIED.flatMap(({ name }) =>
      Array.from({ length: 13 }, (_, index) => `${name} ${index + 1}`),
    );
    expect(visited).toEqual(expected);
  });

  test("puts the runs one after the other in a panel, and touches nothing after them", () => {
    const panel = new Float64Array(286 * DAYS + 3).fill(7);
    const sharpes: number[] = [];
    runGrid({ ...GRID, panel }, (run) => sharpes.push(sharpeRatio(run.returns, 0, DAYS)));
    const laid = Array.from({ length: 286 }, (_, run) =>
      sharpeRatio(panel, run * DAYS, (run + 1) * DAYS),
    );
    expect(laid).toEqual(sharpes);
    for (const [run, { returns }] of single().entries()) {
      const part = panel.subarray(run * DAYS, (run + 1) * DAYS);
      expect(firstDifference(part, returns), `run ${run}`).toBe(-1);
    }
    expect(Array.from(panel.subarray(286 * DAYS))).toEqual([7, 7, 7]);
    const used = new Float64Array(286 * DAYS).fill(7);
    runGrid({ ...GRID, panel: used }, () => {});
    expect(firstDifference(used, panel.subarray(0, 286 * DAYS))).toBe(-1);
  });

  test("gives the same bits from the fills of an earlier grid, and computes no rule again", () => {
    const templates = STUDIED.slice(8, 10);
    const fills = gridFills(BARS, window, templates);
    const forbidden = templates.map((template) => ({
      ...template,
      rules: () => expect.unreachable("a rule was computed again"),
    }));
    const returns = (job: Partial<GridJob>) => {
      const panel = new Float64Array(26 * DAYS);
      const counts: number[] = [];
      runGrid({ ...GRID, otherCosts: NO_COSTS, ...job, panel }, (run, _, __, other) =>
        counts.push(run.fillCount, run.positionDays, feesPaid(run, 0.001), ...other.returns),
      );
      return { panel, counts };
    };
    expect(returns({ fills, templates: forbidden })).toEqual(returns({ templates }));
  });

  test("refuses a panel that is too small and a window outside the history", () => {
    const visit = () => {};
    const panel = new Float64Array(286 * DAYS - 1);
    expect(() => runGrid({ ...GRID, panel }, visit)).toThrow(RangeError);
    expect(() => runGrid({ ...GRID, window: { from: 200, to: 99_999 } }, visit)).toThrow(
      RangeError,
    );
  });

  test("is defined for windows of 0, 1 and 2 days, and flat on the first", () => {
    for (const days of [0, 1, 2]) {
      runGrid({ ...GRID, window: { from: 200, to: 200 + days } }, (run) => {
        expect(run.returns).toHaveLength(days);
        expect(run.returns[0] ?? 0).toBe(0);
      });
    }
  });

  test("without costs, no run has a Sharpe ratio where prices do not move", () => {
    const still = (column: Float64Array) => new Float64Array(column.length).fill(42);
    const bars = withPrices(sliceBars(BARS, 0, 400), still);
    runGrid({ ...GRID, bars, window: { from: 200, to: 400 }, costs: NO_COSTS }, (run) => {
      expect(sharpeRatio(run.returns, 0, 200)).toBeNaN();
    });
  });
});
