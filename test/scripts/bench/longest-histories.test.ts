import { expect, test } from "vitest";
import { longestHistories } from "../../../scripts/bench/longest-histories.ts";
import { dateOfDay } from "../../../quant/calendar.ts";

test("the demo market's longest histories end yesterday", async () => {
  const histories = await longestHistories("demo", 40, Date.UTC(2024, 5, 2, 3));
  expect(histories).toHaveLength(40);
  const lengths = histories.map(({ day }) => day.length);
  expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
  expect(dateOfDay(histories[0]!.day.at(-1)!)).toBe("2024-06-01");
});
