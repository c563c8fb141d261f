import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SharedBody } from "../../../server/http/shared-body.ts";

describe("a shared body", () => {
  test("is its prefix and each caller's suffix, plain and compressed", () => {
    const body = new SharedBody('{"data":"₿ and more","meta":');
    for (const suffix of ["1}", '{"used":123456}}', "", "1}"]) {
      const whole = `{"data":"₿ and more","meta":${suffix}`;
      expect(body.plain(suffix).toString()).toBe(whole);
      expect(gunzipSync(body.gzip(suffix)).toString()).toBe(whole);
    }
  });

  test("accepts tails longer than the room after it", () => {
    const body = new SharedBody("x".repeat(100));
    const suffix = "y".repeat(5000);
    expect(body.plain(suffix).toString()).toBe("x".repeat(100) + suffix);
    expect(gunzipSync(body.gzip(suffix)).toString()).toBe("x".repeat(100) + suffix);
    expect(body.plain("z").toString(), "and short ones after them").toBe(`${"x".repeat(100)}z`);
  });

  test("compresses what repeats", () => {
    const body = new SharedBody("abcdefgh".repeat(10_000));
    expect(body.gzip("1").length).toBeLessThan(1000);
  });

  test("holds for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.array(fc.stringMatching(/^[ -~]*$/)),
        (prefix, tails) => {
          const body = new SharedBody(prefix);
          for (const suffix of tails) {
            expect(body.plain(suffix).toString()).toBe(prefix + suffix);
            expect(gunzipSync(body.gzip(suffix)).toString()).toBe(prefix + suffix);
          }
        },
      ),
    );
  });
});
