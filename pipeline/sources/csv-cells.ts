import { FileRefused } from "../../files/refused.ts";
import {
  decimalMarkOf,
  numberOf as numberWithMark,
  type DecimalMark,
} from "../../files/numbers.ts";

const NUMBER_PATTERN = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Words for numbers that no price can be. They are read so that the price rules refuse them. */
const NOT_FINITE_PATTERN = /^-?(?:nan|inf(?:inity)?)$/i;
/** `$64,000.50`, `17.32K`: as pages print them. */
const PRINTED_PATTERN = /^\$?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?([KMBT])?$/;
const EXPONENT_OF: Readonly<Record<string, number>> = { K: 3, M: 6, B: 9, T: 12 };

/** The cells of a row, with quotes as in RFC 4180; none if a quote is not closed. */
export function cellsOf(raw: string, separator: string): string[] {
  if (!raw.includes('"')) return raw.split(separator);
  const cells: string[] = [];
  let from = 0;
  while (from <= raw.length) {
    const isQuoted = raw[from] === '"';
    const end = isQuoted ? closingQuote(raw, from + 1) + 1 : raw.indexOf(separator, from);
    const stop = end === -1 ? raw.length : end;
    if (isQuoted && (end === 0 || (stop < raw.length && raw[stop] !== separator))) return [];
    const cell = raw.slice(from, stop);
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    from = stop + 1;
  }
  return cells;
}

/** Position of the quote that ends a cell, or -1 if there is none. Two in a row mean one. */
function closingQuote(raw: string, from: number): number {
  let at = raw.indexOf('"', from);
  while (at !== -1 && raw[at + 1] === '"') at = raw.indexOf('"', at + 2);
  return at;
}

/** What stands before the decimals of a file's numbers, as a check finds it; a point where its cells do not tell. */
export function markOf(columns: readonly string[][], separator: string): DecimalMark {
  try {
    return decimalMarkOf(columns, { delimiter: separator });
  } catch (error) {
    if (error instanceof FileRefused) return ".";
    throw error;
  }
}

/** The number in a cell, or undefined when it holds none: plain decimals, integers, exponents. */
export function numberOf(cell: string, mark: DecimalMark = "."): number | undefined {
  if (mark === "," && /^-?[\d.]*,\d+$/.test(cell)) return numberWithMark(cell, mark);
  if (NUMBER_PATTERN.test(cell) && (mark === "." || !cell.includes("."))) return Number(cell);
  if (!NOT_FINITE_PATTERN.test(cell)) return undefined;
  if (/nan/i.test(cell)) return NaN;
  return cell.startsWith("-") ? -Infinity : Infinity;
}

/** The number in a cell of a layout that prints numbers for people. */
export function printedNumberOf(cell: string): number | undefined {
  const [, whole, decimals = "", unit = ""] = PRINTED_PATTERN.exec(cell) ?? [];
  if (whole === undefined) return numberOf(cell);
  return Number(`${whole.replaceAll(",", "")}${decimals}e${EXPONENT_OF[unit] ?? 0}`);
}
