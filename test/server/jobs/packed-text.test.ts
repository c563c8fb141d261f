import { assert, integer, oneof, property, string } from "fast-check";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { packedTextOf, packText, unpackText } from "../../../server/jobs/packed-text.ts";
import { ResultBody } from "../../../server/jobs/result-body.ts";

const text = oneof(
  string({ unit: "grapheme", maxLength: 400 }),
  integer({ min: 1, max: 60_000 }).map((length) => "1234567.89,".repeat(length)),
);

describe("a stored result", () => {
  test("is the text it was made of", () => {
    assert(
      property(text, (sent) => {
        expect(unpackText(packedTextOf(packText(sent))).toString()).toBe(sent);
      }),
    );
  });

  test("stands in a body as it is, plain and compressed", () => {
    const ascii = string({ unit: "grapheme-ascii", maxLength: 2000 });
    assert(
      property(string({ unit: "grapheme" }), text, ascii, ascii, (...parts) => {
        const [before, result, after, tail] = parts;
        const body = new ResultBody(before, packedTextOf(packText(result)), after);
        const whole = before + result + after + tail;
        expect(body.plain(tail).toString()).toBe(whole);
        // Inflating verifies the checksum and the length at the member's end.
        expect(gunzipSync(body.gzip(tail)).toString()).toBe(whole);
        expect(body.beginningBytes).toBe(Buffer.byteLength(before + result + after));
      }),
    );
  });
});
