import { cellsOf, type Table } from "../formats/csv.ts";
import { FileRefused } from "../formats/export.ts";
import { decimalMarkOf, notANumber, numberOf, type DecimalMark } from "../formats/numbers.ts";
import { readName, type ReadName } from "./name-role.ts";

/** A column beside the dates, with what its name says and what its cells hold. */
export interface TableColumn {
  /** Place in the table's header. */
  readonly place: number;
  readonly name: string;
  readonly read: ReadName;
  readonly cells: readonly string[];
  /** NaN where a cell is empty or no number. */
  readonly values: Float64Array;
  /** Half a unit of the last digit of each cell, in the values' own scale. */
  readonly halfUnits: () => Float64Array;
  /** Whether its cells are numbers. */
  readonly isNumeric: boolean;
  /** Whether its cells have percent signs, by which the values are fractions already. */
  readonly hasPercentSigns: boolean;
  /** Why it can't be judged: a cell that is no number, or numbers that can be read in two ways. */
  readonly problem: FileRefused | undefined;
}

/** Fewer cells than this share of those filled are numbers: a column of words. */
const NUMERIC_SHARE = 0.8;

export function tableColumns(table: Table, timePlaces: ReadonlySet<number>): TableColumn[] {
  const places = [...table.header.keys()].filter((place) => !timePlaces.has(place));
  const columns = places.map((place) => ({ place, cells: cellsOf(table, place) }));
  const marks = decimalMarks(
    table,
    columns.map(({ cells }) => cells),
  );
  return columns.map((column, order) => columnAt(table, column, marks[order]!));
}

function columnAt(
  table: Table,
  { place, cells }: Pick<TableColumn, "place" | "cells">,
  { mark, problem }: ColumnMark,
): TableColumn {
  const name = table.header[place]!;
  const values = new Float64Array(cells.length);
  let [filled, numbers, signs, wrong] = [0, 0, 0, -1];
  for (const [row, cell] of cells.entries()) {
    const value = numberOf(cell, mark);
    values[row] = value ?? NaN;
    if (value === undefined || !Number.isNaN(value)) filled++;
    if (value === undefined && wrong < 0) wrong = row;
    if (value === undefined || Number.isNaN(value)) continue;
    numbers++;
    if (cell.includes("%")) signs++;
  }
  let halfUnits: Float64Array | undefined; // only some columns are compared
  return {
    place,
    name,
    read: readName(name),
    cells,
    values,
    halfUnits: () => (halfUnits ??= Float64Array.from(cells, (cell) => halfUnit(cell, mark))),
    isNumeric: numbers > 0 && numbers >= NUMERIC_SHARE * filled,
    hasPercentSigns: signs > 0,
    problem: problem ?? (wrong < 0 ? undefined : notANumber(table, wrong, place)),
  };
}

/** Half a unit of a cell's last digit: 0.005 of `12.34`. */
function halfUnit(cell: string, mark: DecimalMark): number {
  const at = cell.lastIndexOf(mark);
  const decimals = at < 0 ? 0 : (/^\d*/.exec(cell.slice(at + 1))?.[0].length ?? 0);
  const exponent = /e([-+]?\d+)/i.exec(cell)?.[1] ?? 0;
  return 0.5 * 10 ** (Number(exponent) - decimals - (cell.includes("%") ? 2 : 0));
}

/** A point that can't separate thousands. */
const CERTAIN_POINT = /\.(\d{1,2}|\d{4,})(?!\d)/;

interface ColumnMark {
  readonly mark: DecimalMark;
  readonly problem: FileRefused | undefined;
}

/** The decimal mark of each column. One whose own cells leave it open takes that of the others. */
function decimalMarks(
  table: Table,
  columns: readonly (readonly string[])[],
): readonly ColumnMark[] {
  const own = columns.map((cells) => ownMark(table, cells));
  const certain = new Set(own.filter((mark) => typeof mark === "string"));
  const others: DecimalMark = certain.has(",") && !certain.has(".") ? "," : ".";
  return own.map((mark) => {
    if (typeof mark === "string") return { mark, problem: undefined };
    const isOpen = mark?.isOpen === true && certain.size === 0;
    const problem = mark !== undefined && (isOpen || !mark.isOpen) ? mark.refusal : undefined;
    return { mark: others, problem };
  });
}

interface NoMark {
  readonly refusal: FileRefused;
  /** Whether other columns can decide it. */
  readonly isOpen: boolean;
}

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
