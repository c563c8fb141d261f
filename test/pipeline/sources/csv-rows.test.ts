import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayOfDate } from "../../../quant/calendar.ts";
import { parseCsv } from "../../../pipeline/sources/csv-rows.ts";
import type { RowFault } from "../../../pipeline/price-rules/raw-row.ts";
import { NO_NUMBERS } from "../../support/no-numbers.ts";
import { parsed, parsedRow } from "../../support/parsed-prices.ts";
import { PRICES_HEADER } from "../../support/prices-file.ts";

const ROW = "2020-01-02,10,12,9,11,1000.5";

describe("a sound file", () => {
  const day = dayOfDate("2020-01-02")!;
  const bar = { day, open: 10, high: 12, low: 9, close: 11, volume: 1000.5, line: 2 };

  test("gives its rows with line and text", () => {
    expect(parsed(`${PRICES_HEADER}\n${ROW}\n`).rows).toEqual([{ ...bar, raw: ROW }]);
  });

  test.each([
    ["a byte order mark", `\uFEFF${PRICES_HEADER}\n${ROW}\n`],
    ["CRLF", `${PRICES_HEADER}\r\n${ROW}\r\n`],
    ["semicolons", `${PRICES_HEADER}\n${ROW}\n`.replaceAll(",", ";")],
    [
      "decimal commas",
      `${PRICES_HEADER}\n2020-01-02,10,12,9,11,1000.5\n`.replaceAll(",", ";").replaceAll(".", ","),
    ],
    [
      "decimal commas and points between thousands",
      "date;open;high;low;close;volume\n02.01.2020;10,0;12,00;9,0;11,0;1.000,5\n",
    ],
    ["tabs", `${PRICES_HEADER}\n${ROW}\n`.replaceAll(",", "\t")],
    ["capitals and blanks in its header", `Date, Open, High, Low, Close, Volume\n${ROW}\n`],
    ["a title", `Prices of the coin\n${PRICES_HEADER}\n${ROW}\n`],
    ["Excel's line of the separator", `sep=,\n${PRICES_HEADER}\n${ROW}\n`],
    ["blank lines", `${PRICES_HEADER}\n${ROW}\n\n\r\n`],
  ])("may have %s", (_, text) => {
    const { line: _line, ...values } = bar;
    expect(parsed(text)).toMatchObject({ rows: [values], faults: [] });
  });

  test("may quote its cells", () => {
    const quote = (line: string) => line.replaceAll(/[^,]+/g, '"$&"');
    const text = `${quote(PRICES_HEADER)}\n${quote(ROW)}\n`;
    expect(parsed(text)).toMatchObject({ rows: [bar], faults: [] });
  });

  test("may begin with its newest day", () => {
    const rows = ["2020-01-05", "2020-01-04", "2020-01-02"].map((date) => `${date},1,1,1,1,1\n`);
    const read = parsed(`${PRICES_HEADER}\n${rows.join("")}`);
    expect(read.rows.map(({ line }) => line)).toEqual([4, 3, 2]);
  });

  test("may name its columns in any order", () => {
    const text = "volume,low,close,date,high,open\n1000.5,9,11,2020-01-02,12,10\n";
    expect(parsed(text).rows).toMatchObject([bar]);
  });

  test("counts lines as an editor does, blank ones included", () => {
    const { rows, faults } = parsed(`${PRICES_HEADER}\n\n${ROW}\nx\n`);
    expect([rows[0]!.line, faults[0]!.line]).toEqual([3, 4]);
  });
});

describe("numbers", () => {
  test.each([
    ["all groups of three", ["1,234", "2,345"], [undefined, undefined]],
    ["commas and points", ["1,5", "2.5"], [undefined, 2.5]],
    ["commas, and one cell with a point", ["1,25", "2,5", "1.000"], [1.25, 2.5, undefined]],
  ])(
    "with a semicolon between the cells, where they are %s, are not guessed",
    (_, cells, closes) => {
      const lines = cells.map((close, day) => `2020-01-0${day + 1};1;9999;1;${close};1\n`);
      const { rows, faults } = parsed(`${PRICES_HEADER.replaceAll(",", ";")}\n${lines.join("")}`);
      const found = new Map(rows.map(({ line, close }) => [line, close]));
      expect(cells.map((_cell, day) => found.get(day + 2))).toEqual(closes);
      expect(faults).toHaveLength(closes.filter((close) => close === undefined).length);
    },
  );

  test.each([
    ["4800.0", 4800],
    ["0.76500000", 0.765],
    ["10319612.6999999993", 10319612.6999999993],
    ["3.73e-06", 3.73e-6],
    ["14254363937690", 14254363937690],
    ["1E5", 100000],
    ["1.5e+3", 1500],
    ["007", 7],
    ["123456789012345", 123456789012345],
    ["9007199254740993", 9007199254740992],
    ["1234567890.12345", 1234567890.12345],
    ["0.00000000000001", 1e-14],
    ["1e-400", 0],
    ["-5", -5],
    ["-0.5", -0.5],
    ["1e999", Infinity],
    ["NaN", NaN],
    ["nan", NaN],
    ["inf", Infinity],
    ["-Infinity", -Infinity],
  ])("%s is read exactly", (cell, value) => {
    expect(parsedRow(`2020-01-02,10,12,9,11,${cell}`)).toMatchObject({ volume: value });
  });

  test.each(NO_NUMBERS.filter((cell) => !cell.includes('"')))("%j is none", (cell) => {
    const read = parsedRow(`2020-01-02,10,12,9,11,${cell}`);
    expect(read).toHaveProperty(
      "reason",
      cell.includes(",") ? "wrong_cell_count" : "invalid_number",
    );
  });

  test("are those of Number for every decimal", () => {
    const decimal = fc.tuple(
      fc.stringMatching(/^[0-9]{1,12}$/),
      fc.option(fc.stringMatching(/^[0-9]{1,12}$/)),
    );
    fc.assert(
      fc.property(decimal, ([whole, fraction]) => {
        const cell = fraction === null ? whole : `${whole}.${fraction}`;
        expect(parsedRow(`2020-01-02,10,12,9,11,${cell}`)).toMatchObject({ volume: Number(cell) });
      }),
      { numRuns: 3000 },
    );
  });
});

describe("a damaged row", () => {
  test.each([
    ["wrong_cell_count", "2020-01-02,10,12,9,11"],
    ["wrong_cell_count", "2020-01-02,10,12,9,11,1,7"],
    ["wrong_cell_count", '2020-01-02,10,12,9,11,"1'],
    ["wrong_cell_count", '2020-01-02,10,12,9,11,"1"0'],
    ["wrong_cell_count", "2020-01-02;10;12;9;11;1"],
    ["wrong_cell_count", "\u0000\u0001\u0002"],
    ["row_too_long", `2020-01-02,10,12,9,11,${"1".repeat(5000)}`],
  ])("is %s", (reason, row) => {
    const fault = parsedRow(row) as RowFault;
    expect(fault).toMatchObject({ reason, line: 2, day: null });
    expect(fault.raw.length).toBeLessThanOrEqual(200);
    expect(row.startsWith(fault.raw.slice(0, 199))).toBe(true);
  });

  test.each([0, 1, 2, 3, 4])(
    "has an unreadable number in whichever column, the %d. too, and gives its day",
    (place) => {
      const raw = `2020-01-02,${["10", "12", "9", "11", "1"].with(place, "1l").join(",")}`;
      const day = dayOfDate("2020-01-02");
      expect(parsedRow(raw)).toMatchObject({ reason: "invalid_number", day, raw });
    },
  );
});

describe("a file that was cut", () => {
  const last = "2020-01-03,10,12,9,11,1000.5";

  test("loses its last line, whose last number may be too short", () => {
    const text = `${PRICES_HEADER}\n${ROW}\n${last}`;
    for (let cut = text.length; cut > text.length - 27; cut--) {
      const { rows, faults } = parsed(text.slice(0, cut));
      expect(rows).toHaveLength(1);
      const raw = text.slice(`${PRICES_HEADER}\n${ROW}\n`.length, cut);
      expect(faults).toEqual([{ reason: "unterminated_row", line: 3, day: null, raw }]);
    }
  });

  test("at any byte never gives another number than the whole file", () => {
    const whole = `${PRICES_HEADER}\n${ROW}\n2020-01-03,10.25,12.75,9.5,11.125,1000.5\n`;
    const known = parsed(whole).rows;
    for (let cut = 0; cut < whole.length; cut++) {
      const file = parseCsv(whole.slice(0, cut));
      const rows = file.ok ? file.rows : [];
      expect(rows).toEqual(known.slice(0, rows.length));
    }
  });

  test("and left alone has its last line where all cells are there, and the last is no price", () => {
    const rowsOf = (text: string) => {
      const file = parseCsv(text, { settled: true });
      return file.ok ? file.rows.map(({ line }) => line) : [];
    };
    const text = `${PRICES_HEADER}\n${ROW}\n${last}`;
    expect(rowsOf(text)).toEqual([2, 3]);
    expect(rowsOf(text.replace(last, last.slice(0, -7)))).toEqual([2]);
    expect(rowsOf(text.replace(last, last.slice(0, -6)))).toEqual([2]);
    expect(
      rowsOf(`${text}\n${",".repeat(9_000_000)}`),
      "an endless line is not taken apart",
    ).toEqual([2, 3]);
    for (const column of ["date", "open", "high", "low", "close"]) {
      const others = PRICES_HEADER.split(",").filter((name) => name !== column);
      const row = others.map((name) => (name === "date" ? "2020-01-02" : "1"));
      const end = column === "date" ? "2020-01-02" : "1";
      const lines = [
        [...others, column],
        [...row, end],
        [...row, end],
      ];
      expect(rowsOf(lines.join("\n")), `${column} at its end`).toEqual([2]);
    }
    const tradingView = "time,open,high,low,close,Volume,EMA\n1577923200,1,1,1,1,1,1\n";
    expect(rowsOf(`${tradingView}1578009600,1,1,1,1,1,1`)).toEqual([2, 3]);
    expect(rowsOf(`${tradingView}1578009600,1,1,1,1,1`)).toEqual([2]);
  });
});

test.each([
  ["", "the file is empty"],
  ["\uFEFF", "the file is empty"],
  [PRICES_HEADER, "there is no row after the header"],
  [`${PRICES_HEADER}\n\n\n`, "there is no row after the header"],
])("%j is an empty file", (text, why) => {
  expect(parseCsv(text)).toEqual({ ok: false, reason: "file_empty", why });
});

test("any text is read or refused, and none throws", () => {
  const soup = fc.array(
    fc.oneof(
      fc.constantFrom(PRICES_HEADER, ROW, "\n", "\r\n", ",", "\uFEFF", "\u0000", "NaN"),
      fc.string(),
    ),
  );
  const header = fc.constantFrom("", `${PRICES_HEADER}\n`); // without one, nothing after it is read
  fc.assert(
    fc.property(header, soup, (first, parts) => {
      const file = parseCsv(first + parts.join(""));
      expect(!file.ok || file.rows.length + file.faults.length > 0).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
