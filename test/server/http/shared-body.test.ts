import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SharedBody } from "../../../server/http/shared-body.ts";

describe("a shared body", () => {
  test("is its beginning and each caller's tail, plain and compressed", () => {
    const body = new SharedBody('{"data":"₿ and more","meta":');
    for (const tail of ["1}", '{"used":123456}}', "", "1}"]) {
      const whole = `{"data":"₿ and more","meta":${tail}`;
      expect(body.plain(tail).toString()).toBe(whole);
      expect(gunzipSync(body.gzip(tail)).toString()).toBe(whole);
    }
  });

  test("accepts tails longer than the room after it", () => {
    const body = new SharedBody("x".repeat(100));
    const tail = "y".repeat(5000);
    expect(body.plain(tail).toString()).toBe("x".repeat(100) + tail);
    expect(gunzipSync(body.gzip(tail)).toString()).toBe("x".repeat(100) + tail);
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
        (beginning, tails) => {
          const body = new SharedBody(beginning);
          for (const tail of tails) {
            expect(body.plain(tail).toString()).toBe(beginning + tail);
            expect(gunzipSync(body.gzip(tail)).toString()).toBe(beginning + tail);
          }
        },
      ),
    );
  });
});
