import { describe, expect, test } from "vitest";
import { linearFit } from "../../../quant/overfitting/linear-fit.ts";

describe("linearFit", () => {
  test("agrees with scipy.stats.linregress", () => {
    const fit = linearFit(Float64Array.of(1, 2, 3, 5), Float64Array.of(2, 1, 4, 3));
    expect(fit.slope).toBeCloseTo(0.4, 14);
    expect(fit.intercept).toBeCloseTo(1.4, 14);
    expect(fit.rSquared).toBeCloseTo(0.28, 14);
  });

  test("explains all of a line, and is undefined where y does not vary", () => {
    const x = Float64Array.of(1, 2, 4);
    expect(
      linearFit(
        x,
        x.map((value) => 3 - 2 * value),
      ),
    ).toEqual({
      slope: -2,
      intercept: 3,
      rSquared: 1,
    });
    expect(linearFit(x, Float64Array.of(5, 5, 5))).toEqual({
      slope: 0,
      intercept: 5,
      rSquared: NaN,
    });
  });

  test("is nothing where x does not vary", () => {
    const nothing = { slope: NaN, intercept: NaN, rSquared: NaN };
    expect(linearFit(Float64Array.of(2, 2), Float64Array.of(1, 3))).toEqual(nothing);
    expect(linearFit(new Float64Array(0), new Float64Array(0))).toEqual(nothing);
  });
});
