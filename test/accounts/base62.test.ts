import { describe, expect, test } from "vitest";
import { BASE62, encodeBase62, randomBase62 } from "../../accounts/keys.ts";

describe("base 62", () => {
  test("has 62 different digits in ASCII order", () => {
    expect(new Set(BASE62).size).toBe(62);
    expect(BASE62.split("").sort().join("")).toBe(BASE62);
  });

  // Worked by hand: 2^32 - 1 = 4*62^5 + 42*62^4 + 41*62^3 + 15*62^2 + 12*62 + 3.
  test.each([
    [0, "000000"],
    [61, "00000z"],
    [62, "000010"],
    [2 ** 32 - 1, "4gfFC3"],
  ])("writes %d as %s", (value, text) => {
    expect(encodeBase62(value, 6)).toBe(text);
  });

  test("refuses a number that needs more digits", () => {
    expect(() => encodeBase62(62, 1)).toThrow(RangeError);
  });

  test("draws bytes that would favour the first digits again", () => {
    const draws = [Uint8Array.of(255, 248, 0), Uint8Array.of(247, 61)];
    const sizes: number[] = [];
    const text = randomBase62(3, (size) => {
      sizes.push(size);
      return draws.shift()!;
    });
    expect(text).toBe("0zz"); // 247 = 3 * 62 + 61
    expect(sizes).toEqual([3, 2]);
  });

  test("makes every digit equally likely", () => {
    // All bytes once: each digit must come out 4 times (248 / 62).
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const text = randomBase62(248, () => every);
    for (const digit of BASE62) expect(text.split(digit).length - 1).toBe(4);
  });
});
