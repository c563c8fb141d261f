import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dateOfDay, dayOfDate } from "../../../quant/calendar.ts";
import { parsed, parsedRow } from "../../support/parsed-prices.ts";
import { PRICES_HEADER } from "../../support/prices-file.ts";

describe("dates", () => {
  test("are the calendar's, whatever the previous date", () => {
    // Mostly of a few months, so that a date often follows one of its own month; some do not exist.
    const months = fc.constantFrom(
      "2020-02",
      "2021-02",
      "1900-02",
      "2020-04",
      "2020-13",
      "0000-01",
    );
    const dates = fc.oneof(
      fc.tuple(months, fc.integer({ min: 0, max: 39 })).map(([month, day]) => {
        return `${month}-${String(day).padStart(2, "0")}`;
      }),
      fc.integer({ min: 0, max: 40_000 }).map(dateOfDay),
    );
    fc.assert(
      fc.property(fc.array(dates, { minLength: 1 }), (texts) => {
        const lines = texts.map((date) => `${date},10,12,9,11,1\n`);
        const { rows, faults } = parsed(`${PRICES_HEADER}\n${lines.join("")}`);
        const read = [...rows, ...faults].sort((one, other) => one.line - other.line);
        expect(read.map(({ day }) => day)).toEqual(texts.map((date) => dayOfDate(date) ?? null));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["2020/01/02"],
    ["2020.01.02"],
    ["20200102"],
    ["2020-01-02T00:00:00Z"],
    ["2020-01-02T00:00:00.000Z"],
    ["2020-01-02 00:00:00"],
    ["2020-01-02 00:00:00+00:00"],
    ["2020-01-02 00:00:00 UTC"],
    ["2020-01-02T02:00:00+02:00"],
    ["2020-01-01T19:00:00-0500"],
    ["2020-01-02 23:59:59"],
    ["2020-01-02T23:59:59.999Z"],
    ["1577923200"],
    ["1577923200.0"],
    ["1577923200000"],
    ["1577923200000000"],
    ["1578009599999"],
    ["1577923200000000000"],
    ["2020-1-2"],
    ["2020-01-2 "],
    ["2-Jan-20"],
    ["02.01.2020", "03.02.2020", "2020-02-03"],
    ["01/02/2020 12:00:00 AM", "01/31/2020 12:00:00 AM"],
    ["Jan 02, 2020"],
    ["January 2, 2020"],
    ["2 Jan 2020"],
    ["02-Jan-2020"],
    ["01/02/2020", "01/31/2020"],
    ["02.01.2020", "31.01.2020"],
    ["2-1-2020", "31-1-2020"],
  ])("%j is 2 January 2020", (date, last = "2020-01-31", lastDay = "2020-01-31") => {
    const row = (cell: string) => `"${cell}",10,12,9,11,1\n`;
    const { rows, faults } = parsed(`${PRICES_HEADER}\n${row(date)}${row(last)}`);
    expect(faults).toEqual([]);
    expect(rows.map(({ day }) => dateOfDay(day))).toEqual(["2020-01-02", lastDay]);
  });

  test("do not tell day from month where none is above 12, nor where both are", () => {
    const faultsOf = (...dates: string[]) => {
      const lines = dates.map((date) => `${date},10,12,9,11,1\n`);
      return parsed(`${PRICES_HEADER}\n${lines.join("")}`).faults;
    };
    const [fault] = faultsOf("01/02/2020", "01/03/2020");
    expect(fault).toMatchObject({ reason: "invalid_date", day: null });
    expect(fault!.why).toContain('got "01/02/2020": day or month may come first');
    expect(faultsOf("31/12/2020", "12/31/2020")).toHaveLength(2);
    expect(faultsOf("31/12/2020", "12/31/2020", "01/02/2020")).toHaveLength(3);
  });

  test.each(["2020-01-02 01:00:00", "1577926800", "2020-01-02T00:00:00+01:00", "1577923260000"])(
    "%j is no whole UTC day",
    (date) => {
      expect(parsedRow(`${date},10,12,9,11,1`)).toMatchObject({
        reason: "not_a_utc_day",
        why: `"date": expected days that begin at midnight UTC, one row each, got "${date}"`,
      });
    },
  );

  test.each([
    "2020-02-30",
    "2020-01-00",
    "2020-01-32",
    "2020-01-0x",
    "2020/0102",
    "02-01-2020",
    "1.5779232e9",
    "2020-01-02T24:00:00Z",
    "2020-01-02 00:00 CET",
    "31.12.20",
    "20-01-02",
    "2020-01",
    "Foo 02, 2020",
    "",
    "date",
    "2O20-01-02",
    "99999-01-01",
  ])("%j is none, even after a date of the same month", (date) => {
    const rest = "10,12,9,11,1\n";
    const quoted = date.includes(",") ? `"${date}"` : date;
    for (const before of ["", `2020-01-01,${rest}`, `2020-02-01,${rest}`]) {
      const { rows, faults } = parsed(
        `${PRICES_HEADER}\n${before}${quoted},${rest}2020-01-31,${rest}`,
      );
      expect(faults).toMatchObject([{ reason: "invalid_date", day: null }]);
      const days = rows.map(({ day }) => day);
      expect(days, "what follows is read").toContain(dayOfDate("2020-01-31"));
    }
  });
});
