import { describe, expect, test } from "vitest";
import { randomStream } from "../../../pipeline/sources/random.ts";
import { RecentMarks } from "../../../server/requests/recent-marks.ts";

/** The share of marks still known when they come again after `others` different ones. */
function shareFound(others: number): number {
  const marks = new RecentMarks();
  const stream = randomStream(`marks:${others}`);
  const draw = () => Math.floor(stream.uniform() * 2 ** 32) | 0;
  let found = 0;
  for (let round = 0; round < 300; round++) {
    const mark = draw();
    marks.note(mark);
    for (let other = 0; other < others; other++) marks.note(draw());
    if (marks.note(mark)) found++;
  }
  return found / 300;
}

describe("recent marks", () => {
  test("find what came a moment ago, and nothing new", () => {
    const marks = new RecentMarks();
    const each = Array.from({ length: 1000 }, (_, n) => Math.imul(n + 1, 0x9e3779b1));
    for (const mark of each) expect(marks.note(mark)).toBe(false);
    expect(marks.note(each[999]!)).toBe(true);
    expect(marks.note(each[999]! ^ 8192)).toBe(false);
  });

  test("find two by turns that have the same place", () => {
    const marks = new RecentMarks();
    const [one, other] = [7, 7 + 8192];
    expect([one, other, one, other].map((mark) => marks.note(mark))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test("know most texts again after hundreds of others, and hardly any after tens of thousands", () => {
    // A mark is lost if two of the others took its two places of 8,192: Poisson's law with others / 4,096.
    expect(shareFound(500)).toBeGreaterThan(0.97); // 0.993
    expect(shareFound(40_000)).toBeLessThan(0.02); // 0.0006
  });
});
