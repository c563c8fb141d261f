import { describe, expect, test } from "vitest";
import { after, clean, daysOf, reasonsOf } from "../../support/clean-coins.ts";
import { rawRow, rawRows, sourceCoin, span } from "../../support/prices-file-rows.ts";

describe("restarts after a long gap", () => {
  test("are counted in weekdays where no weekend is in the file", () => {
    const isWeekday = (day: number) => ![0, 6].includes((day + 4) % 7); // day 0 is a Thursday
    const weekdays = span(900, 999).filter(isWeekday);
    const without = (...days: number[]) =>
      clean(rawRows(...weekdays.filter((day) => !days.includes(day))));
    // Day 952 is a Thursday: with the next day and the weekend, four or more days are missing.
    expect(without(952, 953).quality).toMatchObject({ restartedAt: null, daysBeforeGapLeftOut: 0 });
    expect(without(952, 953, 956).quality.restartedAt).toBeNull();
    expect(without(951, 952, 953, 956).quality.restartedAt).toBe(957);
    const daily = span(900, 999).filter((day) => day < 952 || day > 955);
    expect(clean(rawRows(...daily)).quality.restartedAt, "of every day of the week").toBe(956);
  });

  test("are on record as long as the history is continued, with refusals that are not fetched again", () => {
    const restarted = clean([
      ...rawRows(960, 961),
      rawRow(980, 100, { line: 4 }),
      rawRow(981, -1, { line: 5 }),
      rawRow(982, 100, { line: 6 }),
    ]);
    const fetched = sourceCoin([rawRow(982, 100), rawRow(983, 100)], {
      whole: false,
      fetchedFrom: 982,
    });
    const next = after(restarted, fetched);
    expect(next.quality).toMatchObject({ restartedAt: 980, daysBeforeGapLeftOut: 2 });
    expect(reasonsOf(next)).toEqual([[981, "price_not_positive"]]);
    expect(next.quality.rejected).toEqual({ price_not_positive: 1 });
    const fault = { reason: "file_unreadable", message: "it cannot be read" } as const;
    const unread = after(restarted, sourceCoin([], { fault }));
    expect(unread.quality).toMatchObject({ restartedAt: 980, daysBeforeGapLeftOut: 2 });
    const refetched = sourceCoin(rawRows(981, 982), { whole: false, fetchedFrom: 981 });
    expect(after(restarted, refetched).rejects).toEqual([]);
  });

  test("have each day before them counted once, although an exchange sends it again", () => {
    const rows = rawRows(...span(960, 981), ...span(986, 999)); // four days are missing
    const fetched = (fromDay: number, toDay: number) => {
      const wanted = rows.filter(({ day }) => day >= fromDay && day <= toDay);
      return sourceCoin(wanted, { whole: false, fetchedFrom: fromDay });
    };
    let coin = clean(rows.filter(({ day }) => day <= 986));
    for (const day of span(987, 995)) {
      coin = after(coin, fetched(day - 7, day), { asOf: day, today: day + 1 });
      const record = { restartedAt: 986, daysBeforeGapLeftOut: 22 };
      expect(coin.quality, `on day ${day}`).toMatchObject(record);
    }
    expect(daysOf(coin)).toEqual(span(986, 995));
  });

  test("have the days before each of them counted, where one more follows", () => {
    const restarted = clean(rawRows(960, 961, ...span(980, 985)));
    const fetched = sourceCoin(rawRows(995, 996), { whole: false, fetchedFrom: 979 });
    const next = after(restarted, fetched);
    expect(daysOf(next)).toEqual([995, 996]);
    expect(next.quality).toMatchObject({ restartedAt: 995, daysBeforeGapLeftOut: 2 + 6 });
  });

  test("are forgotten once a source that lists everything has the days of the gap", () => {
    const rows = rawRows(...span(980, 999));
    const gapped = clean(rows.filter(({ day }) => day < 984 || day > 987));
    expect(gapped.quality).toMatchObject({ restartedAt: 988, daysBeforeGapLeftOut: 4 });
    const next = after(gapped, sourceCoin(rows));
    expect(daysOf(next)).toEqual(span(980, 999));
    expect(next.quality).toMatchObject({ restartedAt: null, daysBeforeGapLeftOut: 0 });
  });
});
