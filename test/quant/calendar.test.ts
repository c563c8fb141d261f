import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";

const DAY_MS = 86_400_000;
/** From 0000-01-01 to 9999-12-31, the dates of four-digit years. */
const days = fc.integer({ min: -719_528, max: 2_932_896 });

test("a day converts to its date and back, and agrees with the language's own", () => {
  fc.assert(
    fc.property(days, (day) => {
      const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
      expect(dateOfDay(day)).toBe(date);
      expect(dayOfDate(date)).toBe(day);
    }),
  );
});

test("days that a month does not have are not dates", () => {
  const none = ["2023-02-29", "1900-02-29", "2024-02-30", "2024-04-31", "2024-13-01", "2024-00-10"];
  for (const date of [...none, "2024-01-00", "2024-01-32"]) expect(dayOfDate(date)).toBeUndefined();
  expect(dayOfDate("2024-02-29")).toBe(19_782);
  expect(dayOfDate("2000-02-29")).toBe(11_016);
});

test("nothing but YYYY-MM-DD is a date", () => {
  const odd = [
    "",
    "2024-1-3",
    "24-01-03",
    "2024/01/03",
    "2024-01-03 ",
    "2024-01-03\n",
    "+024-01-03",
  ];
  for (const date of [...odd, "2024-0x-03", "２０２４-01-03"])
    expect(dayOfDate(date)).toBeUndefined();
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/^\d{4}-\d{2}-\d{2}$/.test(text)),
      (text) => dayOfDate(text) === undefined,
    ),
  );
});
