import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteWriter } from "../../../server/http/byte-writer.ts";
import {
  percent,
  significant,
  writePercent,
  writeSignificant,
} from "../../../server/http/significant-digits.ts";

const digitsOf = (value: number) =>
  Math.abs(value).toExponential().replace(/e.*$/, "").replace(".", "").length;

describe("a number of an answer", () => {
  test.each([
    [0, 0],
    [1, 1],
    [-1.5, -1.5],
    [1 / 3, 0.3333333333],
    [2 / 3, 0.6666666667],
    [-1234567.891234, -1234567.891],
    [9_999_999_999.9, 10_000_000_000],
    [12_345_678_901, 12_345_678_900],
    [1e15 + 3, 1e15],
    [0.1 + 0.2, 0.3],
    [1e-7 / 3, 3.333333333e-8],
    [1.23456789012e-30, 1.23456789e-30],
    [1.23456789012e30, 1.23456789e30],
    [5e-324, 5e-324],
    [1.797693134e308, 1.797693134e308],
  ])("%d is written %d", (value, expected) => {
    expect(significant(value)).toBe(expected);
  });

  test.each([NaN, Infinity, -Infinity, Number.MAX_VALUE])("%d is null", (value) => {
    expect(significant(value)).toBeNull();
    expect(percent(value)).toBeNull();
  });

  test("has at most 10 significant digits and is within half a unit of the last", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const written = significant(value);
        if (written === null) return; // exceeds float64 once rounded up
        expect(digitsOf(written)).toBeLessThanOrEqual(10);
        expect(Math.abs(written - value)).toBeLessThanOrEqual(Math.abs(value) * 5.000001e-10);
        expect(significant(written), "rounding again changes nothing").toBe(written);
      }),
      { numRuns: 20_000 },
    );
  });

  test("agrees with the decimal rounding of the platform but for ties", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), (value) => {
        const platform = Number(value.toPrecision(10));
        const unit = 10 ** (Math.floor(Math.log10(value)) - 9);
        expect(Math.abs(significant(value)! - platform)).toBeLessThanOrEqual(unit * 1.001);
      }),
      { numRuns: 20_000 },
    );
  });
});

test("a fraction is a percentage", () => {
  expect(percent(0.125)).toBe(12.5);
  expect(percent(-0.5)).toBe(-50);
});

describe("a written number", () => {
  const out = new ByteWriter(8);
  const written = (value: number) => {
    out.clear();
    writeSignificant(out, value);
    out.text(" ");
    writePercent(out, value);
    return out.written.toString();
  };
  const expected = (value: number) =>
    `${JSON.stringify(significant(value))} ${JSON.stringify(percent(value))}`;

  test("is the text of the rounded number", () => {
    const number = fc.oneof(
      fc.double(),
      fc.double({ min: -1e11, max: 1e11 }),
      fc.double({ min: -1e-2, max: 1e-2 }),
      fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 22 })).map(([n, e]) => n / 10 ** e),
      fc
        .tuple(fc.integer({ min: -1e10, max: 1e10 }), fc.integer({ min: 0, max: 15 }))
        .map(([n, e]) => (n + 0.5) / 10 ** e), // half a unit of the last digit
    );
    fc.assert(
      fc.property(number, (value) => {
        expect(written(value)).toBe(expected(value));
      }),
      { numRuns: 50_000 },
    );
  });

  test("also next to powers of ten and at the edges of its own arithmetic", () => {
    const values: number[] = [];
    for (let exponent = -24; exponent < 24; exponent++) {
      for (const digits of ["1", "9.9999999995", "1.00000000005", "5", "9.99999999949999"]) {
        values.push(...around(Number(`${digits}e${exponent}`)));
      }
    }
    values.push(0, 1e-6, 9.999999999e-7, 1e10, 9999999999.99, 5e-324, NaN, Infinity);
    const different = values.flatMap((value) =>
      [value, -value].filter((signed) => written(signed) !== expected(signed)),
    );
    expect(different).toEqual([]);
  });
});

/** The 40 float64s on either side. */
function around(value: number): number[] {
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  return Array.from({ length: 81 }, (_, index) => {
    return new Float64Array(BigInt64Array.of(bits[0]! + BigInt(index - 40)).buffer)[0]!;
  });
}
