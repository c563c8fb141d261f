import { describe, expect, test } from "vitest";
import { normalQuantile } from "../../../quant/overfitting/normal-quantile.ts";
import { stepDown } from "../../../quant/check/step-down.ts";
import { blockBootstrapTest } from "../../../quant/check/block-bootstrap.ts";
import { checkOf, normalColumns } from "./panels.ts";

/** How many of the hundred worlds do better. */
function beyond(report: ReturnType<typeof checkOf>): number {
  return report.luckQuantiles!.filter((value) => value >= report.series!.sharpe).length;
}

describe("the worlds without skill", () => {
  test.each([0.5, 1, 2])(
    "of one series are beyond it as often as its p-value says: %d",
    (sharpe) => {
      const columns = normalColumns(3, 750, [sharpe]);
      for (const nTrials of [1, 5, 40]) {
        const report = checkOf(columns, { nTrials });
        expect(Math.abs(beyond(report) - 100 * report.verdict.pValue)).toBeLessThanOrEqual(1);
      }
    },
  );

  test.each([0, 1, 3])("of a matrix are beyond it as often as its p-value says: %d", (sharpe) => {
    const columns = normalColumns(5, 500, [sharpe, 0, 0, 0, 0, 0, 0, 0]);
    for (const nTrials of [8, 80]) {
      const report = checkOf(columns, { nTrials });
      expect(Math.abs(beyond(report) - 100 * report.verdict.pValue)).toBeLessThanOrEqual(1);
    }
  });

  test("of one try over normal days are normal, with the error of a Sharpe ratio", () => {
    const report = checkOf(normalColumns(3, 1460, [1]), { nTrials: 1 });
    const worlds = report.luckQuantiles!;
    const error = report.series!.adjusted.standardError;
    expect(worlds).toHaveLength(100);
    expect(worlds[97]).toBeCloseTo(error * normalQuantile(0.975), 1);
    expect(worlds[49]! + worlds[50]!).toBeCloseTo(0, 3);
    expect(error).toBeCloseTo(Math.sqrt(1 / 4), 1); // four years
  });

  test("are there only with a p-value, and rise", () => {
    expect(checkOf(normalColumns(3, 12, [0])).luckQuantiles === null).toBe(
      Number.isNaN(checkOf(normalColumns(3, 12, [0])).verdict.pValue),
    );
    const worlds = Array.from(checkOf(normalColumns(5, 500, [1, 0, 0])).luckQuantiles!);
    expect(worlds).toEqual(worlds.toSorted((a, b) => a - b));
  });
});

test("the draws that a test may leave out are made for the picture", () => {
  const columns = normalColumns(5, 300, [2, 0.5, 0, 0, -1]);
  const of = { blockLength: 2, draws: 400, seed: 9 };
  const place = 0;
  const { luck, pValues } = stepDown(blockBootstrapTest(columns, of), place);
  const family = blockBootstrapTest(columns, of);
  const maxima = new Float64Array(of.draws).fill(-Infinity);
  for (const variant of columns.keys()) {
    if (family.statistics[variant]! > family.statistics[place]!) continue;
    const values = new Float64Array(of.draws);
    family.redrawn(variant, values, new Uint8Array(of.draws));
    for (const [draw, value] of values.entries()) maxima[draw] = Math.max(maxima[draw]!, value);
  }
  const found = luck();
  for (const [draw, value] of maxima.entries())
    expect(found[draw]).toBeCloseTo(value - family.statistics[place]!, 12);
  const reached = found.filter((value) => value >= -1e-10).length;
  expect((1 + reached) / 401).toBeCloseTo(pValues[place]!, 12);
});
