import { describe, expect, test } from "vitest";
import { cscv } from "../../../quant/overfitting/cscv.ts";
import { linearFit } from "../../../quant/overfitting/linear-fit.ts";
import { filledByRow, numpyNormals, rNormals } from "../../support/mersenne-twister.ts";
import { naiveCscv } from "./naive-cscv.ts";

describe("matrices from seeds", () => {
  test("numpy's generator gives what numpy.random.seed(42) is known to begin with", () => {
    const next = numpyNormals(42);
    const begin = [next(), next(), next()].map((value) => value.toFixed(8));
    expect(begin).toEqual(["0.49671415", "-0.13826430", "0.64768854"]);
  });

  test("R's generator gives what set.seed(42); rnorm(3) is known to print", () => {
    const next = rNormals(42);
    const begin = [next(), next(), next()].map((value) => value.toFixed(7));
    expect(begin).toEqual(["1.3709584", "-0.5646982", "0.3631284"]);
  });
});

/**
 * Results of pypbo 0.0.3: `numpy.random.seed(seed); M = numpy.random.normal(0, deviation, (rows, columns));
 * M[:, 0] += edge`, then `pbo(M, S, lambda x: x.mean(0) / x.std(0, ddof=1), threshold=0)`. `overfit` counts
 * its logits at or below 0, `ties` those at 0 (with 13 columns, the middle rank), `losses` its picks with a
 * negative Sharpe. The dominance comes from numpy alone, from the sorted values of all halves.
 */
const PYPBO = [
  {
    matrix: { seed: 42, rows: 1000, columns: 50, deviation: 0.01, edge: 0 },
    blocks: 10,
    splits: 252,
    overfit: 128,
    ties: 0,
    losses: 0.5396825396825397,
    worstExcess: 0.07753968253968258,
    meanAdvantage: 0.0022733915269599397,
    secondOrder: false,
    slope: -0.22564526957021017,
    intercept: 0.02418568216486551,
    rSquared: 0.008408700251844693,
  },
  {
    matrix: { seed: 7, rows: 252, columns: 20, deviation: 0.02, edge: 0 }, // four rows fill no block
    blocks: 8,
    splits: 70,
    overfit: 29,
    ties: 0,
    losses: 0.5142857142857142,
    worstExcess: 0.09928571428571431,
    meanAdvantage: 0.002663460223298976,
    secondOrder: false,
    slope: -0.2967297301339775,
    intercept: 0.029511235747799857,
    rSquared: 0.0246699682966629,
  },
  {
    matrix: { seed: 123, rows: 730, columns: 13, deviation: 0.03, edge: 0 }, // ten rows fill no block
    blocks: 16,
    splits: 12_870,
    overfit: 10_969,
    ties: 1305,
    losses: 0.6973581973581974,
    worstExcess: 0.3049668280437511,
    meanAdvantage: -0.029603287865155783,
    secondOrder: false,
    slope: -0.7378627824929095,
    intercept: 0.054126752597786744,
    rSquared: 0.28321166288957134,
  },
  {
    matrix: { seed: 2024, rows: 1095, columns: 13, deviation: 0.03, edge: 0 }, // the index's own shape
    blocks: 12,
    splits: 924,
    overfit: 339,
    ties: 45,
    losses: 0.3474025974025974,
    worstExcess: 0.03063603063603064,
    meanAdvantage: 0.017570416072279885,
    secondOrder: false,
    slope: -0.19497936597498997,
    intercept: 0.03837300685049477,
    rSquared: 0.01065378983727724,
  },
  {
    matrix: { seed: 0, rows: 400, columns: 100, deviation: 1, edge: 0 },
    blocks: 6,
    splits: 20,
    overfit: 13,
    ties: 0,
    losses: 0.7,
    worstExcess: 0.26450000000000007,
    meanAdvantage: -0.030648463885010423,
    secondOrder: false,
    slope: -0.10559680628518596,
    intercept: -0.01575484764355329,
    rSquared: 0.0027088051223798687,
  },
  {
    matrix: { seed: 1, rows: 512, columns: 8, deviation: 0.01, edge: 0.0008 },
    blocks: 16,
    splits: 12_870,
    overfit: 1678,
    ties: 0,
    losses: 0.1170940170940171,
    worstExcess: 0.0011655011655011815,
    meanAdvantage: 0.10746824957415377,
    secondOrder: true,
    slope: -0.4111710655077603,
    intercept: 0.2065999897974402,
    rSquared: 0.05465944484680598,
  },
  {
    matrix: { seed: 99, rows: 1096, columns: 286, deviation: 0.02, edge: 0 },
    blocks: 12,
    splits: 924,
    overfit: 484,
    ties: 0,
    losses: 0.5487012987012987,
    worstExcess: 0.09725880180425628,
    meanAdvantage: -0.0056046487987875815,
    secondOrder: false,
    slope: -0.5402912655411576,
    intercept: 0.05427907617382623,
    rSquared: 0.04603244875127807,
  },
] as const;

interface Matrix {
  readonly seed: number;
  readonly rows: number;
  readonly columns: number;
  readonly deviation: number;
  readonly edge: number;
}

function matrixOf({ seed, rows, columns, deviation, edge }: Matrix): Float64Array[] {
  const normal = numpyNormals(seed);
  const matrix = filledByRow(rows, columns, () => deviation * normal());
  matrix[0] = matrix[0]!.map((value) => value + edge);
  return matrix;
}

describe("PBO of other programs", () => {
  test.each(PYPBO)(
    "pypbo: seed $matrix.seed, $matrix.columns columns, $blocks blocks",
    ({ matrix, blocks, splits, overfit, ties, losses, secondOrder, ...figures }) => {
      const got = cscv(matrixOf(matrix), blocks);
      expect(got.splits).toBe(splits);
      expect(got.pboTiesInFull).toBe(overfit / splits);
      expect(got.pbo).toBe((overfit - ties / 2) / splits);
      expect(got.probabilityOfLoss).toBe(losses);
      expect(got.dominance).toMatchObject({ firstOrder: false, secondOrder });
      const near = Object.entries(figures).map(([name, value]) => [
        name,
        expect.closeTo(value, 12),
      ]);
      expect({ ...got.degradation, ...got.dominance }).toMatchObject(Object.fromEntries(near));
    },
  );

  test("R's pbo, by its own test: set.seed(852), 200 x 40 normals, four blocks", () => {
    // From the tests of mrbcuda/pbo: phi and the share of losses within (.49, .51), adjusted R^2 within
    // (-.24, -.22), and its "slope" within (.19, .20). That slope is the first coefficient of lm(IS ~ OOS),
    // which is an intercept. Its Sharpe ratio is over 0.03 / 252 per day.
    const columns = filledByRow(200, 40, rNormals(852)).map((column) =>
      column.map((value) => value - 0.03 / 252),
    );
    const { splits, pboTiesInFull, probabilityOfLoss, degradation } = cscv(columns, 4);
    expect([splits, pboTiesInFull, probabilityOfLoss]).toEqual([6, 0.5, 0.5]);
    const adjusted = 1 - ((1 - degradation.rSquared) * 5) / 4;
    expect(adjusted).toBeGreaterThan(-0.24);
    expect(adjusted).toBeLessThan(-0.22);
    const { inSample, outOfSample } = naiveCscv(columns, 4);
    const turned = linearFit(Float64Array.from(outOfSample), Float64Array.from(inSample));
    expect(turned.intercept).toBeGreaterThan(0.19);
    expect(turned.intercept).toBeLessThan(0.2);
  });

  // RiskLabAI 2.0.1's probability_of_backtest_overfitting with the same Sharpe ratio.
  test.each([
    { seed: 7, rows: 252, columns: 20, deviation: 0.02, blocks: 6, pbo: 0.6 },
    { seed: 11, rows: 640, columns: 10, deviation: 0.02, blocks: 16, pbo: 0.12517482517482517 },
  ])("RiskLabAI: seed $seed, $columns columns, $blocks blocks", ({ blocks, pbo, ...matrix }) => {
    expect(cscv(matrixOf({ ...matrix, edge: 0 }), blocks).pbo).toBe(pbo);
  });

  test("RiskLabAI, its own test: sin(0.7 t + 1.3 i), four blocks: every split overfit", () => {
    const columns = [1, 2, 3, 4].map((i) =>
      Float64Array.from({ length: 12 }, (_, k) => Math.sin(0.7 * (k + 1) + 1.3 * i)),
    );
    expect(cscv(columns, 4)).toMatchObject({ splits: 6, pbo: 1, pboTiesInFull: 1 });
  });
});
