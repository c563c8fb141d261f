import { expect, test } from "vitest";
import { inferSharpe } from "../../../quant/check/sharpe-inference.ts";
import { fallsOf } from "../../../quant/live/falls.ts";
import { maxDrawdown } from "../../../quant/engine/statistics.ts";
import { seededRandom } from "../../../quant/overfitting/seeded-random.ts";
import { binomialTail } from "../../../quant/check/binomial-tail.ts";
import { SHAPES } from "../../../scripts/dev/calibration-shapes.ts";

const BARS = 750;
const RECORDS = 60;

const fallsAt = (column: Float64Array, trials = 1) =>
  fallsOf({
    columns: [column],
    index: 0,
    inference: inferSharpe(column),
    trials,
    periodsPerYear: 365,
  });

// The factor on the spread of deviations was chosen on the first two; the others are held out.
test.each([
  "normal",
  "GARCH(1,1), t(4)",
  "t(4)",
  "AR(1) 0.2",
  "volatility with jumps",
  "short gamma with a stop",
])(
  "of %s days, 1 in 20 falls deeper, within the error of 60 records",
  { timeout: 120_000 },
  (name) => {
    const shape = SHAPES.find((one) => one.name === name)!;
    let [deeper, deeperInThree, made] = [0, 0, 0];
    for (let record = 0; record < RECORDS; record++) {
      const size = { variants: 1, bars: BARS + 3 * 365 };
      const days = shape.draw(size, seededRandom(29, record)).columns[0]!;
      const all = days.map((value) => value + (0.02 * 1.5) / Math.sqrt(365));
      const falls = fallsAt(all.subarray(0, BARS));
      if (falls === null) continue;
      made++;
      const deepest = (years: number) => maxDrawdown(all, BARS, BARS + years * 365);
      if (deepest(1) < falls.year.deep) deeper++;
      if (deepest(3) < falls.threeYears.deep) deeperInThree++;
    }
    expect(made).toBeGreaterThan(RECORDS - 5);
    for (const count of [deeper, deeperInThree])
      expect(binomialTail(count, made, 0.07)).toBeGreaterThan(0.01);
  },
);

test("three years are worse than one, and more tries leave less and fall deeper", () => {
  const shape = SHAPES[0]!;
  const column = shape.draw({ variants: 1, bars: BARS }, seededRandom(31, 0)).columns[0]!;
  const { year, threeYears } = fallsAt(column)!;
  expect(year.deep).toBeLessThan(year.median);
  expect(threeYears.median).toBeLessThan(year.median);
  expect(fallsAt(column, 1_000)!.year.median).toBeLessThan(year.median);
  expect(fallsAt(column)).toEqual(fallsAt(column));
});
