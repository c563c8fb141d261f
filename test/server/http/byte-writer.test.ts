import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteWriter, bytesOf } from "../../../server/http/byte-writer.ts";

const textOf = (out: ByteWriter) => Buffer.from(out.written).toString("latin1");

describe("a byte writer", () => {
  test("writes whole numbers as String() and toString(36) do", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 53 }), (value, bits) => {
        const number = Math.floor(value / 2 ** bits);
        const out = new ByteWriter(4);
        out.integer(number);
        out.text(" ");
        out.base36(number);
        expect(textOf(out)).toBe(`${number} ${number.toString(36)}`);
      }),
    );
    for (const edge of [
      0,
      9,
      10,
      999_999_999,
      1e9,
      1e9 + 1,
      1e18,
      2 ** 31,
      2 ** 31 - 1,
      1.5,
      -1,
      Infinity,
    ]) {
      const out = new ByteWriter(64);
      out.integer(edge);
      expect(textOf(out)).toBe(String(edge));
    }
  });

  test("writes decimals without zeros at their end, and numbers of a fixed length", () => {
    const digits = fc.oneof(
      fc.integer({ min: 1e9, max: 1e10 }),
      fc.integer({ min: 10, max: 100 }).map((two) => two * 1e8),
    );
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 15 }), (value, decimals) => {
        const out = new ByteWriter(4);
        out.decimal(value, decimals);
        const text = String(value).padStart(decimals + 1, "0");
        const point = text.length - decimals;
        const fraction = text.slice(point).replace(/0+$/, "");
        expect(textOf(out)).toBe(text.slice(0, point) + (fraction === "" ? "" : `.${fraction}`));
      }),
    );
    const out = new ByteWriter(1);
    out.padded(7, 2);
    out.padded(123_456_789, 9);
    expect(textOf(out)).toBe("07123456789");
  });

  test("grows, and begins again after clear", () => {
    const out = new ByteWriter(2);
    for (let round = 0; round < 3; round++) {
      out.clear();
      expect(out.length).toBe(0);
      out.bytes(bytesOf("abc"));
      out.text("d\u00e9f");
      expect(textOf(out)).toBe("abcd\u00e9f");
      expect(out.length).toBe(6);
    }
  });
});
