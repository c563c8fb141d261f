import { FileRefused } from "./refused.ts";
import { CELLS_MAX, type Table } from "./csv.ts";
import { numberOf } from "./numbers.ts";
import { isDate } from "./times.ts";

/** One of several tables in a file: a sheet of a workbook, or a list within JSON. */
export interface NamedTable {
  readonly name: string;
  readonly table: Table;
  /** All rows of a sheet. */
  readonly rows?: readonly SheetRow[];
}

/** A row of a sheet: its number from 1, and its cells by column. Places can be empty. */
export interface SheetRow {
  readonly number: number;
  readonly cells: string[];
}

/**
 * The table of a sheet, without what people put around it: titles, settings and empty rows above it, empty columns
 * between, and notes beside it. Undefined for an empty sheet.
 */
export function sheetTable(
  sparse: readonly SheetRow[],
  merged: readonly string[],
): Table | undefined {
  const width = sparse.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  checkCells(width * sparse.length);
  const all = sparse.map(({ number, cells }) => ({
    number,
    cells: Array.from({ length: width }, (_, column) => cells[column]?.trim() ?? ""),
  }));
  fillMerged(all, merged);
  const rows = all.filter(({ cells }) => filledOf(cells).length > 0);
  const [header, ...body] = rows.slice(headerPlace(rows));
  if (header === undefined) return undefined;
  const columns = [...header.cells.keys()].filter((column) => {
    const filled = body.filter(({ cells }) => cells[column] !== "").length;
    return header.cells[column] !== "" || 2 * filled > body.length; // fewer without a name are notes
  });
  const picked = ({ cells }: SheetRow) => columns.map((column) => cells[column]!);
  const lines = body.map(({ number }) => number);
  const names = picked(header).map((name) => name.replace(/\s+/g, " "));
  return { header: names, rows: body.map(picked), lines, delimiter: "," };
}

function checkCells(count: number): void {
  if (count > CELLS_MAX)
    throw new FileRefused("the sheet has too many cells: no export has so many");
}

function filledOf(cells: readonly string[]): readonly string[] {
  return cells.filter((cell) => cell !== "");
}

/** Gives every cell of a merged area the text of its first. */
function fillMerged(rows: readonly SheetRow[], merged: readonly string[]): void {
  const byNumber = new Map(rows.map(({ number, cells }) => [number, cells]));
  let count = 0;
  for (const area of merged) {
    const [, from, top, to, bottom] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(area) ?? [];
    const [left, right] = [columnPlace(from) ?? 0, columnPlace(to) ?? 0];
    const text = byNumber.get(Number(top))?.[left];
    const last = Math.min(Number(bottom), rows.at(-1)?.number ?? 0);
    if (text === undefined) continue;
    for (let row = Number(top); row <= last; row++) {
      checkCells((count += 1 + Math.max(0, right - left)));
      byNumber.get(row)?.fill(text, left, right + 1);
    }
  }
}

/** The place of the column that a reference such as `AB12` begins with. */
export function columnPlace(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? "")?.[0].toUpperCase();
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((index, each) => 26 * index + each.charCodeAt(0) - 64, 0) - 1;
}

/**
 * Where the header begins: above the first day or, without days, at the first row of two cells. The parameters of a grid
 * have a row each at its top.
 */
function headerPlace(rows: readonly SheetRow[]): number {
  const day = rows.findIndex(
    ({ cells }, index) => isDay(cells) && (index > 0 || filledOf(cells).length > 1),
  );
  if (day === 0) return 0;
  if (day < 0) {
    const pair = rows.findIndex(({ cells }) => filledOf(cells).length > 1);
    return Math.max(0, pair);
  }
  const width = filledOf(rows[day]!.cells).length;
  let index = day - 1;
  while (index > 0 && isLevel(rows[index - 1]!, rows[index]!, width)) index--;
  return index;
}

/** Whether a row has a time, first or before a number. A setting such as `From | 2024-01-01` has none. */
function isDay(cells: readonly string[]): boolean {
  const filled = filledOf(cells);
  const time = filled.findIndex(isDate);
  const isBeforeNumber = filled.slice(time + 1).some((cell) => numberOf(cell, ".") !== undefined);
  return time === 0 || (time > 0 && isBeforeNumber);
}

/** Whether a row right above the header is one of parameters, and neither a title nor a setting. */
function isLevel({ number, cells }: SheetRow, below: SheetRow, width: number): boolean {
  const filled = filledOf(cells);
  const isFull = width > 2 && filled.length >= width - 1 && new Set(filled).size > 1;
  return isFull && number === below.number - 1;
}
