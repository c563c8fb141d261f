import { describe, expect, test } from "vitest";
import { computeIndicators, type IndicatorColumn } from "../../../quant/indicators/columns.ts";
import { dayOf } from "../../../quant/signals/indicator.ts";
import { UNRATED, UNRATED_NAMES } from "../../../quant/signals/unrated-indicators.ts";
import { SCORED_BARS as BARS, UNRATED_ROWS } from "../indicators/unrated-rows.ts";

const LAST = 59;

const SCORES = UNRATED_NAMES.flatMap((name) =>
  (UNRATED_ROWS[name].scores ?? []).map(([today, score, yesterday = {}]) => ({
    name,
    today,
    score,
    yesterday,
  })),
);

describe("the score of an unrated indicator", () => {
  test.each(SCORES)("$name with $today after $yesterday is $score", (row) => {
    const columns = computeIndicators(BARS);
    for (const [back, values] of [row.today, row.yesterday].entries()) {
      for (const [column, value] of Object.entries(values)) {
        columns[column as IndicatorColumn][LAST - back] = value;
      }
    }
    expect(UNRATED[row.name].score(dayOf(BARS, columns, LAST))).toBe(row.score);
  });

  test("on-balance volume's average is of this day and the 19 before, and no other", () => {
    const score = (now: number, before: (daysBack: number) => number) => {
      const columns = computeIndicators(BARS);
      for (let back = 1; back <= LAST; back++) columns.obv[LAST - back] = before(back);
      columns.obv[LAST] = now;
      return UNRATED.obv.score(dayOf(BARS, columns, LAST));
    };
    expect(score(7, () => 7)).toBe(0);
    expect([score(7.01, () => 7), score(6.99, () => 7)]).toEqual([1, -1]);
    expect(score(7.01, (back) => (back === 19 ? 1e6 : 7))).toBe(-1);
    expect(score(7.01, (back) => (back === 20 ? 1e6 : 7))).toBe(1);
    expect(
      score(7.01, (back) => (back > 1 && back < 19 ? 7.1 : -1)),
      "each day counts",
    ).toBe(1);
    expect(
      score(7.01, (back) => (back > 1 && back < 19 ? 8 : 6)),
      "each day counts",
    ).toBe(-1);
  });
});
