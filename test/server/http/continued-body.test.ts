import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ContinuedBody, SharedBeginning } from "../../../server/http/continued-body.ts";

describe("a continued body", () => {
  test("is the beginning, its own rest and each caller's tail, plain and compressed", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.array(fc.string({ unit: "grapheme" }), { maxLength: 4 }),
        fc.array(fc.stringMatching(/^[ -~]*$/), { maxLength: 4 }),
        (text, rests, tails) => {
          const beginning = new SharedBeginning(Buffer.from(text));
          const bodies = rests.map((rest) => new ContinuedBody(beginning, Buffer.from(rest)));
          for (const tail of tails) {
            bodies.forEach((body, index) => {
              const whole = text + rests[index]! + tail;
              expect(body.plain(tail).toString()).toBe(whole);
              expect(gunzipSync(body.gzip(tail)).toString()).toBe(whole);
              expect(body.beginningBytes).toBe(Buffer.byteLength(text + rests[index]!));
            });
          }
        },
      ),
    );
  });

  test("takes rests and tails longer than the room behind the beginning, and holds only the rest", () => {
    const beginning = new SharedBeginning(Buffer.from("x".repeat(300_000)));
    const rest = Array.from({ length: 100_000 }, (_, index) => index).join(" ");
    const tail = "y".repeat(70_000);
    const long = new ContinuedBody(beginning, Buffer.from(rest));
    const short = new ContinuedBody(beginning, Buffer.from("z"));
    expect(long.plain(tail).toString()).toBe("x".repeat(300_000) + rest + tail);
    expect(gunzipSync(long.gzip("1}")).toString()).toBe(`${"x".repeat(300_000)}${rest}1}`);
    expect(gunzipSync(short.gzip("1}")).toString()).toBe(`${"x".repeat(300_000)}z1}`);
    expect(short.heldBytes).toBeLessThan(100);
  });
});
