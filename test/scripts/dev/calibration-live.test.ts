import { describe, expect, test } from "vitest";
import { stopTimes } from "../../../quant/live/how-long.ts";
import { contradiction, liveTrack } from "../../../quant/live/evidence.ts";
import { seededRandom } from "../../../quant/overfitting/seeded-random.ts";
import { runChunk } from "../../../scripts/dev/calibration-live-cell.ts";
import { brokenLiveBounds, liveRates } from "../../../scripts/dev/calibration-live.ts";
import { cellResults } from "../../../scripts/dev/calibration-results.ts";
import { liveShapesWith } from "../../../scripts/dev/calibration-live-shapes.ts";
import { normal } from "../../../scripts/dev/calibration-shapes.ts";

const SHAPES = liveShapesWith(undefined);

describe("live records", () => {
  test("do not depend on the chunk that they are made in", () => {
    const cell = { shape: "t(4)", variants: 2, bars: 250, edge: 1.5 };
    const whole = runChunk({ cell, from: 0, to: 6, seed: 3 });
    const parts = [0, 3].map((from) => runChunk({ cell, from, to: from + 3, seed: 3 }));
    for (const name of ["decay10y", "holds3y", "stopped3y"] as const)
      expect(parts[0]![name] + parts[1]![name]).toBe(whole[name]);
  });

  test("are of the shapes that the documentation names", () => {
    expect(SHAPES.map(({ name }) => name)).toEqual([
      "normal",
      "t(4)",
      "GARCH(1,1), t(4)",
      "AR(1) 0.2",
      "overlapping 20 bars",
      "in the market 5 %",
      "volatility with jumps",
      "EGARCH, skewed t(5)",
      "short gamma with a stop",
      "rebalanced monthly",
      "95 % wins",
      "98 % wins",
      "live at twice the size",
      "live at half the size",
      "doubled every other half-year",
    ]);
    const open = SHAPES.filter(({ kind }) => kind === "not controlled");
    expect(open.map(({ name }) => name)).toEqual(["EGARCH, skewed t(5)"]);
  });

  test("break a bound where the exact binomial test rejects it", () => {
    const cell = { shape: "normal", variants: 1, bars: 750, edge: 1.5 };
    const done = (falseStop10y: number, decay10y: number) => {
      const none = runChunk({ cell, from: 0, to: 0, seed: 1 });
      const counts = { ...none, falseStop10y, decay10y };
      return cellResults([cell], SHAPES, [{ chunk: { cell, from: 0, to: 200, seed: 1 }, counts }]);
    };
    // scipy.stats.binom.sf(22, 200, 0.07) is 0.0106, and of 23 0.0056; sf(141, 200, 0.632) is 0.0132, of 143 0.0062.
    expect(brokenLiveBounds(done(23, 142))).toEqual([]);
    expect(brokenLiveBounds(done(24, 144))).toEqual([
      "normal, N 1, T 750, SR 1.5: falsely stopped 24 of 200",
      "normal, N 1, T 750, SR 1.5: falsely decayed 144 of 200",
    ]);
    expect(liveRates(done(10, 0))[0]).toMatchObject({ variants: 1, bars: 750, falseStop10y: 0.05 });
  });
});

/** Of records of ten years, as the rule in force counted them; `make calibration` holds the promise itself, on hundreds. */
const RECORDED: readonly (readonly [shape: string, variants: number, counts: string])[] = [
  ["normal", 1, "3 3 0 1 8 4 6 3 13"],
  ["normal", 13, "1 1 2 2 7 2 11 3 10"],
  ["GARCH(1,1), t(4)", 1, "0 0 1 2 5 1 5 3 10"],
  ["GARCH(1,1), t(4)", 13, "1 1 1 1 8 3 7 3 13"],
  ["AR(1) 0.2", 1, "0 0 0 0 2 2 3 0 9"],
  ["AR(1) 0.2", 13, "1 1 2 2 10 1 7 0 5"],
  ["95 % wins", 1, "0 0 1 1 2 0 2 0 6"],
  ["95 % wins", 13, "0 0 0 0 4 0 2 0 2"],
];

describe("the rule in force", () => {
  test.each(RECORDED)(
    "counts as recorded on 20 of %s with %i variants",
    (shape, variants, said) => {
      const cell = { shape, variants, bars: 750, edge: 1.5 };
      const chunk = { cell, from: 0, to: 20, seed: 4 };
      const counts = runChunk(chunk);
      expect(Object.values(counts).join(" ")).toBe(said);
      expect(brokenLiveBounds(cellResults([cell], SHAPES, [{ chunk, counts }]))).toEqual([]);
    },
  );

  test("stops few of the best of many that overlap for hiding it", () => {
    const cell = { shape: "overlapping 20 bars", variants: 200, bars: 250, edge: 1.5 };
    const counts = runChunk({ cell, from: 0, to: 20, seed: 2026 });
    // With the best variant's own error 11 of the first 60 were stopped.
    expect(Object.values(counts).join(" ")).toBe("1 1 0 0 5 1 3 0 0");
  });
});

test("how long is that of simulated days, within three errors and five points", () => {
  const weights = { claim: 2, error: 0.5, dependence: 1 };
  const records = 400;
  const { share1y, share3y } = stopTimes(weights)(0);
  let [first, third] = [0, 0];
  for (let record = 0; record < records; record++) {
    const random = seededRandom(17, record);
    const days = Float64Array.from({ length: 3 * 365 }, () => 0.02 * normal(random));
    const { reachedAt } = contradiction(liveTrack(days, { periodsPerYear: 365 }), weights);
    if (reachedAt >= 0 && reachedAt < 365) first++;
    if (reachedAt >= 0) third++;
  }
  for (const [count, share] of [
    [first, share1y],
    [third, share3y],
  ] as const) {
    const error = Math.sqrt((share * (1 - share)) / records);
    expect(Math.abs(count / records - share)).toBeLessThan(3 * error + 0.05);
  }
});
