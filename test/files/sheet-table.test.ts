import * as fc from "fast-check";
import { expect, test } from "vitest";
import { january } from "../check/formats/files.ts";
import { sheetTable } from "../../files/sheet-table.ts";

type Cells = readonly (string | number)[];

/** A table of rows of cells, each a row further down. */
const tableOf = (rows: readonly Cells[], merged: readonly string[] = []) =>
  sheetTable(
    rows.map((cells, at) => ({ number: at + 1, cells: cells.map(String) })),
    merged,
  )!;

const DAYS = january().map((day, at) => [day, 1000 + at / 8] as const);

test("titles, settings, empty rows and columns, and notes are left out; lines are the sheet's", () => {
  const table = tableOf([
    ["My strategy"],
    [],
    ["Symbol", "BTCUSDT"],
    ["From", "2024-01-01"],
    ["Period", "2024-01-01", "2024-01-20"],
    ["Capital", 10_000],
    [],
    ["", "Date", "", "Equity", ""],
    ...DAYS.map(([day, value], at) => ["", day, "", value, at === 3 ? "rebalanced" : ""]),
  ]);
  expect([table.header, table.rows[0], table.rows.length]).toEqual([
    ["Date", "Equity"],
    ["2024-01-01", "1000"],
    20,
  ]);
  expect(table.lines[0]).toBe(9);
});

test("a merged title is none of the header, a merged level of parameters is", () => {
  const rows = [
    ["Report", "", "", ""],
    ["fast", 5, "", 8],
    ["slow", 20, 30, 20],
    ["Date", "", "", ""],
    ...DAYS.map(([day, value]) => [day, value, 1, 2]),
  ];
  const { header, rows: found } = tableOf(rows, ["A1:D1", "B2:C2"]);
  expect([header, found.slice(0, 3)]).toEqual([
    ["fast", "5", "5", "8"],
    [
      ["slow", "20", "30", "20"],
      ["Date", "", "", ""],
      ["2024-01-01", "1000", "1", "2"],
    ],
  ]);
});

test.each(["#DIV/0!", ""])("a first row with %j for a number is no header", (cell) => {
  const { header, rows } = tableOf([["Date", "Return"], ["2024-01-01", cell], ...DAYS.slice(1)]);
  expect([header, rows[0]]).toEqual([
    ["Date", "Return"],
    ["2024-01-01", cell],
  ]);
});

test("a date alone above the table is a title", () => {
  const { header, rows } = tableOf([["2025-05-05"], ["Date", "Equity"], ...DAYS]);
  expect([header, rows.length]).toEqual([["Date", "Equity"], 20]);
});

test("a table without days begins at the first row of two cells", () => {
  const { header } = tableOf([["All runs"], ["sharpe", "fast"], [0.5, 5], [0.8, 8]]);
  expect(header).toEqual(["sharpe", "fast"]);
});

test("of any grid of texts and numbers below a title, the grid is read", () => {
  const cell = fc.oneof(fc.integer(), fc.constantFrom("x", "n/a", "long"));
  const row = fc.tuple(fc.integer({ min: 1, max: 999 }), cell, cell);
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (grid) => {
      const rows = grid.map((cells, at) => [DAYS[at]![0], ...cells.map(String)]);
      const names = ["Date", "a", "b", "c"];
      const table = tableOf([["A title"], [], names, ...rows]);
      expect([table.header, table.rows]).toEqual([names, rows]);
    }),
  );
});
