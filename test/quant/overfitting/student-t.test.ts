import { median } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { autocorrelationScale } from "./autocorrelation-scale.ts";
import {
  benjaminiYekutieli,
  bonferroni,
  harveyLiuBhy,
  holm,
} from "../../../quant/overfitting/multiple-testing.ts";
import { normalCdf } from "../../../quant/overfitting/normal-cdf.ts";
import { normalQuantile } from "../../../quant/overfitting/normal-quantile.ts";
import { studentPValue, studentTRatio } from "../../../quant/overfitting/student-t.ts";
import { seededUniform } from "../../support/made-up-bars.ts";
import { numpyNormals } from "../../support/mersenne-twister.ts";
import { relativeError } from "./relative-error.ts";

describe("studentPValue and studentTRatio", () => {
  // From mpmath's betainc with 40 digits.
  test.each([
    [0.1, 1, 0.9365489651388929],
    [1, 1, 0.5],
    [2.5, 3, 0.08770664700806555],
    [2.8848, 119, 0.004650863695168204],
    [4.7, 593, 3.237693691600109e-6],
    [12, 30, 5.580185415199257e-13],
    [40, 200, 2.2487396535202506e-97],
    [1e-6, 50, 0.9999992060946405],
    [0.5, 10_000, 0.6170860793232334],
  ])("p of t = %d with %d degrees of freedom", (tRatio, freedom, pValue) => {
    expect(relativeError(studentPValue(tRatio, freedom), pValue)).toBeLessThan(1e-11);
    expect(studentPValue(-tRatio, freedom)).toBe(studentPValue(tRatio, freedom));
    expect(relativeError(studentTRatio(pValue, freedom), tRatio)).toBeLessThan(1e-9);
  });

  test("meet at the ends", () => {
    expect(studentPValue(0, 7)).toBe(1);
    expect(studentTRatio(1, 7)).toBeCloseTo(0, 12);
    expect(() => studentTRatio(0, 7)).toThrow(RangeError);
  });
});

/** p-value of the best of `tests` independent tests: Harvey and Liu, eq. 4. */
const bestOf = (pValue: number, tests: number) => -Math.expm1(tests * Math.log1p(-pValue));

describe("published by Harvey and Liu, 2015, with Student's t", () => {
  /** Share cut off a Sharpe ratio that was the best of `tests`, over `months` of returns. */
  const haircut = (tRatio: number, tests: number, months: number) =>
    1 - studentTRatio(bestOf(studentPValue(tRatio, months - 1), tests), months - 1) / tRatio;

  test("text: 0.75 over 240 months, 200 tests: 0.308 by the t tail, 0.32 printed by the normal", () => {
    const tRatio = (0.75 / Math.sqrt(12)) * Math.sqrt(240);
    const pValue = studentPValue(tRatio, 239);
    expect(pValue).toBeCloseTo(0.000926, 6);
    expect(bestOf(pValue, 200)).toBeCloseTo(0.169, 3);
    const left = studentTRatio(bestOf(pValue, 200), 239) / Math.sqrt(240);
    expect(left * Math.sqrt(12)).toBeCloseTo(0.308, 3);
  });

  test("Exhibit 1, 1963 to 2012: 26.6 and 50.0 % of 10 and 50 tests; p^M 1.6e-4 of 50 is 19.2 %", () => {
    // 2.99 is the t-ratio on which both haircuts of the first strategy agree; the second strategy's is that
    // of its p^M.
    const months = 594;
    const percent = (share: number) => (100 * share).toFixed(1);
    expect(percent(haircut(2.99, 10, months))).toBe("26.6");
    expect(percent(haircut(2.99, 50, months))).toBe("50.0");
    const momentum = studentTRatio(1.6e-4 / 50, months - 1);
    expect(bestOf(studentPValue(momentum, months - 1), 100)).toBeCloseTo(3.2e-4, 6);
    expect(percent(haircut(momentum, 50, months))).toBe("19.2");
  });

  // Their program's example: an annual Sharpe of 1 from 120 months, autocorrelation 0.1, 100 tests.
  const SCALE = autocorrelationScale(12, 0.1) / Math.sqrt(12);
  const EXAMPLE = studentPValue((SCALE / Math.sqrt(12)) * Math.sqrt(120), 119);
  const sharpeOf = (pValue: number) =>
    (studentTRatio(pValue, 119) / Math.sqrt(120)) * Math.sqrt(12);

  test("Exhibit 5, Bonferroni: Sharpe 0.912, p 0.465, haircut Sharpe 0.232, haircut 74.6 %", () => {
    expect(SCALE).toBeCloseTo(0.912, 3);
    const [adjusted] = bonferroni([EXAMPLE, ...Array<number>(99).fill(1)]);
    expect(adjusted).toBeCloseTo(0.46512, 5);
    expect(sharpeOf(adjusted!)).toBeCloseTo(0.23173, 5);
    expect(1 - sharpeOf(adjusted!) / SCALE).toBeCloseTo(0.74598, 5);
  });

  test("Exhibit 5, simulated: Holm 0.409, BHY 0.169", () => {
    // The example joins 100 tested strategies; the answer is the median of its adjusted p-values.
    const draws = drawnPValues({ seed: 5, tests: 100 }).map((pValues) => [...pValues, EXAMPLE]);
    const adjusted = (adjust: (pValues: readonly number[]) => number[]) =>
      median(draws.map((pValues) => adjust(pValues)[100]!));
    expect(Math.abs(adjusted(holm) - 0.409)).toBeLessThan(0.005);
    expect(Math.abs(adjusted(harveyLiuBhy) - 0.169)).toBeLessThan(0.01);
  });

  /** Monthly return, in percent, with that t-ratio: 240 months at 10 % annual volatility. */
  const monthly = (tRatio: number) => (100 * tRatio * (0.1 / Math.sqrt(12))) / Math.sqrt(240);

  test("Exhibit 6: a monthly return of 0.365 % is enough for one test, 0.702 % for 300 by Bonferroni", () => {
    expect(monthly(-normalQuantile(0.05 / 2))).toBeCloseTo(0.365, 3);
    expect(monthly(-normalQuantile(0.05 / 300 / 2))).toBeCloseTo(0.702, 3);
  });

  test("Exhibit 6, simulated: 0.686 % by Holm, 0.621 % by BHY", () => {
    // Their program's hurdle for a draw. Holm's is the t-ratio of the first of 300 strategies that fails.
    // BHY's is at the mean of the p-values on either side of the last one that passes; 1.96 where none
    // passes. The answer is the median over the draws.
    const level = 0.05;
    const hurdles = drawnPValues({ seed: 6, tests: 300 }).map((drawn) => {
      const pValues = drawn.toSorted((a, b) => a - b);
      const failed = holm(pValues).findIndex((p) => p > level);
      const passed = benjaminiYekutieli(pValues).findLastIndex((p) => p <= level);
      const edge = (pValues[passed]! + (pValues[passed + 1] ?? pValues[passed]!)) / 2;
      return {
        holm: -normalQuantile(pValues[failed]! / 2),
        bhy: passed < 0 ? 1.96 : -normalQuantile(edge / 2),
      };
    });
    expect(Math.abs(monthly(median(hurdles.map((hurdle) => hurdle.holm))) - 0.686)).toBeLessThan(
      0.004,
    );
    expect(Math.abs(monthly(median(hurdles.map((hurdle) => hurdle.bhy))) - 0.621)).toBeLessThan(
      0.004,
    );
  });
});

/** As many as in their program. */
const DRAWS = 2000;

/**
 * p-values of strategies from the model of Harvey, Liu and Zhu, 2016, at a mean correlation of 0.4, drawn
 * as in Harvey and Liu's program: a share of 0.48604 earns nothing, the others an exponential 0.55413 % per
 * month, with 15 % annual volatility over 240 months. The numbers come from `_parameter_calculation` in
 * mlfinlab's `backtest_statistics/backtests.py`, a port of the program; the program itself could not be
 * opened.
 */
function drawnPValues({ seed, tests }: { seed: number; tests: number }): number[][] {
  const [rho, nothing, meanReturn] = [0.4, 0.48604, 0.0055413];
  const error = 0.15 / Math.sqrt(12) / Math.sqrt(240);
  const normal = numpyNormals(seed);
  const uniform = seededUniform(seed);
  return Array.from({ length: DRAWS }, () => {
    const common = Math.sqrt(rho) * normal();
    return Array.from({ length: tests }, () => {
      const mean = uniform() > nothing ? -meanReturn * Math.log(1 - uniform()) : 0;
      const tRatio = mean / error + common + Math.sqrt(1 - rho) * normal();
      return 2 * normalCdf(-Math.abs(tRatio));
    });
  });
}
