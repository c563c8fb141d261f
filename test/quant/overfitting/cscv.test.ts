import { describe, expect, test } from "vitest";
import { cscv } from "../../../quant/overfitting/cscv.ts";
import { dominanceOf } from "../../../quant/overfitting/dominance.ts";
import { linearFit } from "../../../quant/overfitting/linear-fit.ts";
import { seededUniform } from "../../support/made-up-bars.ts";
import { naiveCscv } from "./naive-cscv.ts";

interface Shape {
  readonly rows: number;
  readonly columns: number;
  readonly seed: number;
  /** Share of the days on which a column trades. */
  readonly active?: number;
  /** Mean return of the first column above that of the others. */
  readonly edge?: number;
}

function madeUpReturns({ rows, columns, seed, active = 1, edge = 0 }: Shape): Float64Array[] {
  const uniform = seededUniform(seed);
  return Array.from({ length: columns }, (_, column) =>
    Float64Array.from({ length: rows }, () => {
      const trades = uniform() < active;
      const value = (uniform() + uniform() + uniform() - 1.5) * 0.03;
      return trades ? value + (column === 0 ? edge : 0) : 0;
    }),
  );
}

function expectNaive(columns: readonly Float64Array[], blocks: number): void {
  const got = cscv(columns, blocks);
  const { inSample, outOfSample, all, ...expected } = naiveCscv(columns, blocks);
  expect(got).toMatchObject(expected);
  const points = inSample.map((_, k) => k).filter((k) => outOfSample[k] !== -Infinity);
  const fit = linearFit(
    Float64Array.from(points, (k) => inSample[k]!),
    Float64Array.from(points, (k) => outOfSample[k]!),
  );
  expect(got.degradation.slope).toBeCloseTo(fit.slope, 9);
  expect(got.degradation.intercept).toBeCloseTo(fit.intercept, 9);
  expect(got.degradation.rSquared).toBeCloseTo(fit.rSquared, 9);
  const dominance = dominanceOf(Float64Array.from(outOfSample), Float64Array.from(all));
  expect(got.dominance.worstExcess).toBeCloseTo(dominance.worstExcess, 9);
  expect(got.dominance.meanAdvantage).toBeCloseTo(dominance.meanAdvantage, 9);
  expect(got.dominance.secondOrder).toBe(dominance.secondOrder);
}

describe("cscv", () => {
  test.each([
    { rows: 160, columns: 13, seed: 1, blocks: 8 },
    { rows: 161, columns: 12, seed: 2, blocks: 8 },
    { rows: 167, columns: 7, seed: 3, blocks: 8 },
    { rows: 240, columns: 13, seed: 4, blocks: 12 },
    { rows: 90, columns: 2, seed: 5, blocks: 6 },
    { rows: 40, columns: 30, seed: 6, blocks: 2 },
    { rows: 200, columns: 13, seed: 7, blocks: 10, edge: 0.004 },
    { rows: 80, columns: 5, seed: 8, blocks: 16 },
  ])("agrees with the naive one: $columns columns of $rows rows, $blocks blocks", (shape) => {
    const columns = madeUpReturns(shape);
    expect(cscv(columns, shape.blocks).columns).toBe(shape.columns);
    expectNaive(columns, shape.blocks);
  });

  test("leaves over the oldest rows", () => {
    const columns = madeUpReturns({ rows: 96, columns: 5, seed: 9 });
    const older = columns.map((column) => Float64Array.of(9, -9, 9, ...column));
    expect(cscv(older, 8)).toEqual(cscv(columns, 8));
    expect(cscv(older, 8).rows).toBe(96);
  });

  test("agrees with the naive one where columns are equal, rarely trade, or never", () => {
    const columns = madeUpReturns({ rows: 96, columns: 9, seed: 10, active: 0.06 });
    columns.push(
      new Float64Array(columns[3]!),
      new Float64Array(columns[0]!),
      new Float64Array(96),
    );
    expect(cscv(columns, 8).columns).toBe(11);
    expectNaive(columns, 8);
    const traded: Float64Array[] = columns.map((column, k) =>
      column.map((value, row) => (row % 90 === k ? value : 0)),
    );
    traded.push(...madeUpReturns({ rows: 96, columns: 3, seed: 11, active: 0.05 }));
    expectNaive(traded, 8);
  });

  test.each([
    [31, 4, 5],
    [32, 6, 2],
    [33, 8, 13],
  ])(
    "ties like the naive one, returns of -2 to 2: seed %d, %d blocks, %d columns",
    (seed, blocks, count) => {
      const uniform = seededUniform(seed);
      const columns = Array.from({ length: count }, () =>
        Float64Array.from({ length: 6 * blocks }, () => Math.floor(5 * uniform()) - 2),
      );
      expectNaive(columns, blocks);
      const { pbo, pboTiesInFull, probabilityOfLoss } = cscv(columns, blocks);
      expect(pboTiesInFull).toBeGreaterThan(pbo);
      // Hundredths aren't exact in float64, so sums that should be equal differ by rounding.
      const hundredths = columns.map((column) => column.map((value) => value / 100));
      expect(cscv(hundredths, blocks)).toMatchObject({ pbo, pboTiesInFull, probabilityOfLoss });
    },
  );

  test("does not count a split whose half has no Sharpe in any column", () => {
    // Both columns trade only in the first two of four blocks.
    const columns = [1, 2].map((seed) => {
      const [column] = madeUpReturns({ rows: 40, columns: 1, seed });
      return column!.fill(0, 20);
    });
    const got = cscv(columns, 4);
    expect(got.splits).toBe(5);
    expectNaive(columns, 4);
  });

  test("is 0 where one column is best in every half, and 1 where the best is always undone", () => {
    const ramp = [0, 1, 2, 3, 4].map((column) =>
      Float64Array.from(
        { length: 64 },
        (_, row) => 0.01 * (row % 2 === 0 ? 1 : -1) + 0.002 * column,
      ),
    );
    expect(cscv(ramp, 8)).toMatchObject({ pbo: 0, pboTiesInFull: 0, probabilityOfLoss: 0 });
    // One column earns in the first half of the rows what it loses in the second; the other does the
    // reverse.
    const mirrored = [1, -1].map((sign) =>
      Float64Array.from({ length: 64 }, (_, row) => {
        const noise = row % 2 === 0 ? 0.001 : -0.001;
        return (row < 32 ? sign : -sign) * 0.01 + noise;
      }),
    );
    expect(cscv(mirrored, 2)).toMatchObject({ pbo: 1, probabilityOfLoss: 1 });
  });

  test("does not depend on the scale of the returns, nor on the order of rows within a block", () => {
    const columns = madeUpReturns({ rows: 128, columns: 13, seed: 12 });
    const expected = cscv(columns, 8);
    const scaled = columns.map((column) => column.map((value) => value * 1024));
    expect(cscv(scaled, 8)).toEqual(expected);
    const turned = columns.map((column) => {
      return Float64Array.from(
        { length: 128 },
        (_, row) => column[row - (row % 16) + 15 - (row % 16)]!,
      );
    });
    expect(cscv(turned, 8)).toMatchObject({ pbo: expected.pbo, splits: expected.splits });
  });

  test("of noise is centred at one half with half ties, at 7/13 with full ones", () => {
    // 2,000 seeded matrices of 13 columns without skill. A single PBO has a standard deviation of about
    // 0.2, so the mean has a standard error of 0.005; the test allows four of them.
    const matrices = 2000;
    let [half, full, squares] = [0, 0, 0];
    for (let seed = 1; seed <= matrices; seed++) {
      const got = cscv(madeUpReturns({ rows: 96, columns: 13, seed: 1000 + seed }), 8);
      half += got.pbo;
      squares += got.pbo * got.pbo;
      full += got.pboTiesInFull;
    }
    const mean = half / matrices;
    const standardError = Math.sqrt((squares / matrices - mean * mean) / matrices);
    expect(standardError).toBeGreaterThan(0.003);
    expect(standardError).toBeLessThan(0.006);
    expect(Math.abs(mean - 0.5)).toBeLessThan(4 * standardError);
    expect(Math.abs(full / matrices - 7 / 13)).toBeLessThan(4 * standardError);
    expect(full / matrices - mean).toBeGreaterThan(0.03);
  });

  test("has no value for fewer than two columns that vary", () => {
    const [column] = madeUpReturns({ rows: 32, columns: 1, seed: 13 });
    const flat = new Float64Array(32).fill(0.001);
    for (const columns of [[column!], [column!, flat], [flat, flat]]) {
      const got = cscv(columns, 4);
      expect(got.splits).toBe(0);
      expect(got.pbo).toBeNaN();
      expect(got.probabilityOfLoss).toBeNaN();
    }
  });

  test("rejects blocks that cannot be halved, too few rows and ragged columns", () => {
    const columns = madeUpReturns({ rows: 32, columns: 2, seed: 14 });
    for (const blocks of [0, 1, 3, 2.5, 22, NaN]) {
      expect(() => cscv(columns, blocks)).toThrow(RangeError);
    }
    expect(() => cscv(columns, 18)).toThrow(RangeError);
    expect(() => cscv([], 4)).toThrow(RangeError);
    expect(() => cscv([columns[0]!, columns[1]!.subarray(1)], 4)).toThrow(RangeError);
  });
});
