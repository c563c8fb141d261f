import { describe, expect, test } from "vitest";
import { dayOfDate } from "../../quant/calendar.ts";
import {
  firstDayOfMonth,
  lastCompleteMonth,
  lastDayOfMonth,
  monthOfDay,
  monthOfText,
  monthText,
} from "../../quant/month.ts";

const day = (date: string) => dayOfDate(date)!;
const month = (text: string) => monthOfText(text)!;

describe("month", () => {
  test.each([
    ["2025-12", "2025-12-01", "2025-12-31"],
    ["2026-01", "2026-01-01", "2026-01-31"],
    ["2024-02", "2024-02-01", "2024-02-29"],
    ["2023-02", "2023-02-01", "2023-02-28"],
  ])("%s runs from %s to %s", (text, first, last) => {
    expect(firstDayOfMonth(month(text))).toBe(day(first));
    expect(lastDayOfMonth(month(text))).toBe(day(last));
    expect(monthText(monthOfDay(day(first)))).toBe(text);
    expect(monthText(monthOfDay(day(last)))).toBe(text);
  });

  test("counts on over the end of a year", () => {
    expect(month("2026-01") - month("2025-12")).toBe(1);
  });

  test.each([
    ["2026-01-30", "2025-12"],
    ["2026-01-31", "2026-01"],
    ["2026-02-01", "2026-01"],
    ["2024-02-28", "2024-01"],
    ["2024-02-29", "2024-02"],
  ])("at the close of %s the last complete month is %s", (date, text) => {
    expect(monthText(lastCompleteMonth(day(date)))).toBe(text);
  });

  test.each(["2025-13", "2025-00", "2025-1", "25-01", "2025-01-01", ""])(
    "%j is no month",
    (text) => {
      expect(monthOfText(text)).toBeUndefined();
    },
  );
});
