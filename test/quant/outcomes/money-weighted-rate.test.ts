import { describe, expect, test } from "vitest";
import { moneyWeightedRate } from "../../../quant/outcomes/money-weighted-rate.ts";
import { naiveXirr } from "./naive-outcomes.ts";

const WEEKLY_53 = Array.from({ length: 53 }, (_, k) => 7 * k);
const MONTHLY_5 = [0, 31, 60, 91, 121];

interface Case {
  readonly frequency: "weekly" | "monthly";
  readonly rows: readonly number[];
  readonly last: number;
  readonly value: number;
}

function rate({ frequency, rows, last, value }: Case): number {
  return moneyWeightedRate({ rows: Int32Array.from(rows), first: 0, last, value }, frequency);
}

/** By bisection in 40-digit arithmetic (Python, mpmath). */
const REFERENCES: readonly (Case & { readonly expected: number })[] = [
  { frequency: "weekly", rows: WEEKLY_53, last: 370, value: 60, expected: 0.2664129588912338 },
  { frequency: "weekly", rows: WEEKLY_53, last: 364, value: 53.5, expected: 0.01897841203169089 },
  { frequency: "weekly", rows: [0], last: 10, value: 1.5, expected: 2675043.158290121 },
  { frequency: "weekly", rows: [0, 7], last: 8, value: 5, expected: 3.505424040095189e26 },
  { frequency: "monthly", rows: MONTHLY_5, last: 150, value: 7.25, expected: 3.29645907567908 },
  { frequency: "monthly", rows: MONTHLY_5, last: 121, value: 2.5, expected: -0.99505901892018 },
];

describe("moneyWeightedRate", () => {
  test.each(REFERENCES)("$frequency: $value after $last days is $expected", (reference) => {
    expect(Math.abs(rate(reference) / reference.expected - 1)).toBeLessThan(1e-12);
  });

  test("keeps its digits near zero", () => {
    const got = rate({ frequency: "weekly", rows: WEEKLY_53, last: 364, value: 53.0000001 });
    // In float64 the value, 53.0000001, is known to 7e-15, which leaves eight digits of the difference.
    expect(Math.abs(got - 3.783951899513136e-9)).toBeLessThan(1e-15);
    expect(rate({ frequency: "weekly", rows: WEEKLY_53, last: 364, value: 53 })).toBe(0);
    expect(rate({ frequency: "monthly", rows: MONTHLY_5, last: 150, value: 5 })).toBe(0);
  });

  test("is the mean age's rate where the value is a few roundings from what was paid", () => {
    for (let ulps = -20; ulps <= 20; ulps++) {
      const value = 53 * (1 + ulps * Number.EPSILON);
      const got = rate({ frequency: "weekly", rows: WEEKLY_53, last: 364, value });
      // Beside zero (1 + r)^(age / 365) is 1 + r age / 365, and the mean age is 182 days.
      expect(Math.abs(got - ((value / 53 - 1) * 365) / 182), `${ulps}`).toBeLessThan(1e-15);
    }
  });

  test("is a total loss where next to nothing is left", () => {
    expect(rate({ frequency: "weekly", rows: [0, 7, 14], last: 15, value: 1e-6 })).toBe(-1);
    expect(rate({ frequency: "weekly", rows: [0, 7, 14], last: 14, value: 1 + 1e-15 })).toBe(-1);
    expect(rate({ frequency: "monthly", rows: MONTHLY_5, last: 121, value: 1 + 1e-15 })).toBe(-1);
  });

  test("is undefined when every purchase is made on the last day, and beyond float64", () => {
    expect(rate({ frequency: "weekly", rows: [3], last: 3, value: 1 })).toBeNaN();
    expect(rate({ frequency: "weekly", rows: [3], last: 4, value: 10 })).toBeNaN();
    expect(rate({ frequency: "weekly", rows: [0, 7], last: 7, value: 1 })).toBeNaN();
  });

  test("gives the weekly closed form and the monthly sum the same rate on the same purchases", () => {
    // Gaps of 28 days suit both: every fourth purchase of a weekly schedule, and months of 28 days.
    const monthly = rate({ frequency: "monthly", rows: [0, 28, 56, 84], last: 90, value: 4.4 });
    const flows = [0, 28, 56, 84].map((day) => ({ day, amount: -1 }));
    expect(monthly).toBeCloseTo(naiveXirr([...flows, { day: 90, amount: 4.4 }]), 11);
    const weekly = rate({ frequency: "weekly", rows: [0, 7, 14, 21], last: 24, value: 4.4 });
    const weekFlows = [0, 7, 14, 21].map((day) => ({ day, amount: -1 }));
    expect(weekly).toBeCloseTo(naiveXirr([...weekFlows, { day: 24, amount: 4.4 }]), 9);
  });

  test("the tests' own XIRR gives the spreadsheet's documented example", () => {
    // Microsoft Support, "XIRR function": 0.373362535.
    const flows = [
      { day: 13_879, amount: -10_000 }, // 2008-01-01
      { day: 13_939, amount: 2750 }, // 2008-03-01
      { day: 14_182, amount: 4250 }, // 2008-10-30
      { day: 14_290, amount: 3250 }, // 2009-02-15
      { day: 14_335, amount: 2750 }, // 2009-04-01
    ];
    expect(naiveXirr(flows)).toBeCloseTo(0.373362535, 8);
    expect(naiveXirr(flows)).toBeCloseTo(0.37336253351883164, 13);
  });
});
