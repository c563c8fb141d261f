import { expect, test } from "vitest";
import { annualGrowth } from "../../../quant/outcomes/annual-growth.ts";

test("a year of 365 days grows by its own factor", () => {
  expect(annualGrowth(1.25, 365)).toBe(0.25);
  expect(annualGrowth(4, 730)).toBe(1);
  expect(annualGrowth(0, 365)).toBe(-1);
});

test("no days, or a rate beyond float64, have no annual rate", () => {
  expect(annualGrowth(1, 0)).toBeNaN();
  expect(annualGrowth(10, 1)).toBeNaN();
});
