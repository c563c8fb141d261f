import { describe, expect, test } from "vitest";
import { stationaryBlockLength } from "../../../quant/check/block-length.ts";
import { bartlettVariance } from "../../../quant/check/long-run-variance.ts";
import { realityCheck, stationaryVariance } from "../../../quant/check/reality-check.ts";
import { inferSharpe } from "../../../quant/check/sharpe-inference.ts";
import { signFlipTest } from "../../../quant/check/sign-flips.ts";
import { stepDown } from "../../../quant/check/step-down.ts";
import { blockBootstrapTest } from "../../../quant/check/block-bootstrap.ts";
import { madeUpPanel } from "./made-up-panel.ts";
import REFERENCES from "./references.json" with { type: "json" };

const PANEL = madeUpPanel(600, 6, 7);
const SERIES = PANEL[4]!;

function influence(returns: Float64Array): Float64Array {
  const { mean, deviation, sharpe } = inferSharpe(returns);
  return returns.map((value) => {
    const z = (value - mean) / deviation;
    return z - (sharpe / 2) * (z * z - 1);
  });
}

describe("arch, statsmodels, pyfixest and scipy, by references.py", () => {
  test("moments", () => {
    const { mean, deviation, skew, kurtosis } = inferSharpe(SERIES);
    expect(mean).toBeCloseTo(REFERENCES.mean, 14);
    expect(deviation).toBeCloseTo(REFERENCES.std, 14);
    expect(skew).toBeCloseTo(REFERENCES.skew, 12);
    expect(kurtosis).toBeCloseTo(REFERENCES.kurtosis, 12);
  });

  test("the automatic block length of the stationary bootstrap", () => {
    for (const [column, length] of REFERENCES.block_lengths.entries()) {
      expect(stationaryBlockLength(PANEL[column]!)).toBeCloseTo(length, 10);
    }
  });

  test("the variance of a mean under the stationary bootstrap", () => {
    for (const [column, variance] of REFERENCES.spa_variances.entries()) {
      expect(stationaryVariance(PANEL[column]!, 8) / variance).toBeCloseTo(1, 10);
    }
  });

  test("Bartlett's long-run variance, at a whole and at a broken bandwidth", () => {
    expect(bartlettVariance(influence(SERIES), 5)).toBeCloseTo(REFERENCES.bartlett_5, 12);
    expect(bartlettVariance(influence(SERIES), 5.5)).toBeCloseTo(REFERENCES.bartlett_5_5, 12);
  });

  test("White's and Hansen's p-values, within the noise of two generators", () => {
    const found = realityCheck(PANEL, { blockLength: 8, draws: 20_000, seed: 3 });
    expect(Math.abs(found.white - REFERENCES.white_p_value)).toBeLessThan(0.015);
    expect(Math.abs(found.hansen - REFERENCES.hansen_p_value)).toBeLessThan(0.015);
  });

  test("White's and Hansen's of whole numbers, whose draws may tie, and of their hundredths", () => {
    const whole = PANEL.slice(0, 4).map((column) => column.subarray(0, 64).map(Math.sign));
    const options = { blockLength: 8, draws: 2_000, seed: 3 };
    const hundredths = whole.map((column) => column.map((value) => value / 100));
    expect(realityCheck(hundredths, options)).toEqual(realityCheck(whole, options));
  });

  test("adjusted p-values of Romano and Wolf, by pyfixest, from the same redrawn statistics", () => {
    const redraws = madeUpPanel(99, 8, 11).map((column) => column.map(Math.abs));
    const { pValues } = stepDown({
      statistics: Float64Array.from(REFERENCES.romano_wolf.observed),
      draws: 99,
      redrawn: (variant, out) => out.set(redraws[variant]!),
    });
    expect(Array.from(pValues)).toEqual(REFERENCES.romano_wolf.p_values);
  });

  test("the step-down tests find the variants that StepM finds", () => {
    const options = { blockLength: 8, draws: 4_000, seed: 5 };
    for (const family of [signFlipTest(PANEL, options), blockBootstrapTest(PANEL, options)]) {
      const superior = Array.from(stepDown(family).pValues.entries())
        .filter(([, pValue]) => pValue <= 0.2)
        .map(([column]) => column);
      expect(superior).toEqual(REFERENCES.superior_at_20_pct);
    }
  });
});
