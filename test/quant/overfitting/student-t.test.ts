import { describe, expect, test } from "vitest";
import { studentPValue, studentUpperTail } from "../../../quant/overfitting/student-t.ts";
import { relativeError } from "./relative-error.ts";

describe("studentPValue and studentUpperTail", () => {
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
    expect(studentUpperTail(tRatio, freedom)).toBe(studentPValue(tRatio, freedom) / 2);
    expect(studentUpperTail(-tRatio, freedom)).toBe(1 - studentPValue(tRatio, freedom) / 2);
  });

  test("are 1 and a half where nothing was found", () => {
    expect(studentPValue(0, 7)).toBe(1);
    expect(studentUpperTail(0, 7)).toBe(0.5);
  });
});
