import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../quant/overfitting/seeded-random.ts";
import { cellSeed, runCell } from "../../../scripts/dev/calibration-cell.ts";
import { SHAPES } from "../../../scripts/dev/calibration-shapes.ts";

const CONTROLLED = SHAPES.filter(({ controlled }) => controlled);

/** P(at least `count` of `panels`) where each happens with `share`. */
function binomialTail(count: number, panels: number, share: number): number {
  let term = (1 - share) ** panels;
  let below = 0;
  for (let k = 0; k < count; k++) {
    below += term;
    term *= ((panels - k) / (k + 1)) * (share / (1 - share));
  }
  return 1 - below;
}

describe("the shapes", () => {
  test.each(SHAPES.map((shape) => [shape.name, shape] as const))("%s have mean 0", (_, shape) => {
    const random = seededRandom(5, 1);
    const column = shape.draw(200_000, random);
    const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
    const deviation = Math.sqrt(
      column.reduce((sum, value) => sum + value * value, 0) / column.length,
    );
    // Twenty overlapping bars count as one.
    expect(Math.abs(mean) / deviation).toBeLessThan(4 * Math.sqrt(20 / column.length));
  });
});

describe("the bound of 7 % on calling luck skill", () => {
  const cells = CONTROLLED.flatMap((shape) => [
    [shape.name, 1, 200, shape] as const,
    [shape.name, 13, 40, shape] as const,
  ]);

  test.each(cells)(
    "is not rejected at 1 %% for %s, %d variants",
    (name, variants, panels, shape) => {
      const cell = { shape: name, variants, bars: 250, panels, resamples: 200, edge: 0 };
      const { verdict } = runCell(cell, shape, cellSeed(`${name} ${variants}`));
      expect(binomialTail(verdict, panels, 0.07)).toBeGreaterThan(0.01);
    },
  );

  test("holds while a planted edge is found", () => {
    const shape = CONTROLLED[0]!;
    const cell = {
      shape: shape.name,
      variants: 1,
      bars: 750,
      panels: 100,
      resamples: 200,
      edge: 2,
    };
    expect(runCell(cell, shape, 1).verdict).toBeGreaterThan(70);
  });
});
