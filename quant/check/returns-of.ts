import { concatenated, median } from "../sample-statistics.ts";
import { instantText } from "./ordered-rows.ts";
import { PanelRefused, type CheckWarning, type Observations } from "./panel.ts";

/** Returns whose moves have a larger median can't be fractions. */
const PERCENT_MEDIAN = 0.5;
const LARGE_RETURN = 1;
/** A larger return is a damaged digit. The kurtosis takes fourth powers, which would soon leave the range of numbers. */
const IMPOSSIBLE_RETURN = 1e12;
const PERCENT_ADVICE =
  "returns have to be fractions (0.01 for 1 %): divide them by 100, or write the percent signs";

/**
 * The simple returns of the rows, one fewer than the rows of an equity curve. Empty cells count as a return of 0.
 * Throws on values that can't be what they are said to be.
 */
export function returnsOf(rows: Observations, warnings: CheckWarning[]): readonly Float64Array[] {
  const columns = rows.columns.map((column, index) =>
    rows.kind === "equity" ? stepsOf(column, rows, rows.names[index]!) : withoutEmptyCells(column),
  );
  checkReturns(rows, columns, warnings);
  return columns;
}

/** The column itself where it has a value in every cell. */
function withoutEmptyCells(column: Float64Array): Float64Array {
  if (!column.some(Number.isNaN)) return column;
  return column.map((value) => (Number.isNaN(value) ? 0 : value));
}

function stepsOf(values: Float64Array, rows: Observations, name: string): Float64Array {
  const out = new Float64Array(Math.max(0, values.length - 1));
  let before = NaN;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    if (!(value > 0)) {
      throw new PanelRefused(
        `the equity of "${name}" is ${value} on ${instantText(rows.instants[row]!)}${lineText(rows.lines[row]!)}, ` +
          "where a value above 0 is needed",
      );
    }
    if (row > 0 && before > 0) out[row - 1] = value / before - 1;
    before = value;
  }
  return out;
}

function checkReturns(
  rows: Observations,
  columns: readonly Float64Array[],
  warnings: CheckWarning[],
): void {
  const shift = rows.kind === "equity" ? 1 : 0;
  const where = (column: number, row: number) =>
    `${columns[column]![row]!} of "${rows.names[column]!}" on ${instantText(rows.instants[row + shift]!)}` +
    lineText(rows.lines[row + shift]!);
  if (rows.kind === "returns" && medianMove(columns) > PERCENT_MEDIAN) {
    const never = columns.every((column) => column.every((value) => value >= 0));
    const level = never ? '. If this is an equity curve, say so with the format "equity"' : "";
    throw new PanelRefused(
      `half of all moves are larger than 50 % a bar: ${PERCENT_ADVICE}${level}`,
    );
  }
  let large: string | undefined;
  for (const [column, values] of columns.entries()) {
    for (let row = 0; row < values.length; row++) {
      const value = values[row]!;
      if (value > IMPOSSIBLE_RETURN)
        throw new PanelRefused(`no account grows like this: ${where(column, row)}`);
      if (value < -1) {
        throw new PanelRefused(
          `a return can't be below -1, got ${where(column, row)}, which loses more than everything; ${PERCENT_ADVICE}`,
        );
      }
      if (value > LARGE_RETURN) large ??= where(column, row);
    }
  }
  if (large === undefined) return;
  const message = `a return above 100 % a bar: ${large}; if the file has percent, divide them by 100`;
  warnings.push({ code: "large_return", message });
}

/** Rows that are on no line of the file, such as the days of a list of trades, have line 0. */
function lineText(line: number): string {
  return line === 0 ? "" : ` (line ${line})`;
}

/** Median size of the returns that aren't 0; NaN where nothing moves. */
function medianMove(columns: readonly Float64Array[]): number {
  return median(
    concatenated(columns.map((column) => column.filter((value) => value !== 0).map(Math.abs))),
  );
}
