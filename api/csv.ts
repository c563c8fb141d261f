import type { Table } from "./table.ts";

/** A spreadsheet computes a text that begins like this. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;
const QUOTE = /"/g;

/**
 * A table as RFC 4180 text with a header row: digits as in JSON, nothing for null, objects and lists as JSON. A text
 * that a spreadsheet would compute is quoted, with a leading apostrophe.
 */
export function csvOf({ columns, rows }: Table): string {
  const header = columns.map(({ name }) => textCell(name));
  const lines = rows.map((row) =>
    columns.map((column) => cellOf(column.cell(row as never))).join(),
  );
  return `${[header.join(), ...lines].join("\r\n")}\r\n`;
}

function cellOf(value: unknown): string | number {
  if (typeof value === "number") return value;
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return textCell(value);
  return typeof value === "object" ? quoted(JSON.stringify(value)) : String(value as boolean);
}

function textCell(text: string): string {
  if (FORMULA.test(text) && Number.isNaN(Number(text))) return quoted(`'${text}`);
  return NEEDS_QUOTES.test(text) ? quoted(text) : text;
}

function quoted(text: string): string {
  return `"${text.replace(QUOTE, '""')}"`;
}
