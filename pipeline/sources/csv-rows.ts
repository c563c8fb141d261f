import { cellCountAdvice, dateAdvice, numberAdvice } from "./csv-advice.ts";
import { cellsOf, numberOf, printedNumberOf } from "./csv-cells.ts";
import { dayReader } from "./csv-dates.ts";
import type { ReadDay } from "./csv-dates.ts";
import { COLUMNS } from "./csv-layouts.ts";
import { HEAD_LINES, LINE_LENGTH_MAX, sheetOf } from "./csv-sheet.ts";
import type { Sheet } from "./csv-sheet.ts";
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
  /** Of two volumes, the one with this name is the coin's. */
  readonly ticker?: string;
  /** Nobody is writing to the file: a last line without a line break may be whole. */
  readonly settled?: boolean;
}

interface Line {
  readonly raw: string;
  /** From 1. */
  readonly line: number;
  readonly hasBreak: boolean;
}

/** More days than 250 years have. Without a limit, a file of blanks and line breaks costs gigabytes. */
export const ROWS_MAX = 100_000;

const NUMBERS = COLUMNS.filter((column) => column !== "date");

/**
 * Reads a price file in the layout that its header tells: with LF or CRLF, with or without quotes and a byte
 * order mark, from either end. A row without readable cells is a fault; nothing is guessed. So is a last line
 * without a line break, because a file cut off within a number reads as another, smaller number; but for a
 * `settled` file, whose last line has all its cells and ends in no price.
 */
export function parseCsv(text: string, options: ParseOptions = {}): ParsedFile {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (body === "") return { ok: false, reason: "file_empty", why: "the file is empty" };
  const sheet = sheetOf(headOf(body), options.ticker ?? "");
  if (!("why" in sheet)) return rowsOf(body, sheet, options.settled ?? false);
  // What the rows will be refused for is said with it, not once the header is mended.
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

/** Reads the rows of one file. */
class RowReader {
  readonly #sheet: Sheet;
  readonly #dayOf: (cell: string) => ReadDay;
  readonly #numberIn: (cell: string) => number | undefined;
  /** What was explained: once is enough for a person. */
  readonly #explained = new Set<string>();
  #withoutVolume = 0;

  constructor(text: string, sheet: Sheet) {
    this.#sheet = sheet;
    this.#dayOf = dayReader(text);
    this.#numberIn = sheet.layout.printed === true ? printedNumberOf : numberOf;
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
    const day = this.#dayOf(cells[places.date]!); // places are below the width
    const open = this.#numberIn(cells[places.open]!);
    const high = this.#numberIn(cells[places.high]!);
    const low = this.#numberIn(cells[places.low]!);
    const close = this.#numberIn(cells[places.close]!);
    const volume = this.#volumeIn(cells[places.volume]!);
    const known = open !== undefined && high !== undefined && low !== undefined;
    if (typeof day === "string" || !known || close === undefined || volume === undefined) {
      return this.#fault(cells, { day, line, raw });
    }
    if (volume === 0 && isNone(cells[places.volume]!)) this.#withoutVolume++;
    const coins = dollars && close > 0 ? volume / close : volume;
    return { day, open, high, low, close, volume: coins, line, raw };
  }

  /** Whether a line that no break ends has all its cells, the last of which is no price. */
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
      notices.push(`${layout.of} counts volume in dollars: it was divided by each day's close`);
    }
    if (this.#withoutVolume > 0) {
      notices.push(`${this.#withoutVolume} days have no volume in the file: it is taken as 0`);
    }
    return notices;
  }

  #volumeIn(cell: string): number | undefined {
    return isNone(cell) && this.#sheet.layout.printed === true ? 0 : this.#numberIn(cell);
  }

  /** Everything that is wrong with a row's cells, so that a file can be mended at once. */
  #fault(
    cells: readonly string[],
    { day, line, raw }: { day: ReadDay; line: number; raw: string },
  ): RowFault {
    const { places } = this.#sheet;
    const date = cells[places.date]!; // places are below the width
    const whys = NUMBERS.flatMap((column) => {
      const cell = cells[places[column]]!;
      const value = column === "volume" ? this.#volumeIn(cell) : this.#numberIn(cell);
      return value === undefined ? this.#explain(column, () => numberAdvice(column, cell)) : [];
    });
    if (typeof day === "number") return fault("invalid_number", { line, raw, whys, day });
    const why = this.#explain(day, () => dateAdvice(date, day === "not_a_utc_day"));
    return fault(day, { line, raw, whys: [...why, ...whys] });
  }

  #explain(kind: string, text: () => string): string[] {
    if (this.#explained.has(kind)) return [];
    this.#explained.add(kind);
    return [text()];
  }
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

/** How pages print that there is no volume. */
function isNone(cell: string): boolean {
  return cell === "-" || cell === "";
}

/** The rows of a file that is written from its newest day back are turned round. */
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
