import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteWriter } from "../../../server/http/byte-writer.ts";
import { constantInJson, writeJson } from "../../../server/http/json-writer.ts";
import { significant } from "../../../server/http/significant-digits.ts";

function jsonOf(value: unknown): string {
  const out = new ByteWriter(16);
  writeJson(out, value);
  return Buffer.from(out.written).toString();
}

describe("the JSON writer writes what JSON.stringify does", () => {
  test("for any plain data", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonOf(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 1000 },
    );
  });

  test("for any number, rounded or not", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double(),
          fc.float(),
          fc.double({ min: -1e10, max: 1e10 }),
          fc.double({ min: -1e-3, max: 1e-3 }),
          fc
            .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 22 }))
            .map(([n, e]) => n / 10 ** e),
        ),
        (value) => {
          expect(jsonOf(value)).toBe(JSON.stringify(value));
          const rounded = significant(value);
          expect(jsonOf(rounded)).toBe(JSON.stringify(rounded));
        },
      ),
      { numRuns: 20_000 },
    );
  });

  test("at the edges of its own arithmetic", () => {
    const edges = [
      0, -0, 1e-6, 1e-7, 9.999999999e-7, 1e10, 9999999999.9, 1e15, 1e21, 1e22, 0.1, 5e-324,
    ];
    for (let exponent = -20; exponent < 25; exponent++) {
      for (const digits of [1, 9.999999999, 1.000000001, 9.9999999999, 1.23456789]) {
        edges.push(digits * 10 ** exponent, Number(`${digits}e${exponent}`));
      }
    }
    for (const edge of edges) {
      for (const value of [edge, -edge, significant(edge)]) {
        expect(jsonOf(value)).toBe(JSON.stringify(value));
      }
    }
  });

  test("without members that are undefined, and with constants put in", () => {
    const constant = constantInJson({ license: "CC BY 4.0", quote: '"\u20bf"' });
    const value = { constant, none: undefined, last: [constant, null, true, "\ud800"] };
    expect(jsonOf(value)).toBe(JSON.stringify(value));
    expect(jsonOf({ none: undefined })).toBe("{}");
  });
});
