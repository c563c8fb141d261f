import { describe, expect, test } from "vitest";
import { boundedRaw, RAW_LENGTH_MAX } from "../../../pipeline/price-rules/raw-row.ts";

describe("boundedRaw", () => {
  test("keeps a short row and cuts a long one visibly", () => {
    expect(boundedRaw("x".repeat(RAW_LENGTH_MAX))).toBe("x".repeat(RAW_LENGTH_MAX));
    expect(boundedRaw("x".repeat(RAW_LENGTH_MAX + 1))).toBe(`${"x".repeat(RAW_LENGTH_MAX - 1)}…`);
  });

  test("never cuts a character in half, since no table can hold half of one", () => {
    for (let length = 4; length < 12; length++) {
      for (const text of ["🪙".repeat(9), `a${"🪙".repeat(9)}`, `🪙🪙🪙ab${"🪙a".repeat(9)}`]) {
        const cut = boundedRaw(text, length);
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(Buffer.from(cut).toString()).toBe(cut);
      }
    }
  });
});
