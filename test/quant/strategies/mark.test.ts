import { describe, expect, test } from "vitest";
import {
  above,
  markBreakout,
  markReturn,
  markReversion,
  markSides,
  markStrength,
} from "../../../quant/strategies/mark.ts";

const column = (...values: number[]) => Float64Array.from(values);

function marked(mark: (flags: Uint8Array) => void, days: number): number[] {
  const flags = new Uint8Array(days);
  mark(flags);
  return Array.from(flags);
}

describe("above", () => {
  test("a decimal tie is a tie, whichever way its binary fractions round", () => {
    expect(0.1 + 0.2 > 0.3).toBe(true);
    expect([above(0.1 + 0.2, 0.3), above(0.3, 0.1 + 0.2)]).toEqual([false, false]);
    expect([above(-0.1 - 0.2, -0.3), above(-0.3, -0.1 - 0.2)]).toEqual([false, false]);
  });

  test("the last digit of a price is a difference", () => {
    expect(above(123_456.79, 123_456.78)).toBe(true);
    expect(above(0.00001235, 0.00001234)).toBe(true);
    expect(above(1e-300, 0)).toBe(true);
  });

  test.each([1e-6, 1, 60_000, -1])("a tie at %d ends at a part in 1e11 of the second", (line) => {
    const apart = (parts: number) => line + Math.abs(line) * parts;
    expect([above(apart(0.98e-11), line), above(line, apart(-0.98e-11))]).toEqual([false, false]);
    expect([above(apart(1.02e-11), line), above(line, apart(-1.02e-11))]).toEqual([true, true]);
  });

  test("NaN is above nothing and nothing is above it", () => {
    expect([above(NaN, 1), above(1, NaN), above(NaN, NaN)]).toEqual([false, false, false]);
  });
});

describe("marks", () => {
  const days = 4;

  test("sides of a line", () => {
    const value = column(NaN, 2, 1, 3);
    expect(marked((flags) => markSides(value, column(1, 1, 2, 3), flags), days)).toEqual([
      0, 1, 2, 0,
    ]);
  });

  test("a first day that has its values", () => {
    expect(marked((flags) => markSides(column(2), column(1), flags), 1)).toEqual([1]);
    expect(marked((flags) => markStrength(column(51), 50, flags), 1)).toEqual([1]);
  });

  test("strength against a level", () => {
    expect(marked((flags) => markStrength(column(NaN, 51, 50, 49), 50, flags), days)).toEqual([
      0, 1, 0, 2,
    ]);
  });

  test("reversion between two levels", () => {
    const value = column(29, 30, 70, 71);
    expect(marked((flags) => markReversion(value, 30, 70, flags), days)).toEqual([1, 0, 0, 2]);
  });

  test("a channel, left upwards and downwards", () => {
    const channel = { middle: column(NaN, 10, 10, 10), width: column(1, 1, 1, 1), multiplier: 2 };
    const price = column(99, 13, 9, 12);
    expect(marked((flags) => markBreakout(price, channel, flags), days)).toEqual([0, 1, 2, 0]);
    const low = column(1, 7, 11, 8);
    expect(marked((flags) => markReturn(low, channel, flags), days)).toEqual([0, 1, 2, 0]);
  });

  test("silent until both the middle and the width of a channel are there", () => {
    const channel = {
      middle: column(10, 10, 10, 10),
      width: column(NaN, NaN, 1, 1),
      multiplier: 2,
    };
    const price = column(5, 15, 15, 5);
    expect(marked((flags) => markBreakout(price, channel, flags), days)).toEqual([0, 0, 1, 2]);
    expect(marked((flags) => markReturn(price, channel, flags), days)).toEqual([0, 0, 2, 1]);
  });
});
