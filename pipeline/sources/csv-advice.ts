import { boundedRaw } from "./source.ts";

/** The columns of a price file. */
export const COLUMNS = ["date", "open", "high", "low", "close", "volume"] as const;
export type Column = (typeof COLUMNS)[number];

const HEADER_QUOTED_MAX = 80;
const HEADER_READ_MAX = 1000;
const CELL_QUOTED_MAX = 40;

/** A sentence about a header that names other columns than ours: what it is, and what to change. */
export function headerAdvice(header: string): string {
  const expected = `expected the header ${COLUMNS.join(",")} in any order`;
  if (header.startsWith("\u001F")) return `${expected}, and the file is compressed: unpack it`;
  if (header.includes("\u0000")) return `${expected}, and the file is not UTF-8 text`;
  const got = `got ${quoted(header, HEADER_QUOTED_MAX)}`;
  const also = hint(header.slice(0, HEADER_READ_MAX));
  return also === undefined ? `${expected}, ${got}` : `${expected}, ${got}: ${also}`;
}

function hint(header: string): string | undefined {
  const names = header.split(/[,;\t]/).map((name) => name.replaceAll(/["'\s]/g, "").toLowerCase());
  const isOurs = (name: string) => (COLUMNS as readonly string[]).includes(name);
  if (header.includes("\r")) return "its lines end in CR alone";
  if (/^[\d"'][\d\s.:;,/TZ"'+-]*$/.test(header))
    return "the file has no header, it begins with a row";
  if (/^\W*https?:/.test(header)) return "delete the line before the header";
  if (!names.some(isOurs)) return undefined;
  if (/[;\t]/.test(header)) return "cells are separated by commas";
  const missing = COLUMNS.filter((column) => !names.includes(column)).map((name) => `"${name}"`);
  if (missing.length > 0)
    return `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing`;
  const other = header.split(",").find((_, index) => !isOurs(names[index]!)); // as many as names
  if (other !== undefined) return `leave out the column ${quoted(other)}`;
  if (names.length > COLUMNS.length) return "a name is repeated";
  return "names are in lower case, without quotes or blanks";
}

/** What is wrong with a row of another number of cells. */
export function cellCountAdvice(cells: readonly string[], raw: string): string {
  const expected = `expected ${COLUMNS.length} cells separated by commas, got ${cells.length}`;
  return raw.includes('"') ? `${expected}, and quotes are not read` : expected;
}

export function dateAdvice(cell: string): string {
  return `"date": expected a UTC day YYYY-MM-DD, got ${quoted(cell)}`;
}

export function numberAdvice(column: Column, cell: string): string {
  return `"${column}": expected a plain number such as 1234.5, got ${quoted(cell)}`;
}

/** Text from a file in quotes, on one line and not too long. */
export function quoted(text: string, lengthMax: number = CELL_QUOTED_MAX): string {
  return JSON.stringify(boundedRaw(text, lengthMax));
}
