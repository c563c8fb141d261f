import { describe, expect, test } from "vitest";
import { dcaColumns } from "../../../quant/outcomes/dca.ts";
import { dcaWinner, lumpSumWins } from "../../../quant/outcomes/lump-sum.ts";
import { barsOfCloses } from "./bars-of-closes.ts";

const rising = (days: number) => Array.from({ length: days }, (_, row) => 1 + row / 100);

describe("dcaWinner", () => {
  test("names the schedule with the higher end value, and a tie within rounding", () => {
    expect(dcaWinner(100, 100.1)).toBe("lump_sum");
    expect(dcaWinner(100.1, 100)).toBe("dca");
    expect(dcaWinner(100, 100 * (1 + 1e-15))).toBe("tie");
    expect(dcaWinner(3e-9, 3.1e-9)).toBe("lump_sum");
    expect(dcaWinner(0, 0)).toBe("tie");
  });

  test.each([1e-9, 1, 1e9])("of values of %d are a tie up to a part in 1e12", (value) => {
    const [near, apart] = [value * (1 + 0.98e-12), value * (1 + 1.02e-12)];
    expect([dcaWinner(value, near), dcaWinner(near, value)]).toEqual(["tie", "tie"]);
    expect([dcaWinner(value, apart), dcaWinner(apart, value)]).toEqual(["lump_sum", "dca"]);
  });
});

describe("lumpSumWins", () => {
  test("is certain where the price only rises, and impossible where it only falls", () => {
    const days = 500;
    const falling = rising(days).reverse();
    expect(lumpSumWins(dcaColumns(barsOfCloses("2022-01-01", rising(days)), "weekly"))).toBe(1);
    expect(lumpSumWins(dcaColumns(barsOfCloses("2022-01-01", falling), "weekly"))).toBe(0);
  });

  test("does not count a tie as a win", () => {
    const flat = Array<number>(400).fill(49);
    expect(lumpSumWins(dcaColumns(barsOfCloses("2022-01-01", flat), "monthly"))).toBe(0);
  });

  test("counts only start days that are at least 365 days old", () => {
    const none = dcaColumns(barsOfCloses("2022-01-01", rising(365)), "weekly");
    expect(lumpSumWins(none)).toBeNaN();
    // The first day is above the later price, and it alone is 365 days old.
    const one = [100, ...rising(365)];
    expect(lumpSumWins(dcaColumns(barsOfCloses("2022-01-01", one), "weekly"))).toBe(0);
    const two = [1, 100, ...rising(365)];
    expect(lumpSumWins(dcaColumns(barsOfCloses("2022-01-01", two), "weekly"))).toBe(0.5);
  });

  test("is undefined without bars", () => {
    expect(lumpSumWins(dcaColumns(barsOfCloses("2022-01-01", []), "weekly"))).toBeNaN();
  });
});
