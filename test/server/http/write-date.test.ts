import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ByteWriter } from "../../../server/http/byte-writer.ts";
import { writeDate } from "../../../server/http/write-date.ts";

const DAY_MS = 86_400_000;
const out = new ByteWriter(64);

function written(day: number): string {
  out.clear();
  writeDate(out, day);
  return out.written.toString("latin1");
}

/** By the platform, whose calendar is the same. */
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

test("a day is written as its date, the first time and later, whether its text is kept or not", () => {
  const day = fc.oneof(
    fc.integer({ min: -365_000, max: 1_000_000 }),
    fc.integer({ min: 13_990, max: 30_390 }), // around those that are kept
  );
  fc.assert(
    fc.property(day, (each) => {
      const date = dateOf(each);
      expect([written(each), written(each)]).toEqual([date, date]);
    }),
  );
  for (const each of [13_999, 14_000, 30_383, 30_384]) expect(written(each)).toBe(dateOf(each));
});
