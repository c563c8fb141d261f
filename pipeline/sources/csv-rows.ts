import { civilOfDay, dayOfDate, daysInMonth } from "../../quant/calendar.ts";
import { cellCountAdvice, COLUMNS, dateAdvice, headerAdvice, numberAdvice } from "./csv-advice.ts";
import type { Column } from "./csv-advice.ts";
import { boundedRaw } from "./source.ts";
import type { RawRow, RowFault, RowFaultReason } from "./source.ts";

/** The content of a price file, or why it is not one. */
export type ParsedFile =
  | { readonly ok: true; readonly rows: readonly RawRow[]; readonly faults: readonly RowFault[] }
  | {
      readonly ok: false;
      readonly reason: "file_empty" | "header_invalid" | "file_too_large";
      readonly why: string;
    };

/** Position of each column in a row. */
type Layout = Readonly<Record<Column, number>>;

interface RowReader {
  readonly layout: Layout;
  readonly dayOf: (cell: string) => number | undefined;
  /** Reasons that were explained: once is enough for a person. */
  readonly explained: Set<RowFaultReason>;
}

/** A row of six numbers has at most about 150 characters; a much longer line is garbage. */
const LINE_LENGTH_MAX = 1000;
/** More days than 250 years have. Without a limit, a file of blanks and line breaks costs gigabytes. */
export const ROWS_MAX = 100_000;
/** Plain decimals, integers, exponents. Not: hex, "1,000", "+1", ".5", "5.", blanks, quotes. */
const NUMBER_PATTERN = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Words for numbers that no price can be. They are read so that the price rules refuse them. */
const NOT_FINITE_PATTERN = /^(-?)(?:(nan)|inf(?:inity)?)$/i;

const ZERO = 48;
const POINT = 46;
const POWERS_OF_TEN = Float64Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Reads `date,open,high,low,close,volume`, with the columns in the order of the header, with LF or CRLF,
 * and with or without a byte order mark. A row without six readable cells is a fault; nothing is guessed. A
 * last line without a line break is a fault too: a file cut off within a number reads as another, smaller
 * number.
 */
export function parseCsv(text: string): ParsedFile {
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (text.length === start) return { ok: false, reason: "file_empty", why: "the file is empty" };
  const headerEnd = text.indexOf("\n", start);
  const header = lineOf(text, start, headerEnd === -1 ? text.length : headerEnd);
  const layout = layoutOf(header);
  if (typeof layout === "string") return { ok: false, reason: "header_invalid", why: layout };
  const reader: RowReader = { layout, dayOf: dateReader(), explained: new Set() };
  const rows: RawRow[] = [];
  const faults: RowFault[] = [];
  start = headerEnd === -1 ? text.length : headerEnd + 1;
  for (let line = 2; start < text.length; line++) {
    const end = text.indexOf("\n", start);
    if (end === -1) {
      const raw = boundedRaw(text.slice(start, start + LINE_LENGTH_MAX));
      faults.push({ line, day: null, reason: "unterminated_row", raw });
      break;
    }
    const raw = lineOf(text, start, end);
    start = end + 1;
    if (line > ROWS_MAX + 1) {
      return { ok: false, reason: "file_too_large", why: `more than ${ROWS_MAX} lines of rows` };
    }
    if (raw === "") continue; // a blank line holds no row
    const read = rowOf(raw, line, reader);
    if ("reason" in read) faults.push(read);
    else rows.push(read);
  }
  if (rows.length + faults.length === 0) {
    return { ok: false, reason: "file_empty", why: "there is no row behind the header" };
  }
  return { ok: true, rows, faults };
}

function rowOf(raw: string, line: number, reader: RowReader): RawRow | RowFault {
  const { layout, dayOf, explained } = reader;
  const fault = (
    reason: RowFaultReason,
    why: () => string,
    day: number | null = null,
  ): RowFault => {
    const refused = { line, day, reason, raw: boundedRaw(raw) };
    if (explained.has(reason)) return refused;
    explained.add(reason);
    return { ...refused, why: why() };
  };
  if (raw.length > LINE_LENGTH_MAX) {
    return fault("row_too_long", () => `expected at most ${LINE_LENGTH_MAX} characters`);
  }
  const cells = raw.split(",");
  if (cells.length !== COLUMNS.length) {
    return fault("wrong_cell_count", () => cellCountAdvice(cells, raw));
  }
  const date = cells[layout.date]!; // six cells, and the layout's positions are 0..5
  const day = dayOf(date);
  if (day === undefined) return fault("invalid_date", () => dateAdvice(date));
  const open = numberOf(cells[layout.open]!);
  const high = numberOf(cells[layout.high]!);
  const low = numberOf(cells[layout.low]!);
  const close = numberOf(cells[layout.close]!);
  const volume = numberOf(cells[layout.volume]!);
  const known = open !== undefined && high !== undefined && low !== undefined;
  if (!known || close === undefined || volume === undefined) {
    return fault("invalid_number", () => unreadableCell(cells, layout), day);
  }
  return { day, open, high, low, close, volume, line, raw };
}

function unreadableCell(cells: readonly string[], layout: Layout): string {
  const isUnreadable = (column: Column) => numberOf(cells[layout[column]]!) === undefined;
  const column = COLUMNS.find((name) => name !== "date" && isUnreadable(name))!; // there is one
  return numberAdvice(column, cells[layout[column]]!);
}

/**
 * `dayOfDate` for dates that mostly follow one another: within the month of the previous date it reads only
 * the day of the month. This makes reading a file twice as fast.
 */
function dateReader(): (cell: string) => number | undefined {
  let month = "";
  let firstDay = 0;
  let days = 0;
  return (cell) => {
    if (cell.length === 10 && month !== "" && cell.startsWith(month)) {
      const dayOfMonth = digit(cell, 8) * 10 + digit(cell, 9);
      return dayOfMonth >= 1 && dayOfMonth <= days ? firstDay + dayOfMonth - 1 : undefined;
    }
    const day = dayOfDate(cell);
    if (day === undefined) return undefined;
    const civil = civilOfDay(day);
    month = cell.slice(0, 8);
    firstDay = day - civil.dayOfMonth + 1;
    days = daysInMonth(civil.year, civil.month);
    return day;
  };
}

/** The number in a cell, or undefined when it holds none. */
function numberOf(cell: string): number | undefined {
  const short = shortDecimalOf(cell);
  if (!Number.isNaN(short)) return short;
  if (NUMBER_PATTERN.test(cell)) return Number(cell);
  const word = NOT_FINITE_PATTERN.exec(cell);
  if (word === null) return undefined;
  if (word[2] !== undefined) return NaN;
  return word[1] === "-" ? -Infinity : Infinity;
}

/**
 * The value of a plain decimal with at most 15 digits; NaN for anything else. Its digits are an integer
 * below 2^53 and the power of ten is at most 10^15. Both are exact in float64, so a single division rounds
 * correctly and gives the same result as `Number`. Source: W. D. Clinger, "How to Read Floating Point
 * Numbers Accurately" (1990).
 */
function shortDecimalOf(cell: string): number {
  if (cell.length > 16) return NaN;
  let digits = 0;
  let point = -1;
  for (let index = 0; index < cell.length; index++) {
    if (cell.charCodeAt(index) === POINT) {
      if (point !== -1) return NaN;
      point = index;
    } else digits = digits * 10 + digit(cell, index);
  }
  if (point === -1) return cell.length > 0 && cell.length < 16 ? digits : NaN;
  const decimals = cell.length - 1 - point;
  return point > 0 && decimals > 0 ? digits / POWERS_OF_TEN[decimals]! : NaN; // at most 14
}

/** The digit at a position, NaN for any other character. */
function digit(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= ZERO && code <= ZERO + 9 ? code - ZERO : NaN;
}

/** The layout of a header, or a sentence that says what is wrong with it. */
function layoutOf(header: string): Layout | string {
  if (header.length > LINE_LENGTH_MAX) return headerAdvice(header);
  const names = header.split(",");
  const isExact = names.length === COLUMNS.length && COLUMNS.every((name) => names.includes(name));
  if (!isExact) return headerAdvice(header);
  const position = (column: Column): number => names.indexOf(column);
  return {
    date: position("date"),
    open: position("open"),
    high: position("high"),
    low: position("low"),
    close: position("close"),
    volume: position("volume"),
  };
}

/** One line without its line break, LF or CRLF. */
function lineOf(text: string, start: number, end: number): string {
  const last = end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
  return text.slice(start, last);
}
