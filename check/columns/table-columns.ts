import { FileRefused } from "../../files/refused.ts";
import { cellsOf, type Table } from "../../files/csv.ts";

import { decimalMarkOf, notANumber, numberOf, type DecimalMark } from "../../files/numbers.ts";
import { readName, type ReadName } from "./name-role.ts";

/** A column beside the dates: what its name says and what its cells hold. */
export interface TableColumn {
  /** Place in the table's header. */
  readonly index: number;
  readonly name: string;
  readonly read: ReadName;
  readonly cells: readonly string[];
  /** NaN where a cell is empty or no number. */
  readonly values: Float64Array;
  /** Half a unit of the last digit of each cell, in the scale of the values. */
  readonly halfUnits: () => Float64Array;
  readonly isNumeric: boolean;
  /** Whether cells have percent signs. Their values are fractions already. */
  readonly hasPercentSigns: boolean;
  /** Why the column can't be judged: a cell that isn't a number, or numbers that can be read in two ways. */
  readonly problem: FileRefused | undefined;
}

/** A column in which a smaller share of the filled cells are numbers holds words. */
const NUMERIC_SHARE = 0.8;

export function tableColumns(table: Table, timePlaces: ReadonlySet<number>): TableColumn[] {
  const places = [...table.header.keys()].filter((index) => !timePlaces.has(index));
  const columns = places.map((index) => ({ index, cells: cellsOf(table, index) }));
  return withMarks(table, columns).map((column) => columnAt(table, column));
}

interface MarkedCells {
  readonly index: number;
  readonly cells: readonly string[];
  readonly mark: DecimalMark;
  readonly problem: FileRefused | undefined;
}

function columnAt(table: Table, { index, cells, mark, problem }: MarkedCells): TableColumn {
  const name = table.header[index]!;
  const read = cells.map((cell) => numberOf(cell, mark)); // undefined for words, NaN for empty cells
  const wrong = read.indexOf(undefined);
  const filled = read.filter((value) => !Number.isNaN(value)).length;
  const isNumber = (value: number | undefined) => value !== undefined && !Number.isNaN(value);
  const numbers = read.filter(isNumber).length;
  let halfUnits: Float64Array | undefined; // only some columns are compared
  return {
    index,
    name,
    read: readName(name),
    cells,
    values: Float64Array.from(read, (value) => value ?? NaN),
    halfUnits: () => (halfUnits ??= halfUnitsOf(cells, mark)),
    isNumeric: numbers > 0 && numbers >= NUMERIC_SHARE * filled,
    hasPercentSigns: cells.some((cell, row) => cell.includes("%") && isNumber(read[row])),
    problem: problem ?? (wrong < 0 ? undefined : notANumber(table, wrong, index)),
  };
}

/**
 * Half a unit of each cell's last digit. A zero has the finest unit of the column: pandas and Excel write `0` beside
 * `0.0123456`, and it isn't rounded.
 */
function halfUnitsOf(cells: readonly string[], mark: DecimalMark): Float64Array {
  const units = Float64Array.from(cells, (cell) => halfUnit(cell, mark));
  const finest = units.reduce((least, unit) => Math.min(least, unit), Infinity);
  return units.map((unit, row) => (/[1-9]/.test(cells[row]!) ? unit : finest));
}

/** Half a unit of a cell's last digit: 0.005 for `12.34`. */
function halfUnit(cell: string, mark: DecimalMark): number {
  const at = cell.lastIndexOf(mark);
  const decimals = at < 0 ? 0 : (/^\d*/.exec(cell.slice(at + 1))?.[0].length ?? 0);
  const exponent = /e([-+]?\d+)/i.exec(cell)?.[1] ?? 0;
  return 0.5 * 10 ** (Number(exponent) - decimals - (cell.includes("%") ? 2 : 0));
}

/** The cells with the decimal mark of each column. Where a column leaves it open, the others decide. */
function withMarks(
  table: Table,
  columns: readonly Pick<MarkedCells, "index" | "cells">[],
): readonly MarkedCells[] {
  const own = columns.map(({ cells }) => ownMark(table, cells));
  const certain = new Set(own.filter((mark) => typeof mark === "string"));
  const others = certain.has(",") && !certain.has(".") ? "," : ".";
  return columns.map((column, at) => {
    const found = own[at];
    if (typeof found === "string") return { ...column, mark: found, problem: undefined };
    const isSettled = found === undefined || (found.isOpen && certain.size > 0);
    return { ...column, mark: others, problem: isSettled ? undefined : found.refusal };
  });
}

interface NoMark {
  readonly refusal: FileRefused;
  /** Whether other columns can decide. */
  readonly isOpen: boolean;
}

/** A point before three digits may separate thousands, this one can't. */
const CERTAIN_POINT = /\.(\d{1,2}|\d{4,})(?!\d)/;

/** Undefined where a column has neither mark. */
function ownMark(table: Table, cells: readonly string[]): DecimalMark | NoMark | undefined {
  try {
    if (decimalMarkOf([cells], table) === ",") return ",";
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return { refusal: error, isOpen: error.message.includes("thousands") };
  }
  return cells.some((cell) => CERTAIN_POINT.test(cell)) ? "." : undefined;
}
