import { assert, constantFrom, double, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { sliceBars } from "../../../quant/bars.ts";
import { dcaColumns, dcaOfWindow, type DcaColumns } from "../../../quant/outcomes/dca.ts";
import { lumpSumWins, lumpSumWinShare } from "../../../quant/outcomes/lump-sum.ts";
import { testBars } from "../../support/real-prices.ts";
import { barsOfCloses } from "./bars-of-closes.ts";
import { naivePlan } from "./naive-outcomes.ts";

const FREQUENCIES = ["daily", "weekly", "biweekly", "monthly"] as const;
const BARS = testBars("eth");

function rowOf(columns: DcaColumns, row: number) {
  const entries = Object.entries(columns).map(([name, column]) => [name, column[row]]);
  return Object.fromEntries(entries) as Record<keyof DcaColumns, number>;
}

describe("dcaOfWindow", () => {
  test("pays a fee on each of two purchases a fortnight apart", () => {
    // A dollar buys 1 / (100 x 1.25) and 1 / (200 x 1.25): 0.012 units, worth 2.4 at 200. One dollar grew for 14 days
    // to 1.4, as the other was paid in on the last day.
    const closes = [100, ...Array<number>(13).fill(150), 200];
    const bars = barsOfCloses("2024-01-01", closes);
    const plan = rowOf(
      dcaOfWindow(bars, { frequency: "biweekly", from: 0, to: 15, feeRate: 0.25 }),
      0,
    );
    expect(plan.purchases).toBe(2);
    expect(plan.units).toBeCloseTo(0.012, 15);
    expect(plan.value).toBeCloseTo(2.4, 12);
    expect(Math.log1p(plan.irr)).toBeCloseTo((Math.log(1.4) * 365) / 14, 10);
    expect(plan.lumpSumValue).toBeCloseTo(2 * (200 / 125), 12);
    // The first day is worth 0.8 at once.
    expect(plan.worstReturn).toBeCloseTo(-0.2, 12);
    expect(plan.worstDay).toBe(bars.day[0]);
  });

  test("buys every day, and its rate is the root worked by hand", () => {
    // With 10 % of fee and closes of 1 / 1.641, 1 and 1, three dollars become (1.641 + 1 + 1) / 1.1 = 3.31, which is
    // 1.1 x 1.1 + 1.1 + 1: each day earned 10 %.
    const bars = barsOfCloses("2024-01-01", [1 / 1.641, 1, 1]);
    const plan = rowOf(dcaOfWindow(bars, { frequency: "daily", from: 0, to: 3, feeRate: 0.1 }), 0);
    expect(plan.value).toBeCloseTo(3.31, 12);
    expect(Math.log1p(plan.irr)).toBeCloseTo(365 * Math.log(1.1), 9);
  });

  test("has no rate where fees take more than all that came before the last day", () => {
    const bars = barsOfCloses("2024-01-01", [100, 1]);
    const plan = rowOf(dcaOfWindow(bars, { frequency: "daily", from: 0, to: 2, feeRate: 0.1 }), 0);
    expect(plan.value).toBeLessThan(1);
    expect(plan.irr).toBeNaN();
  });

  test("agrees with dollars followed one at a time, for any frequency, window and fee", () => {
    const rows = BARS.day.length;
    assert(
      property(
        constantFrom(...FREQUENCIES),
        integer({ min: 0, max: rows - 1 }),
        integer({ min: 0, max: rows - 1 }),
        double({ min: 0, max: 0.1, noNaN: true }),
        (frequency, one, other, feeRate) => {
          const [from, to] = [Math.min(one, other), Math.max(one, other) + 1];
          const got = rowOf(dcaOfWindow(BARS, { frequency, from, to, feeRate }), from);
          const naive = naivePlan(sliceBars(BARS, 0, to), from, frequency, feeRate);
          expect(got.purchases).toBe(naive.purchaseDays.length);
          expect(got.worstDay).toBe(naive.worstDay);
          expect(got.daysUnderWater).toBe(naive.daysUnderWater);
          expect(got.value / naive.value).toBeCloseTo(1, 11);
          expect(got.lumpSumValue / naive.lumpSumValue).toBeCloseTo(1, 11);
          expect(got.worstReturn).toBeCloseTo(naive.worstReturn, 11);
          expect(got.daysInProfitShare).toBeCloseTo(naive.daysInProfitShare, 12);
          const known = Number.isFinite(naive.irr) ? naive.irr : NaN;
          // An annual rate from a few days is huge and just as sensitive, so its logarithm is compared.
          const apart = Math.abs(Math.log1p(got.irr) - Math.log1p(known));
          expect([Number.isNaN(got.irr), apart >= 1e-8]).toEqual([Number.isNaN(known), false]);
        },
      ),
      { numRuns: 150, seed: 4 },
    );
  });

  test("to the last day without a fee has the bits of the table", () => {
    for (const frequency of FREQUENCIES) {
      const table = dcaColumns(BARS, frequency);
      for (const from of [0, 1, 40, 700, BARS.day.length - 1]) {
        const window = { frequency, from, to: BARS.day.length, feeRate: 0 };
        expect(rowOf(dcaOfWindow(BARS, window), from)).toEqual(rowOf(table, from));
      }
    }
  });
});

describe("lumpSumWinShare", () => {
  test("is the share of the whole table", () => {
    for (const to of [366, 900, BARS.day.length]) {
      const bars = sliceBars(BARS, 0, to);
      for (const frequency of FREQUENCIES) {
        const ofTable = lumpSumWins(dcaColumns(bars, frequency));
        expect(lumpSumWinShare(bars, frequency)).toBe(ofTable);
      }
    }
  });

  test("has no value where no start day is a year old", () => {
    expect(lumpSumWinShare(sliceBars(BARS, 0, 365), "weekly")).toBeNaN();
  });
});
