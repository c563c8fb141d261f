import { describe, expect, test } from "vitest";
import {
  logNormalCdf,
  normalAreaFromZero,
  normalCdf,
} from "../../../quant/overfitting/normal-cdf.ts";
import { relativeError } from "./relative-error.ts";

/** x, P(Z <= x), its logarithm: 60-digit arithmetic (Python, mpmath), rounded to float64. */
const REFERENCES: readonly (readonly [x: number, probability: number, log: number])[] = [
  [-37.5, 4.605353009581955e-308, -707.6689893175072],
  [-30, 4.906713927148187e-198, -454.3212439563432],
  [-20.1, 3.6896808637213897e-90, -205.92711840194823],
  [-12.3, 4.5287069561587846e-35, -79.08004179618399],
  [-8, 6.220960574271784e-16, -35.01343715991455],
  [-5.66, 7.568649751997714e-9, -18.69925115370278],
  [-5.65, 8.022391850663497e-9, -18.64102922378785],
  [-4.2, 1.3345749015906327e-5, -11.224312649601075],
  [-3, 0.0013498980316300946, -6.607726221510349],
  [-1.96, 0.024997895148220435, -3.6889636517296385],
  [-1, 0.15865525393145705, -1.8410216450092636],
  [-0.6745, 0.24999674286369916, -1.3863073897499663],
  [-0.6744, 0.2500285213729406, -1.386180282135383],
  [-0.3, 0.3820885778110474, -0.9621028181688507],
  [-1e-10, 0.49999999996010575, -0.6931471806397338],
  [0, 0.5, -Math.LN2],
  [0.1, 0.539827837277029, -0.6165050101150263],
  [0.6745, 0.7500032571363008, -0.28767772961280996],
  [1.5, 0.9331927987311419, -0.06914345561223398],
  [5.5, 0.9999999810104375, -1.8989562646189464e-8],
];

describe("normalCdf and logNormalCdf", () => {
  test.each(REFERENCES)("have all their digits at %d", (x, probability, log) => {
    expect(relativeError(normalCdf(x), probability)).toBeLessThan(2e-15);
    expect(relativeError(logNormalCdf(x), log)).toBeLessThan(2e-15);
  });

  test.each([
    [-40, -804.6084420137538],
    [-100, -5005.524208694205],
    [-1e5, -5000000012.431864],
    [6, -9.865876455243758e-10],
    [10, -7.619853024160525e-24],
    [20, -2.7536241186062337e-89],
    [37, -5.725571222524577e-300],
  ])("the logarithm has them where the probability is 0 or 1: %d", (x, log) => {
    expect(relativeError(logNormalCdf(x), log)).toBeLessThan(2e-15);
  });

  test("are defined to the ends of the line", () => {
    expect([-Infinity, -1e300, -40, 40, 1e300, Infinity].map(normalCdf)).toEqual([
      0, 0, 0, 1, 1, 1,
    ]);
    expect(logNormalCdf(-1e300)).toBe(-Infinity);
    expect(logNormalCdf(1e300)).toBe(-0);
    expect(normalCdf(NaN)).toBeNaN();
  });

  test("rise from one approximation's range into the next", () => {
    for (const edge of [0.67448975, Math.sqrt(32)]) {
      expect(normalCdf(-edge * (1 + 1e-14))).toBeLessThan(normalCdf(-edge * (1 - 1e-14)));
    }
  });
});

describe("normalAreaFromZero", () => {
  test("keeps the digits of a tiny area", () => {
    expect(relativeError(normalAreaFromZero(1e-10), 3.989422804014327e-11)).toBeLessThan(1e-15);
    expect(normalAreaFromZero(-1e-10)).toBe(-normalAreaFromZero(1e-10));
    expect(normalAreaFromZero(3)).toBe(normalCdf(3) - 0.5);
  });
});
