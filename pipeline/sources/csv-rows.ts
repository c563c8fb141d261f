import { cellCountAdvice, dateAdvice, numberAdvice } from "./csv-advice.ts";
import { cellsOf, markOf, numberOf, printedNumberOf } from "./csv-cells.ts";
import { dayReader, type ReadDay } from "./csv-dates.ts";
import { COLUMNS, type Column } from "./csv-layouts.ts";
import { HEAD_LINES, LINE_LENGTH_MAX, sheetOf, type Sheet } from "./csv-sheet.ts";
import { boundedRaw } from "../price-rules/raw-row.ts";
import type { RawRow, RowFault, RowFaultReason } from "../price-rules/raw-row.ts";

/** The content of a price file, or why it is not one. */
export type ParsedFile =
  | {
      readonly ok: true;
      /** Oldest first, unless they are out of order. */
      readonly rows: readonly RawRow[];
      readonly faults: readonly RowFault[];
      /** What was done to its values, a sentence each. */
      readonly notices: readonly string[];
    }
  | {
      readonly ok: false;
      readonly reason: "file_empty" | "header_invalid" | "file_too_large";
      readonly why: string;
    };

interface ParseOptions {
  /** Names the coin's own volume, in files that have two. */
  readonly ticker?: string;
  /** No program is writing to the file, so a last line without a line break may be complete. */
  readonly settled?: boolean;
}

interface Line {
  readonly raw: string;
  /** From 1. */
  readonly line: number;
  readonly hasBreak: boolean;
}

/** The days of 270 years. Without a limit, a file of blanks and line breaks would take gigabytes. */
export const ROWS_MAX = 100_000;

const NUMBERS = COLUMNS.filter((column) => column !== "date");

/**
 * Reads a price file in the layout that its header identifies: with LF or CRLF, with or without quotes and a byte
 * order mark, the oldest or the newest day first. A row that cannot be read is a fault; nothing is guessed. So is a
 * last line without a line break, because a number that was cut off reads as another, smaller number. The exception
 * is a `settled` file whose last line has all its cells and does not end in a price.
 */
export function parseCsv(text: string, options: ParseOptions = {}): ParsedFile {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (body === "") return { ok: false, reason: "file_empty", why: "the file is empty" };
  const sheet = sheetOf(headOf(body), options.ticker ?? "");
  if (!("why" in sheet)) return rowsOf(body, sheet, options.settled ?? false);
  // What is wrong with the rows is reported as well, so that header and rows can be mended at once.
  const rest = sheet.mended && rowsOf(body, sheet.mended, true);
  const more = rest?.ok === true ? rest.faults.flatMap(({ why }) => why ?? []) : [];
  return { ok: false, reason: "header_invalid", why: [sheet.why, ...more].join("; ") };
}

function rowsOf(text: string, sheet: Sheet, settled: boolean): ParsedFile {
  const reader = new RowReader(text, sheet);
  const rows: RawRow[] = [];
  const faults: RowFault[] = [];
  for (const { raw, line, hasBreak } of linesOf(text)) {
    if (line < sheet.firstLine) continue;
    if (line >= sheet.firstLine + ROWS_MAX) {
      return { ok: false, reason: "file_too_large", why: `more than ${ROWS_MAX} lines of rows` };
    }
    if (raw === "") continue; // a blank line holds no row
    const isWhole = hasBreak || (settled && reader.isWhole(raw));
    const read = isWhole ? reader.read(raw, line) : fault("unterminated_row", { line, raw });
    if ("reason" in read) faults.push(read);
    else rows.push(read);
  }
  if (rows.length + faults.length === 0) {
    return { ok: false, reason: "file_empty", why: "there is no row after the header" };
  }
  return { ok: true, rows: oldestFirst(rows), faults, notices: reader.notices() };
}

/** Reads the rows of one file. What is wrong with them is explained once for each kind. */
class RowReader {
  readonly #sheet: Sheet;
  readonly #dayOf: (cell: string) => ReadDay;
  readonly #isPrinted: boolean;
  readonly #mark: ReturnType<typeof markOf>;
  readonly #explained = new Set<string>();
  #withoutVolume = 0;

  constructor(text: string, sheet: Sheet) {
    this.#sheet = sheet;
    this.#dayOf = dayReader(text);
    this.#isPrinted = sheet.layout.printed === true;
    this.#mark = sheet.separator === "," ? "." : markOf(numbersIn(text, sheet), sheet.separator);
  }

  read(raw: string, line: number): RawRow | RowFault {
    const { separator, width, places, dollars } = this.#sheet;
    if (raw.length > LINE_LENGTH_MAX) {
      const whys = this.#explain("length", () => `expected at most ${LINE_LENGTH_MAX} characters`);
      return fault("row_too_long", { line, raw, whys });
    }
    const cells = cellsOf(raw, separator);
    if (cells.length !== width) {
      const whys = this.#explain("count", () => cellCountAdvice(cells, width));
      return fault("wrong_cell_count", { line, raw, whys });
    }
    const cellOf = (column: Column) => cells[places[column]]!; // places are below the width
    const day = this.#dayOf(cellOf("date"));
    const values = NUMBERS.map((column) => this.#valueIn(column, cellOf(column)));
    if (typeof day === "number" && values.every((value) => value !== undefined)) {
      const [open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] = values;
      if (volume === 0 && isNone(cellOf("volume"))) this.#withoutVolume++;
      const coins = dollars && close > 0 ? volume / close : volume;
      return { day, open, high, low, close, volume: coins, line, raw };
    }
    // Everything that is wrong, so that a file can be mended at once.
    const whys = NUMBERS.filter((_, at) => values[at] === undefined).flatMap((column) =>
      this.#explain(column, () => numberAdvice(column, cellOf(column))),
    );
    if (typeof day === "number") return fault("invalid_number", { line, raw, whys, day });
    const why = this.#explain(day, () => dateAdvice(cellOf("date"), day === "not_a_utc_day"));
    return fault(day, { line, raw, whys: [...why, ...whys] });
  }

  /** Whether a line without a line break has all its cells, and does not end in a price. */
  isWhole(raw: string): boolean {
    const { separator, width, places } = this.#sheet;
    if (raw.length > LINE_LENGTH_MAX || raw.endsWith(separator)) return false;
    const last = COLUMNS.find((column) => places[column] === width - 1) ?? "volume";
    return last === "volume" && cellsOf(raw, separator).length === width;
  }

  notices(): string[] {
    const { layout, dollars } = this.#sheet;
    const notices: string[] = [];
    if (dollars) {
      notices.push(
        `${layout.provider} counts volume in dollars: it was divided by each day's close`,
      );
    }
    if (this.#withoutVolume > 0) {
      notices.push(`${this.#withoutVolume} days have no volume in the file: it is taken as 0`);
    }
    return notices;
  }

  #valueIn(column: Column, cell: string): number | undefined {
    if (!this.#isPrinted) return numberOf(cell, this.#mark);
    return column === "volume" && isNone(cell) ? 0 : printedNumberOf(cell);
  }

  #explain(kind: string, text: () => string): string[] {
    if (this.#explained.has(kind)) return [];
    this.#explained.add(kind);
    return [text()];
  }
}

/** The cells of the columns of numbers, of rows that have all their cells. */
function numbersIn(text: string, { separator, width, places, firstLine }: Sheet): string[][] {
  const rows = [...linesOf(text)]
    .filter(({ raw, line }) => line >= firstLine && raw.length <= LINE_LENGTH_MAX)
    .map(({ raw }) => cellsOf(raw, separator))
    .filter((cells) => cells.length === width);
  return NUMBERS.map((column) => rows.map((cells) => cells[places[column]]!)); // below the width
}

interface FaultFacts {
  readonly line: number;
  readonly raw: string;
  readonly whys?: readonly string[];
  readonly day?: number;
}

function fault(reason: RowFaultReason, { line, raw, whys = [], day }: FaultFacts): RowFault {
  const refused = { line, day: day ?? null, reason, raw: boundedRaw(raw) };
  return whys.length === 0 ? refused : { ...refused, why: whys.join("; ") };
}

/** What pages print for no volume. */
function isNone(cell: string): boolean {
  return cell === "-" || cell === "";
}

/** Reverses the rows of a file that begins with its newest day. */
function oldestFirst(rows: RawRow[]): RawRow[] {
  let steps = 0;
  for (let index = 1; index < rows.length; index++) {
    steps += Math.sign(rows[index]!.day - rows[index - 1]!.day); // both in range
  }
  return steps < 0 ? rows.reverse() : rows;
}

/** Lines without their breaks, LF or CRLF. */
function* linesOf(text: string): Generator<Line> {
  let from = 0;
  for (let line = 1; from < text.length; line++) {
    const found = text.indexOf("\n", from);
    const end = found === -1 ? text.length : found;
    const last = end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    yield { raw: text.slice(from, last), line, hasBreak: found !== -1 };
    from = end + 1;
  }
}

function headOf(text: string): string[] {
  const head: string[] = [];
  for (const { raw } of linesOf(text)) {
    head.push(raw.slice(0, LINE_LENGTH_MAX + 1));
    if (head.length === HEAD_LINES) break;
  }
  return head;
}
