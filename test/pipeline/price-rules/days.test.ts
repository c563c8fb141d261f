import { describe, expect, test } from "vitest";
import { settleDays } from "../../../pipeline/price-rules/days.ts";
import { rawRow, rawRows, span } from "../../support/prices-file-rows.ts";

const settled = (...days: readonly number[]) => {
  const { rows, rejects, duplicatesDropped } = settleDays(rawRows(...days));
  return {
    days: rows.map(({ day }) => day),
    refused: rejects.map(({ day, reason }) => `${day} ${reason}`),
    duplicatesDropped,
  };
};

describe("settleDays", () => {
  test("leaves ascending days alone, and the array itself", () => {
    const rows = rawRows(5, 6, 9);
    expect(settleDays(rows).rows).toBe(rows);
  });

  test("refuses the one misplaced row, not all that follow it", () => {
    expect(settled(1, 2, 9, 3, 4, 5, 6)).toEqual({
      days: [1, 2, 3, 4, 5, 6],
      refused: ["9 out_of_order"],
      duplicatesDropped: 0,
    });
    expect(settled(5, 6, 1, 7, 8).refused).toEqual(["1 out_of_order"]);
  });

  test("keeps the earlier rows when either choice costs the same", () => {
    expect(settled(1, 3, 2, 4).days).toEqual([1, 3, 4]);
  });

  test("refuses as few rows as possible", () => {
    // Compares every order of 6 days with a search over every subset.
    for (const order of permutations(span(1, 6))) {
      const { days } = settled(...order);
      expect(days).toEqual([...days].sort((a, b) => a - b));
      expect(days).toHaveLength(longestBySearch(order));
    }
  });

  test("drops rows that repeat another exactly, wherever they are", () => {
    const rows = [rawRow(1, 10), rawRow(2, 20), rawRow(1, 10), rawRow(3, 30), rawRow(3, 30)];
    const { rows: kept, rejects, duplicatesDropped } = settleDays(rows);
    expect(kept).toEqual([rows[0], rows[1], rows[3]]);
    expect(rejects).toEqual([]);
    expect(duplicatesDropped).toBe(2);
  });

  test.each(["open", "high", "low", "close", "volume"] as const)(
    "refuses all rows of a day when they disagree in %s",
    (column) => {
      const rows = [rawRow(1, 10), rawRow(2, 20), rawRow(2, 20), rawRow(3, 30)];
      rows.push({ ...rawRow(2, 20), [column]: 20.125 });
      const { rows: kept, rejects } = settleDays(rows);
      expect(kept.map(({ day }) => day)).toEqual([1, 3]);
      expect(rejects.map(({ reason }) => reason)).toEqual([
        "conflicting_duplicate",
        "conflicting_duplicate",
        "conflicting_duplicate",
      ]);
    },
  );
});

function permutations(values: readonly number[]): number[][] {
  if (values.length <= 1) return [[...values]];
  return values.flatMap((value) =>
    permutations(values.filter((other) => other !== value)).map((rest) => [value, ...rest]),
  );
}

function longestBySearch(values: readonly number[]): number {
  let longest = 0;
  for (let mask = 0; mask < 2 ** values.length; mask++) {
    const chosen = values.filter((_, index) => (mask >> index) & 1);
    if (chosen.every((value, index) => index === 0 || value > chosen[index - 1]!)) {
      longest = Math.max(longest, chosen.length);
    }
  }
  return longest;
}
