import { describe, expect, test } from "vitest";
import { dayOfDate } from "../../../quant/calendar.ts";
import { quarterWindows, splitWindows, yearWindows } from "../../../quant/robustness/windows.ts";

const day = (date: string) => dayOfDate(date)!;
/** From 2019-01-01: exactly 730 days before 2021, less the leap day of 2020. */
const firstDay = day("2019-01-01");

describe("the windows of a run", () => {
  test("split it once at 50, 60, 70 and 80 %, rounded down", () => {
    expect(splitWindows({ firstDay, days: 999 })).toEqual([
      { name: "split_50", split: 499, end: 999 },
      { name: "split_60", split: 599, end: 999 },
      { name: "split_70", split: 699, end: 999 },
      { name: "split_80", split: 799, end: 999 },
    ]);
  });

  test("are whole calendar years with at least 730 days before them", () => {
    const years = (first: string, last: string) =>
      yearWindows({ firstDay: day(first), days: day(last) - day(first) + 1 }).map(
        (each) => each.name,
      );
    expect(years("2019-01-01", "2022-12-31")).toEqual(["year_2021", "year_2022"]);
    expect(years("2019-01-02", "2022-12-31")).toEqual(["year_2021", "year_2022"]);
    expect(years("2019-01-03", "2022-12-30")).toEqual([]);
    const [year] = yearWindows({ firstDay, days: 2000 });
    expect(year).toEqual({ name: "year_2021", split: 731, end: 1096 });
  });

  test("are neighbouring quarters from the first with 730 days before it", () => {
    const quarters = quarterWindows({ firstDay: day("2019-02-15"), days: 1200 });
    expect(quarters[0]!.split).toBe(day("2021-04-01") - day("2019-02-15"));
    const ends = quarters.map(({ end }) => end);
    expect(quarters.slice(1).map(({ split }) => split)).toEqual(ends.slice(0, -1));
    expect(quarters.at(-1)!.end).toBe(day("2022-04-01") - day("2019-02-15"));
  });
});
