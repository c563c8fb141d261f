import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BASE62,
  environmentOf,
  hashKey,
  KEY_LENGTH,
  makeKey,
  shownParts,
} from "../../accounts/keys.ts";

/** Stem and checksum computed independently of our code, with Python's zlib.crc32 and a loop of divmod 62. */
const VECTORS = [
  ["hs_live_000000000000000000000000000000", "2pIekK"],
  ["hs_test_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "4MMDUC"],
  ["hs_live_0123456789ABCDEFGHIJabcdefghij", "0RNfhE"],
  ["hs_live_abcdefghijklmnopqrstuvwxyzABCD", "0IrW58"],
  ["hs_live_KOwjDA2SDPo7ivJnEkeIWofSL544qE", "00DcN5"],
] as const;

describe("API keys", () => {
  test.each(VECTORS)("accepts %s with its checksum %s and no other", (stem, checksum) => {
    expect(environmentOf(stem + checksum)).toBe(stem.slice(3, 7));
    expect(environmentOf(`${stem}${checksum.slice(0, -1)}x`)).toBeUndefined();
  });

  test("are made with the documented alphabet and checksum", () => {
    expect(makeKey("live", (size) => new Uint8Array(size))).toBe(VECTORS[0].join(""));
  });

  test.each(["live", "test"] as const)("of the environment %s are recognised and differ", (env) => {
    const keys = Array.from({ length: 1000 }, () => makeKey(env));
    expect(new Set(keys).size).toBe(1000);
    for (const key of keys) {
      expect(key).toMatch(/^hs_(live|test)_[0-9A-Za-z]{36}$/);
      expect(key).toHaveLength(KEY_LENGTH);
      expect(environmentOf(key)).toBe(env);
    }
  });

  test("are refused with any one character mistyped, or two neighbours swapped", () => {
    const edits = fc.record({
      vector: fc.constantFrom(...VECTORS),
      at: fc.nat(KEY_LENGTH - 1),
      char: fc.constantFrom("_", ...BASE62.split("")),
    });
    const accepted = fc.sample(edits, 2_000).flatMap(({ vector, at, char }) => {
      const key = vector.join("");
      const mistyped = key.slice(0, at) + char + key.slice(at + 1);
      const swapped = key.slice(0, at) + (key[at + 1] ?? "") + key[at]! + key.slice(at + 2);
      const wrong = [mistyped, swapped].filter((text) => text !== key);
      return wrong.filter((text) => environmentOf(text) !== undefined);
    });
    expect(accepted).toEqual([]);
  });

  test.each([
    "",
    "hs_live_",
    "Bearer x",
    `${VECTORS[0].join("")} `,
    `${VECTORS[0].join("")}\n`,
    "hs_prod_0000",
  ])("refuses %j", (text) => {
    expect(environmentOf(text)).toBeUndefined();
  });

  test("are stored as their SHA-256 in hex", () => {
    // echo -n hs_live_0000000000000000000000000000002pIekK | sha256sum
    expect(hashKey(VECTORS[0].join(""))).toBe(
      "b2771b1efb01a4283c936203abd1cbfe47389f1de66f152a586061a95434f95f",
    );
  });

  test("show their beginning and last four", () => {
    expect(shownParts(VECTORS[3].join(""))).toEqual({ prefix: "hs_live_abcd", lastFour: "rW58" });
  });
});
