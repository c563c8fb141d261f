import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { binomialTail } from "../../../quant/check/binomial-tail.ts";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { checkPanel } from "../../../quant/check/check-panel.ts";
import { seededRandom } from "../../../quant/overfitting/seeded-random.ts";
import { calledIn, runChunk, seedOf, shapesWith } from "../../../scripts/dev/calibration-cell.ts";
import { earlyRuns } from "../../../scripts/dev/calibration-coins.ts";
import { brokenBounds } from "../../../scripts/dev/calibration-check.ts";
import { breaksBound, cellResults, readResults } from "../../../scripts/dev/calibration-results.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { SHAPES, type MadePanel } from "../../../scripts/dev/calibration-shapes.ts";

const CONTROLLED = SHAPES.filter(({ kind }) => kind === "controlled");

function deviationOf(column: Float64Array): number {
  return Math.sqrt(column.reduce((sum, value) => sum + value * value, 0) / column.length);
}

function autocorrelationOf(column: Float64Array): number {
  const products = column.subarray(1).reduce((sum, value, row) => sum + value * column[row]!, 0);
  return products / column.reduce((sum, value) => sum + value * value, 0);
}

describe("the shapes", () => {
  test.each(SHAPES.map((shape) => [shape.name, shape] as const))("%s have mean 0", (_, shape) => {
    const size = { variants: 1, bars: 200_000 };
    const column = shape.draw(size, seededRandom(5, 1)).columns[0]!;
    const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
    // Twenty overlapping bars count as one.
    const error = 4 * Math.sqrt(20 / column.length);
    expect(Math.abs(mean) / deviationOf(column)).toBeLessThan(error);
  });

  test.each([
    ["9 % overlapping 30 bars", 30, [1, 18]],
    ["25 % overlapping 15 bars", 15, [3, 50]],
    ["50 % overlapping 15 bars", 15, [6, 100]],
    ["holding 1 to 20 bars", 20, [12, 190]],
  ] as const)("%s are mixed as they are called", (name, longest, longer) => {
    const shape = SHAPES.find((one) => one.name === name)!;
    // The lag-1 autocorrelation of returns that overlap for k bars is 1 - 1/k.
    for (const [place, variants] of [13, 200].entries()) {
      const { columns } = shape.draw({ variants, bars: 6_000 }, seededRandom(6, variants));
      const found = columns.map((column) => 1 / (1 - autocorrelationOf(column)));
      expect(found.filter((span) => span > 1.2)).toHaveLength(longer[place]!);
      expect(Math.max(...found) / longest).toBeGreaterThan(0.75);
    }
  });

  test("a stopped short gamma never loses more than its stop", () => {
    const shape = SHAPES.find(({ name }) => name === "short gamma with a stop")!;
    const column = shape.draw({ variants: 1, bars: 5_000 }, seededRandom(5, 1)).columns[0]!;
    expect(Math.min(...column)).toBeCloseTo(0.02 * (0.9205365 - 4), 12);
    expect(Math.max(...column)).toBeLessThan(0.02 * 0.9205365);
  });
});

describe("a panel", () => {
  test.each(CONTROLLED.map((shape) => [shape.name, shape] as const))(
    "of %s is judged as checkPanel judges it",
    (_, shape) => {
      for (const variants of [1, 6]) {
        const made = shape.draw({ variants, bars: 400 }, seededRandom(11, variants));
        const report = reportOf(made);
        const called = calledIn(made);
        expect(called.includes("verdict")).toBe(report.verdict.value === "skill");
        expect(called.includes("luck")).toBe(report.verdict.value === "luck");
        expect(called.includes("withheld")).toBe(report.verdict.withheldReason !== null);
        expect(called.includes("psr")).toBe(report.series!.published.psr! >= 0.95);
        expect(called.includes("hansen")).toBe((report.family?.hansenPValue ?? 1) <= 0.05);
        expect(called.includes("pbo")).toBe((report.cscv?.pbo ?? 1) < 0.05);
      }
    },
  );

  test("does not depend on the chunk that it is made in", () => {
    const cell = { shape: "t(4)", variants: 1, bars: 250, edge: 1 };
    const whole = runChunk({ cell, from: 0, to: 60, seed: 3 });
    const parts = [0, 20, 40].map((from) => runChunk({ cell, from, to: from + 20, seed: 3 }));
    expect(parts.reduce((sum, { luck }) => sum + luck, 0)).toBe(whole.luck);
    expect(whole.luck).toBeGreaterThan(0);
  });
});

function reportOf({ columns }: MadePanel) {
  const rows = columns[0]!.length;
  const panel = buildPanel({
    kind: "returns",
    instants: Float64Array.from({ length: rows }, (_, row) => (19_000 + row) * 86_400),
    lines: new Int32Array(rows),
    names: columns.map((_, place) => `v${place}`),
    columns,
  });
  const source = { format: "made", tool: "calibration", kind: "returns" } as const;
  return checkPanel(panel, {
    source,
    resamples: 500,
    nTrials: columns.length === 1 ? 1 : undefined,
  });
}

describe("the file of results", () => {
  test("is read by whole lines, and goes on after one that was cut off", () => {
    const file = join(temporaryFolder("calibration"), "results.jsonl");
    expect(readResults(file)).toEqual([]);
    const chunk = {
      cell: { shape: "t(4)", variants: 1, bars: 50, edge: 0 },
      from: 0,
      to: 5,
      seed: 1,
    };
    const line = `${JSON.stringify({ chunk, counts: runChunk(chunk) })}\n`;
    writeFileSync(file, line + line.slice(0, 40));
    expect(readResults(file).map((result) => result.chunk)).toEqual([chunk]);
    appendFileSync(file, line);
    expect(readResults(file).map((result) => result.chunk)).toEqual([chunk, chunk]);
  });
});

test("our own runs knew no price too early", () => {
  const { tested, found } = earlyRuns(madeUpBars({ seed: 3, days: 1_900 }));
  expect(tested).toBeGreaterThan(200);
  expect(found).toBe(0);
  expect(earlyRuns(madeUpBars({ seed: 3, days: 88 }))).toEqual({ tested: 0, found: 0 });
});

describe("the bound of 7 % on calling luck skill", () => {
  test("is tested exactly", () => {
    // scipy.stats.binom.sf(89, 1000, 0.07) and binom.sf(40, 400, 0.07)
    expect(binomialTail(90, 1000, 0.07)).toBeCloseTo(0.009624478090187, 12);
    expect(binomialTail(41, 400, 0.07)).toBeCloseTo(0.009824740680677, 12);
    expect([breaksBound(89, 1000), breaksBound(90, 1000)]).toEqual([false, true]);
    expect(binomialTail(0, 10, 0.5)).toBe(1);
  });

  const cells: (readonly [string, number, number, number])[] = CONTROLLED.flatMap(
    ({ name, variantsMin = 1 }) => [
      ...(variantsMin === 1 ? [[name, 1, 250, 200] as const] : []),
      [name, 13, 250, 40] as const,
    ],
  );
  // In blocks as long as most variants need, 14 of these 60 were called skill.
  cells.push(["9 % overlapping 30 bars", 24, 500, 60]);

  test.each(cells)("is not rejected for %s, %d variants, %d days", (...of) => {
    const [shape, variants, bars, panels] = of;
    const cell = { shape, variants, bars, edge: 0 };
    const chunk = { cell, from: 0, to: panels, seed: seedOf("test") };
    const results = cellResults([cell], SHAPES, [{ chunk, counts: runChunk(chunk) }]);
    expect(results.map((result) => result.made)).toEqual([panels]);
    expect(brokenBounds(results)).toEqual([]);
  });

  test("holds while a planted edge is found", () => {
    const cell = { shape: "normal", variants: 1, bars: 750, edge: 2 };
    expect(runChunk({ cell, from: 0, to: 100, seed: 1 }).verdict).toBeGreaterThan(70);
  });

  test("is broken by a cell that calls too much skill", () => {
    const cell = { shape: "normal", variants: 1, bars: 250, edge: 0 };
    const chunk = { cell, from: 0, to: 100, seed: 1 };
    const counts = { ...runChunk(chunk), verdict: 20 };
    const broken = brokenBounds(cellResults([cell], SHAPES, [{ chunk, counts }]));
    expect(broken).toEqual(["normal, N 1, T 250: 20 of 100"]);
  });
});

describe("one series", () => {
  const shapes = shapesWith(undefined).filter(({ variantsMin = 1 }) => variantsMin === 1);
  const made = (
    shape: string,
    more: { variants: number; bars: number; edge: number },
    to: number,
  ) => {
    const cell = { shape, ...more, alone: true };
    const chunk = { cell, from: 0, to, seed: seedOf("one series") };
    return cellResults([cell], shapes, [{ chunk, counts: runChunk(chunk) }]);
  };

  test.each([
    ["42 days, skew -6.2", 20],
    ["100 days, skew -6.2", 200],
    ["100 days, skew -1.75", 20],
    ["overlapping 5 bars", 20],
  ])("the best of many of %s keeps the bound", (shape, variants) => {
    const results = made(shape, { variants, bars: 750, edge: 0 }, 60);
    expect(brokenBounds(results)).toEqual([]);
  });

  test("of returns that overlap is found in a quarter of cases at a Sharpe ratio of 1.5", () => {
    const [result] = made("overlapping 5 bars", { variants: 1, bars: 1000, edge: 1.5 }, 300);
    expect(result!.counts.verdict).toBeGreaterThan(0.2 * 300); // less three binomial errors
  });

  test("is called what checkPanel calls it", () => {
    for (const { draw } of shapes) {
      const { columns } = draw({ variants: 1, bars: 400 }, seededRandom(11, 1));
      const { verdict } = reportOf({ columns });
      expect(calledIn({ columns }, true).includes("verdict")).toBe(verdict.value === "skill");
    }
  });
});
