import { describe, expect, test } from "vitest";
import { choiceReport } from "../../../quant/dataset/choice-report.ts";
import { sharpeRatio } from "../../../quant/engine/statistics.ts";
import { expectedMaximum } from "../../../quant/overfitting/deflated-sharpe.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

const DAYS = 400;
const IN_SAMPLE = 280;
const TRIALS = { trials: 12, meanCorrelation: 0.3, impliedTrials: 8.7, effectiveRank: 5.5 };

/** Two ideas, with six near copies each. */
function twoIdeas(): Float64Array[] {
  const uniform = seededUniform(11);
  const noise = () => (uniform() + uniform() + uniform() - 1.5) * 0.02;
  const ideas = [0, 1].map(() => Float64Array.from({ length: DAYS }, () => noise() + 0.0004));
  return Array.from({ length: 12 }, (_, run) =>
    ideas[run % 2]!.map((value) => value + 0.2 * noise()),
  );
}

describe("choiceReport", () => {
  const returns = twoIdeas();
  const report = choiceReport(returns, IN_SAMPLE, TRIALS)!; // all of them moved

  test("picks the best in-sample Sharpe and follows it", () => {
    const sharpes = returns.map((run) => sharpeRatio(run, 0, IN_SAMPLE));
    expect(report.inSampleSharpe).toBe(Math.max(...sharpes));
    expect(report.outOfSampleSharpe).toBe(sharpeRatio(returns[report.pick]!, IN_SAMPLE, DAYS));
    expect(report.moved).toBe(12);
    expect(report.cscv.splits).toBe(12_870);
  });

  test("counts the trials three ways, fewer of them the lower the bar", () => {
    const counts = report.reckonings.map(({ by, trials }) => [by, trials]);
    expect(counts).toEqual([
      ["runs", 12],
      ["implied_trials", 8.7],
      ["effective_rank", 5.5],
    ]);
    for (const { trials, luckBar, deflatedSharpe } of report.reckonings) {
      const bar = expectedMaximum(trials) * Math.sqrt(365 / (IN_SAMPLE - 1));
      expect(luckBar).toBeCloseTo(bar, 12);
      expect(deflatedSharpe).toBeGreaterThan(0);
    }
    const [runs, implied, rank] = report.reckonings;
    expect(runs!.deflatedSharpe).toBeLessThan(implied!.deflatedSharpe);
    expect(implied!.deflatedSharpe).toBeLessThan(rank!.deflatedSharpe);
  });

  test("leaves out a count that does not exist", () => {
    const { reckonings } = choiceReport(returns, IN_SAMPLE, { ...TRIALS, effectiveRank: NaN })!;
    expect(reckonings).toEqual(report.reckonings.slice(0, 2));
  });

  test("takes V from the runs", () => {
    const ratio = (by: string) => {
      const { trials, luckBarOfTrials } = report.reckonings.find((each) => each.by === by)!;
      return luckBarOfTrials / expectedMaximum(trials);
    };
    expect(ratio("implied_trials")).toBeCloseTo(ratio("runs"), 12);
    expect(ratio("effective_rank")).toBeCloseTo(ratio("runs"), 12);
  });

  test("is none where fewer than five runs moved", () => {
    const still = returns.map((run, index) => (index < 4 ? run : new Float64Array(DAYS)));
    expect(choiceReport(still, IN_SAMPLE, TRIALS)).toBeUndefined();
  });
});
