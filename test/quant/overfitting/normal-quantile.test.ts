import { describe, expect, test } from "vitest";
import { logNormalCdf, normalCdf } from "../../../quant/overfitting/normal-cdf.ts";
import {
  normalQuantile,
  normalQuantileOfArea,
  normalQuantileOfLog,
} from "../../../quant/overfitting/normal-quantile.ts";
import { relativeError } from "./relative-error.ts";

/** p, quantile: 60-digit arithmetic (Python, mpmath), rounded to float64. */
const REFERENCES: readonly (readonly [p: number, quantile: number])[] = [
  [1e-300, -37.0470962993612],
  [1e-90, -20.164689059718683],
  [1e-17, -8.493793224109599],
  [1e-10, -6.361340902404057],
  [1e-9, -5.9978070150076865],
  [3.6787944117144234e-10, -6.158201105181182],
  [0.001, -3.0902323061678136],
  [0.05, -1.6448536269514726],
  [0.0749, -1.4402382675279637],
  [0.0751, -1.43882539275254],
  [0.1, -1.2815515655446004],
  [0.3, -0.5244005127080408],
];

describe("normalQuantile", () => {
  test.each(REFERENCES)("has all its digits at %d", (p, quantile) => {
    expect(relativeError(normalQuantile(p), quantile)).toBeLessThan(2e-15);
    expect(relativeError(normalQuantileOfLog(Math.log(p)), quantile)).toBeLessThan(2e-15);
  });

  test("is the other tail's with the opposite sign", () => {
    expect(normalQuantile(0.95)).toBeCloseTo(1.6448536269514722, 14);
    expect(normalQuantile(0.5)).toBe(0);
    expect(normalQuantile(0.75)).toBe(-normalQuantile(0.25));
  });

  test("is infinite at 0 and 1, and NaN outside", () => {
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
    for (const p of [-0.1, 1.1, NaN]) expect(normalQuantile(p)).toBeNaN();
  });

  test("inverts the distribution function over the whole line", () => {
    for (let z = -37; z < 5; z += 0.37) {
      // Above 0 the probability itself is rounded; this is the effect of its last unit on z.
      const rounding = z > 0 ? 1.2e-16 / (0.4 * Math.exp((-z * z) / 2)) : 0;
      const error = Math.abs(normalQuantile(normalCdf(z)) - z);
      expect(error).toBeLessThan(2e-15 * Math.max(1, Math.abs(z)) + rounding);
    }
  });
});

describe("normalQuantileOfLog", () => {
  test.each([
    [-800, -39.88469483825668],
    [-1e4, -141.37983987312717],
    [-1e12, -1414213.562362431],
    [-3, -1.6469217205277147],
  ])("is right where the probability is less than any float64: %d", (logP, quantile) => {
    expect(relativeError(normalQuantileOfLog(logP), quantile)).toBeLessThan(2e-15);
  });

  test("inverts the logarithm of the distribution function", () => {
    for (const z of [-1e150, -1e6, -50, -3, -1, 0.5, 2]) {
      expect(relativeError(normalQuantileOfLog(logNormalCdf(z)), z)).toBeLessThan(5e-15);
    }
    expect(normalQuantileOfLog(-Infinity)).toBe(-Infinity);
  });
});

describe("normalQuantileOfArea", () => {
  test("keeps the digits of a tiny area", () => {
    expect(relativeError(normalQuantileOfArea(1e-30), 2.5066282746310004e-30)).toBeLessThan(1e-15);
    expect(relativeError(normalQuantileOfArea(-0.0001), -0.0002506628300880351)).toBeLessThan(
      1e-14,
    );
    expect(normalQuantileOfArea(0.45)).toBe(normalQuantile(0.95));
  });
});
