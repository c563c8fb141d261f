import { describe, expect, test } from "vitest";
import { normalMaximum } from "./normal-maximum.ts";

describe("normalMaximum", () => {
  test("is the normal itself for one", () => {
    expect(normalMaximum(1).mean).toBeCloseTo(0, 13);
    expect(normalMaximum(1).standardDeviation).toBeCloseTo(1, 13);
  });

  test("has the closed forms of two and three", () => {
    const { PI, sqrt } = Math;
    expect(normalMaximum(2).mean).toBeCloseTo(1 / sqrt(PI), 13);
    expect(normalMaximum(2).standardDeviation).toBeCloseTo(sqrt(1 - 1 / PI), 13);
    expect(normalMaximum(3).mean).toBeCloseTo(1.5 / sqrt(PI), 13);
    expect(normalMaximum(3).standardDeviation ** 2).toBeCloseTo(
      1 + sqrt(3) / (2 * PI) - 9 / (4 * PI),
      13,
    );
  });

  test("agrees with scipy's quadrature at ten and a hundred", () => {
    expect(normalMaximum(10).mean).toBeCloseTo(1.538752730835173, 12);
    expect(normalMaximum(10).standardDeviation).toBeCloseTo(0.5868081656390696, 12);
    expect(normalMaximum(100).mean).toBeCloseTo(2.507593636441684, 12);
    expect(normalMaximum(100).standardDeviation).toBeCloseTo(0.42942381581117667, 12);
  });
});
