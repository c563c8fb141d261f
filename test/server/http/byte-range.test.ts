import { expect, test } from "vitest";
import { byteRange } from "../../../server/http/byte-range.ts";

const SIZE = 1000;

test.each([
  ["bytes=0-0", 0, 1],
  ["bytes=0-99", 0, 100],
  ["bytes=900-", 900, 100],
  ["bytes=990-5000", 990, 10],
  ["bytes=-1", 999, 1],
  ["bytes=-262144", 0, SIZE], // what polars asks for first
  ["Bytes=999-999", 999, 1], // the unit in any case (RFC 9110, 14.1)
])("%s of 1,000 bytes", (header, start, length) => {
  expect(byteRange(header, SIZE)).toEqual({ start, length });
});

/** Malformed, several, of another unit, or beyond the end. */
const REFUSED = [
  "bytes=",
  "bytes=-",
  "bytes=-0",
  "bytes=5-2",
  "bytes=1000-",
  "bytes=1000-1001",
  "bytes=99999999999999999999-",
  "bytes=0-99999999999999999999",
  "bytes=-1-2",
  "bytes=--1",
  "bytes=0x0-0x9",
  "bytes=0-1,5-6",
  "bytes=0-1, 5-6",
  "bytes=0 - 9",
  "bytes= 0-9",
  "bytes=0-9;",
  "bytes:0-9",
  "bytes 0-9",
  "0-9",
  "items=0-9",
  "bytes=1.5-9",
  "bytes=+1-9",
  "bytes=٠-٩",
];

test.each(REFUSED)("%s is no range", (header) => {
  expect(byteRange(header, SIZE)).toBeUndefined();
});

test("an empty file has none", () => {
  expect(["bytes=0-0", "bytes=-1", "bytes=0-"].map((header) => byteRange(header, 0))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
