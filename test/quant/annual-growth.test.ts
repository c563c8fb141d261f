import { expect, test } from "vitest";
import { annualGrowth } from "../../quant/annual-growth.ts";

test("a year of 365 days grows by its own factor", () => {
  expect(annualGrowth(1.25, 365)).toBe(0.25);
  expect(annualGrowth(4, 730)).toBe(1);
  expect(annualGrowth(0, 365)).toBe(-1);
});

test.each([
  [3.75, 100, 123.512836615539],
  [1.0009765625, 3000, 0.000118764178628473],
  [0.0625, 1234, -0.559609347136217],
])("%s-fold in %s days is what mpmath says", (factor, days, rate) => {
  // A power minus one would be off by 3e-13 in the second case.
  expect(Math.abs(annualGrowth(factor, days) / rate - 1)).toBeLessThan(1e-14);
});

test("no days, or a rate beyond float64, have no annual rate", () => {
  expect(annualGrowth(1, 0)).toBeNaN();
  expect(annualGrowth(10, 1)).toBeNaN();
});
