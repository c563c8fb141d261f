import { describe, expect, test } from "vitest";
import { dateOfDay } from "../../../quant/calendar.ts";
import { purchaseTracks, type DcaFrequency } from "../../../quant/outcomes/purchase-track.ts";
import { barsOfCloses } from "./bars-of-closes.ts";
import { naivePurchaseDays } from "./naive-outcomes.ts";

/** Purchase dates of the schedule that starts on row `start`. */
function datesFrom(firstDate: string, days: number, start: number, frequency: DcaFrequency) {
  const bars = barsOfCloses(firstDate, Array<number>(days).fill(1));
  for (const { rows, isStart } of purchaseTracks(bars, frequency)) {
    const at = rows.indexOf(start);
    if (at >= 0 && isStart[at] === 1) {
      return Array.from(rows.subarray(at), (row) => dateOfDay(bars.day[row]!));
    }
  }
  throw new Error(`no track starts on row ${start}`);
}

describe("purchaseTracks", () => {
  test("buys weekly on the start day and every seven days, the last day included", () => {
    expect(datesFrom("2024-01-01", 15, 0, "weekly")).toEqual([
      "2024-01-01",
      "2024-01-08",
      "2024-01-15",
    ]);
    expect(datesFrom("2024-01-01", 15, 1, "weekly")).toEqual(["2024-01-02", "2024-01-09"]);
  });

  test("keeps to the 31st where a month has one and takes the month's last day elsewhere", () => {
    expect(datesFrom("2024-01-31", 122, 0, "monthly")).toEqual([
      "2024-01-31",
      "2024-02-29",
      "2024-03-31",
      "2024-04-30",
      "2024-05-31",
    ]);
    expect(datesFrom("2023-01-30", 62, 0, "monthly")).toEqual([
      "2023-01-30",
      "2023-02-28",
      "2023-03-30",
    ]);
  });

  test("keeps to the 29th for a schedule that starts on 29 February", () => {
    const dates = datesFrom("2024-02-29", 400, 0, "monthly");
    expect(dates.slice(0, 2)).toEqual(["2024-02-29", "2024-03-29"]);
    expect(dates.slice(11, 14)).toEqual(["2025-01-29", "2025-02-28", "2025-03-29"]);
  });

  test.each(["weekly", "monthly"] as const)(
    "%s: every row is the start of one track",
    (frequency) => {
      const days = 1100;
      const bars = barsOfCloses("2019-12-17", Array<number>(days).fill(1));
      const starts: number[] = [];
      for (const { rows, isStart } of purchaseTracks(bars, frequency)) {
        for (let k = 0; k < rows.length; k++) {
          if (isStart[k] !== 1) continue;
          starts.push(rows[k]!);
          const expected = naivePurchaseDays(bars.day[rows[k]!]!, bars.day[days - 1]!, frequency);
          expect(Array.from(rows.subarray(k), (row) => bars.day[row])).toEqual(expected);
        }
      }
      expect(starts.sort((a, b) => a - b)).toEqual(Array.from({ length: days }, (_, row) => row));
    },
  );

  test("has no track without bars", () => {
    const none = barsOfCloses("2024-01-01", []);
    expect(purchaseTracks(none, "weekly")).toEqual([]);
    expect(purchaseTracks(none, "monthly")).toEqual([]);
  });
});
