import { describe, expect, test } from "vitest";
import { phaseFigures } from "../../../quant/check/other-days.ts";
import { expectedSharpe } from "../../../quant/check/trials-figures.ts";
import { checkOf, normalColumns } from "./panels.ts";

describe("starts", () => {
  test("show the record from five first days on", () => {
    const { starts, sharpe } = checkOf(normalColumns(3, 500, [1])).series!;
    expect(starts.map(({ first }) => first - starts[0]!.first)).toEqual([0, 50, 100, 150, 200]);
    expect(starts[0]!.sharpe).toBe(sharpe);
  });

  test("multiply the tries of one series, and of one series only", () => {
    const tries = (columns: readonly Float64Array[]) =>
      checkOf(columns, { nTrials: 20, starts: 5 }).trials.n;
    expect(tries(normalColumns(3, 500, [1]))).toBe(100);
    expect(tries(normalColumns(3, 500, [1, 0]))).toBe(20);
  });
});

describe("phases", () => {
  test("have the p-value of ten block sums, and of the best of many", () => {
    const days = Float64Array.from(
      { length: 105 },
      (_, row) => (row < 5 ? 9 : (row - 5) % 10) / 100,
    );
    const rising = days.map((value, row) => value + Math.floor((row - 5) / 10) / 100);
    const { bars, pValue } = phaseFigures(
      rising.map((value) => value - 0.08),
      1,
    );
    expect(bars).toBe(10);
    // sums of 10 days from -0.35 to 0.55 in steps of 0.1: t = 0.1 / (0.302765 / sqrt(10)) = 1.044466
    expect(pValue).toBeCloseTo(0.161755, 4);
    const many = phaseFigures(
      rising.map((value) => value - 0.08),
      3,
    ).pValue;
    expect(many).toBeCloseTo(1 - (1 - pValue) ** 3, 12);
  });

  test("are said of one series beside its verdict, and decide nothing", () => {
    const { verdict, series } = checkOf(normalColumns(3, 500, [1]), { nTrials: 1 });
    expect(series!.phases!.bars).toBe(50);
    const said = verdict.notes.filter((note) =>
      note.startsWith("If good and bad phases last up to 50 "),
    );
    expect(said).toHaveLength(1);
    expect(checkOf(normalColumns(3, 500, [1, 0])).series!.phases).toBeNull();
  });
});

describe("expectedSharpe", () => {
  test("is the mean of all where their spread is luck, and its own where it is not", () => {
    const of = { sharpe: 2, all: [2, 1, 0, -1], error: 0.5, rho: 0 };
    const centre = 0.5 / (1 + 0.25 / 4);
    const weight = 1 - 0.25 / (5 / 3);
    expect(expectedSharpe(of)).toBeCloseTo(centre + weight * (2 - centre), 12);
    expect(expectedSharpe({ ...of, error: 5 })).toBeCloseTo(0.5 / (1 + 25 / 4), 12);
    expect(expectedSharpe({ ...of, error: 1e-6 })).toBeCloseTo(2, 9);
    expect(expectedSharpe({ ...of, all: [2] })).toBeNaN();
  });
});
