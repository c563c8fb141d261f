import { describe, expect, test } from "vitest";
import { cscv } from "../../../quant/overfitting/cscv.ts";
import { linearFit } from "../../../quant/overfitting/linear-fit.ts";
import { filledByRow, numpyNormals, rNormals } from "../../support/mersenne-twister.ts";
import { naiveCscv } from "./naive-cscv.ts";
import pypbo from "./pypbo.json" with { type: "json" };

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
 * negative Sharpe. The dominance comes from numpy alone, from the sorted values of all halves. Rows fill no block at
 * seeds 7 (four) and 123 (ten); seed 2024 has the index's own shape.
 */
const PYPBO = pypbo;

type Matrix = (typeof PYPBO)[number]["matrix"];

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
