import { FileRefused } from "./refused.ts";

/** A table of texts. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Line of the file at which each row begins. */
  readonly lines: readonly number[];
  /** The character between the cells. If it is a comma, there are no decimal commas. */
  readonly delimiter: string;
}

export function cellsOf({ rows }: Pick<Table, "rows">, column: number): string[] {
  return rows.map((row) => row[column]!);
}

/** No export has more columns or more cells, in any kind of file. */
export const COLUMNS_MAX = 10_001;
export const CELLS_MAX = 30_000_000;
/** The first that fits counts, since a comma may be a decimal one, and a bar part of a name. */
const DELIMITERS = [";", "\t", ",", "|"];

/**
 * A table of values separated by commas (RFC 4180), semicolons, tabs or bars. No library is used, because messages name
 * the line of each row.
 */
export function readCsv(text: string): Table {
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const delimiter = delimiterOf(content);
  const all = recordsOf(content, delimiter);
  const records = /^sep=.?$/i.test(all[0]?.cells[0] ?? "") ? all.slice(1) : all; // a line for Excel
  const [header, ...rows] = withoutEmptyColumns(fromHeader(records));
  if (header === undefined) throw new FileRefused("the file is empty");
  for (const row of rows) {
    if (row.cells.length === header.cells.length) continue;
    const title = header.cells.length === 1 ? `; if line ${header.line} is a title, remove it` : "";
    throw new FileRefused(
      `line ${row.line} has ${row.cells.length} cells, where the header has ${header.cells.length}${title}`,
    );
  }
  return {
    header: header.cells.map((cell) => cell.trim()),
    rows: rows.map(({ cells }) => cells),
    lines: rows.map(({ line }) => line),
    delimiter,
  };
}

/**
 * The first candidate that occurs as often in the line below the header as in the header, outside quotes. The names of
 * variants may hold others, and so may numbers. If there is none, the one that occurs most often in the header.
 */
function delimiterOf(text: string): string {
  const [header = [0], below] = countsOf(text);
  const same = header.findIndex((count, index) => count > 0 && count === below?.[index]);
  return DELIMITERS[same >= 0 ? same : header.indexOf(Math.max(...header))]!; // one of the counts
}

/** Neither a header nor the line below it is longer. */
const HEAD_LENGTH = 2_000_000;

/** How often each candidate occurs in the first two lines that have any, outside quotes. */
function countsOf(text: string): number[][] {
  const unquoted = text.slice(0, HEAD_LENGTH).replace(/"[^"]*"?/g, "");
  const lines = unquoted.split(/[\r\n]/).filter((line) => /[;\t,|]/.test(line));
  const countOf = (line: string) => DELIMITERS.map((mark) => line.split(mark).length - 1);
  return lines.slice(0, 2).map(countOf);
}

interface CsvRecord {
  readonly line: number;
  readonly cells: string[];
}

/** The lines that aren't empty. */
function recordsOf(text: string, delimiter: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let [line, firstLine, count, at] = [1, 1, 0, 0];
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at, delimiter);
    for (let index = at; index < cell.end; index++) if (text[index] === "\n") line++;
    cells.push(cell.value);
    if (cells.length > COLUMNS_MAX) throw tooMany(`line ${firstLine} has more than ${COLUMNS_MAX}`);
    if (++count > CELLS_MAX) throw tooMany(`the file has more than ${CELLS_MAX}`);
    at = cell.end;
    if (text[at] === delimiter) {
      at++;
      if (at === text.length) cells.push("");
      continue;
    }
    const end = lineEnd(text, at);
    if (end === at && at < text.length) {
      throw new FileRefused(`line ${line}: "${text[at]!}" follows a closing quote`);
    }
    if (cells.length > 1 || cells[0]!.trim() !== "") records.push({ line: firstLine, cells });
    if (end > at) line++;
    [cells, firstLine, at] = [[], line, end];
  }
  if (cells.length > 0) records.push({ line: firstLine, cells });
  return records;
}

/** More lines above a table are another table. */
const ABOVE_MAX = 20;

/**
 * The records without the titles and settings that people put above a table. The header also becomes as wide as the rows
 * where R left out the name of its first column, or a program ended each row but the header with a delimiter.
 */
function fromHeader(records: readonly CsvRecord[]): readonly CsvRecord[] {
  const width = records.at(-1)?.cells.length ?? 0;
  const first = records.findIndex(({ cells }) => cells.length === width);
  const above = records.slice(0, first);
  const rows = records.slice(first);
  const isAbove = above.length > 0 && above.every(({ cells }) => cells.length < width);
  if (!isAbove || rows.some(({ cells }) => cells.length !== width)) return records;
  const header = above.at(-1)!;
  const isRow = rows[0]!.cells.some((cell) => /^[-+]?\d/.test(cell.trim()));
  if (!isRow) return above.length <= ABOVE_MAX && rows.length > 1 ? rows : records;
  const isNumbered = header.cells.some((cell) => /^[-+]?\d/.test(cell.trim()));
  if (isNumbered && above.length > 1) return records; // a row like those above it, and later ones are longer
  if (header.cells.length < 2 || header.cells.length !== width - 1) return records;
  const isEnded = rows.every(({ cells }) => cells.at(-1)!.trim() === "");
  const cells = isEnded ? [...header.cells, ""] : ["", ...header.cells];
  return [{ line: header.line, cells }, ...rows];
}

/** Spreadsheets end lines with delimiters where cells beside the table were once in use. */
function withoutEmptyColumns(records: readonly CsvRecord[]): readonly CsvRecord[] {
  const width = records[0]?.cells.length ?? 0;
  if (records.some(({ cells }) => cells.length !== width)) return records;
  let kept = width;
  while (kept > 1 && records.every(({ cells }) => cells[kept - 1]!.trim() === "")) kept--;
  if (kept === width) return records;
  return records.map(({ line, cells }) => ({ line, cells: cells.slice(0, kept) }));
}

function tooMany(what: string): FileRefused {
  return new FileRefused(`${what} cells: no export has so many`);
}

/** The position after the line break at `at`, or `at` itself if there is none. */
function lineEnd(text: string, at: number): number {
  if (text[at] === "\r") return text[at + 1] === "\n" ? at + 2 : at + 1;
  return text[at] === "\n" ? at + 1 : at;
}

function plainCell(text: string, from: number, delimiter: string): { value: string; end: number } {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r")
    end++;
  return { value: text.slice(from, end), end };
}

function quotedCell(text: string, from: number, line: number): { value: string; end: number } {
  let close = text.indexOf('"', from + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) throw new FileRefused(`line ${line}: a quoted cell is never closed`);
  return { value: text.slice(from + 1, close).replaceAll('""', '"'), end: close + 1 };
}
