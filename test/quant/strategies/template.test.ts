import { describe, expect, test } from "vitest";
import { template } from "../../../quant/strategies/template.ts";

const WORDS = {
  name: "made_up",
  title: "Made up",
  family: "trend",
  description: "",
  entryRule: "",
  exitRule: "",
  references: [],
  rules: () => {},
} as const;

const parameters = [
  { name: "first", title: "First", unit: "days", default: 20 },
  { name: "second", title: "Second", unit: "fraction", default: 0.02 },
  { name: "third", title: "Third", unit: "days", default: 5 },
] as const;

describe("variants", () => {
  test("a diamond in two parameters, nearest first, decimals kept clean", () => {
    const { variants } = template({ ...WORDS, parameters, steps: { first: 5, second: 0.005 } });
    expect(variants.map(({ first, second }) => [first, second])).toEqual([
      [20, 0.02],
      [15, 0.02],
      [25, 0.02],
      [20, 0.015],
      [20, 0.025],
      [10, 0.02],
      [30, 0.02],
      [20, 0.01],
      [20, 0.03],
      [15, 0.015],
      [15, 0.025],
      [25, 0.015],
      [25, 0.025],
    ]);
    expect(variants.every(({ third }) => third === 5)).toBe(true);
  });

  test("a ladder in one", () => {
    const { variants } = template({ ...WORDS, parameters, steps: { first: 2 } });
    const ladder = [20, 18, 22, 16, 24, 14, 26, 12, 28, 10, 30, 8, 32];
    expect(variants.map(({ first }) => first)).toEqual(ladder);
  });

  test.each([[{}], [{ first: 1, second: 1, third: 1 }]])("refuses steps %j", (steps) => {
    expect(() => template({ ...WORDS, parameters, steps })).toThrow(RangeError);
  });
});
