import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SharedBeginning } from "../../../server/http/shared-beginning.ts";

describe("a shared beginning", () => {
  test("is followed by a body's own rest and each caller's tail, plain and compressed", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.array(fc.string({ unit: "grapheme" }), { maxLength: 4 }),
        fc.array(fc.stringMatching(/^[ -~]*$/), { maxLength: 4 }),
        (text, rests, tails) => {
          const beginning = new SharedBeginning(Buffer.from(text));
          const deflated = rests.map((rest) => beginning.deflate(Buffer.from(rest)));
          for (const tail of tails) {
            rests.forEach((rest, index) => {
              const whole = text + rest + tail;
              expect(beginning.plain(Buffer.from(rest), tail).toString()).toBe(whole);
              expect(gunzipSync(beginning.gzip(deflated[index]!, tail)).toString()).toBe(whole);
            });
          }
        },
      ),
    );
  });

  test("accepts rests and tails longer than the room after it, and deflates only the rest", () => {
    const text = "x".repeat(300_000);
    const beginning = new SharedBeginning(Buffer.from(text));
    const long = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index).join(" "));
    const tail = "y".repeat(70_000);
    expect(beginning.plain(long, tail).toString()).toBe(text + String(long) + tail);
    const unzipped = (rest: Buffer) =>
      gunzipSync(beginning.gzip(beginning.deflate(rest), "1}")).toString();
    expect(unzipped(long)).toBe(`${text}${String(long)}1}`);
    expect(unzipped(Buffer.from("z"))).toBe(`${text}z1}`);
    expect(beginning.deflate(Buffer.from("z")).deflated.length).toBeLessThan(100);
  });
});
