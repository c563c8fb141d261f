import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AnswerShelf } from "../../../server/requests/answer-shelf.ts";
import { SharedBeginning } from "../../../server/http/shared-beginning.ts";

const partsOf = (etag: string, rest: string, beginning?: SharedBeginning) => ({
  etag,
  headers: Buffer.from(`\r\nETag: ${etag}\r\nVary: Accept-Encoding`),
  beginning,
  rest: Buffer.from(rest),
});

describe("a shelf of answers", () => {
  test("finds each by all of its names, as it was put there", () => {
    const etag = fc.stringMatching(/^W\/"[!#-~]{0,40}"$/);
    const name = fc.stringMatching(/^[ -~]{0,60}$/);
    const answer = fc.record({ etag, rest: fc.string({ unit: "grapheme", maxLength: 3000 }) });
    fc.assert(
      fc.property(fc.dictionary(name, answer), fc.stringMatching(/^[ -~]*$/), (given, tail) => {
        const shelf = new AnswerShelf();
        const names = Object.keys(given);
        for (const [key, { etag: tag, rest }] of Object.entries(given)) {
          shelf.add([key], partsOf(tag, rest));
        }
        for (const key of names) shelf.name(`${key} again, in other words`, shelf.find(key)!);
        for (const [key, { etag: tag, rest }] of Object.entries(given)) {
          for (const each of [key, `${key} again, in other words`]) {
            const found = shelf.find(each)!;
            expect(found.etag).toBe(tag);
            expect(String(found.headers)).toBe(String(partsOf(tag, rest).headers));
            expect(String(found.plain(tail))).toBe(rest + tail);
            expect(gunzipSync(found.gzip(tail)).toString()).toBe(rest + tail);
            expect(found.beginningBytes).toBe(Buffer.byteLength(rest));
          }
        }
        expect(shelf.find("of nobody's making")).toBeUndefined();
      }),
    );
  });

  test("finds thousands, and no name but theirs", () => {
    const shelf = new AnswerShelf();
    const tickers = Array.from({ length: 5000 }, (_, n) => `coin=c${n.toString(36)}`);
    for (const ticker of tickers) shelf.add([ticker], partsOf('W/"a"', ticker.repeat(100)));
    for (const ticker of tickers) {
      expect(String(shelf.find(ticker)?.plain("1}"))).toBe(`${ticker.repeat(100)}1}`);
      expect(shelf.find(`${ticker}!`)).toBeUndefined();
    }
  });

  test("tells names apart that have the same mark", () => {
    const shelf = new AnswerShelf(() => -7);
    shelf.add(["ab"], partsOf('W/"1"', "first"));
    expect(shelf.find("bC")).toBeUndefined();
    shelf.add(["bC"], partsOf('W/"2"', "second"));
    expect([shelf.find("ab")?.etag, shelf.find("bC")?.etag]).toEqual(['W/"1"', 'W/"2"']);
    const more = Array.from({ length: 1000 }, (_, number) => `name ${number}`);
    for (const name of more) shelf.add([name], partsOf(`W/"${name}"`, "more"));
    expect(more.map((name) => shelf.find(name)?.etag)).toEqual(more.map((name) => `W/"${name}"`));
    expect(shelf.find("name 1000")).toBeUndefined();
  });

  test("keeps no name that is longer than 200 characters or not ASCII", () => {
    const shelf = new AnswerShelf();
    const names = ["x".repeat(200), "x".repeat(201), "coin=\u20bf", "coin=\u00e9"];
    const answer = shelf.add(names, partsOf('W/"1"', "body"));
    expect(String(answer.plain("1}"))).toBe("body1}");
    expect(names.map((name) => shelf.find(name) !== undefined)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test("puts what answers share in front of their own, and takes tails of any length", () => {
    const beginning = new SharedBeginning(Buffer.from("x".repeat(5000)));
    const shelf = new AnswerShelf();
    shelf.add(["a"], partsOf('W/"a"', "own", beginning));
    shelf.add(["b"], partsOf('W/"b"', "whole"));
    const long = "t".repeat(5000);
    for (const tail of ["1}", long]) {
      for (const [name, before] of [
        ["a", `${"x".repeat(5000)}own`],
        ["b", "whole"],
      ] as const) {
        const answer = shelf.find(name)!;
        expect(answer.beginningBytes).toBe(before.length);
        expect(String(answer.plain(tail))).toBe(before + tail);
        expect(gunzipSync(answer.gzip(tail)).toString()).toBe(before + tail);
      }
    }
  });
});
