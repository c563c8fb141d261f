import { describe, expect, test } from "vitest";
import { historyUpTo } from "../../quant/bars.ts";
import { madeUpBars } from "../support/made-up-bars.ts";

const BARS = madeUpBars({ seed: 1, days: 1200 });
const LAST = BARS.day.at(-1)!;

describe("historyUpTo", () => {
  test.each([
    [LAST, 1200],
    [LAST + 10, 1200],
    [BARS.day[0]! + 9, 10],
    [BARS.day[0]! - 1, 0],
  ])("day %d leaves %d rows", (day, rows) => {
    expect(historyUpTo(BARS, day).day).toHaveLength(rows);
  });
});
