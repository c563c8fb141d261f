import { FileRefused } from "../../files/refused.ts";
import { timeColumn } from "./time-column.ts";
import type { CheckWarning, Observations } from "../../quant/check/panel.ts";
import { concatenated, median } from "../../quant/sample-statistics.ts";
import { shapeOf, type Series } from "../columns/series.ts";
import { cellsOf, type Table } from "../../files/csv.ts";
import { question, type ReadExport, type ReadOptions } from "./export.ts";
import { decimalMarkOf, numberColumn, numberOf, shortened } from "../../files/numbers.ts";
import { isDate, isTimeColumn } from "../../files/times.ts";

/** A tool's table of times in the first column and a column for each variant, of returns or of equity. */
export function readGeneric(
  table: Table,
  options: ReadOptions,
  source: Pick<ReadExport, "format" | "tool"> & { readonly kind?: Observations["kind"] },
): ReadExport {
  const warnings: CheckWarning[] = [];
  const names = table.header.slice(1);
  refuseRepeated(names);
  const cells = names.map((_, index) => cellsOf(table, index + 1));
  const mark = decimalMarkOf(cells, table);
  const columns = names.map((_, index) => numberColumn(table, index + 1, mark));
  const series = () =>
    columns.map((values, index) => ({ name: names[index]!, values, shape: shapeOf(values) }));
  const kind = source.kind ?? kindOf(series(), options, warnings);
  const rows: Observations = {
    kind,
    instants: timeColumn(table, 0, options),
    lines: Int32Array.from(table.lines),
    names: names.map(variantName),
    columns,
  };
  return { ...source, kind, rows, warnings };
}

export function refuseRepeated(names: readonly string[]): void {
  const seen = new Set<string>();
  const name = names.find((each) => seen.size === seen.add(each).size);
  if (name !== undefined)
    throw new FileRefused(`two columns are called "${shortened(name)}": rename one`);
}

/** Gives a table without a header one. Its first row holds a date and numbers, like the others. */
export function withHeader(table: Table): Table {
  const [date, ...cells] = table.header;
  const isRow =
    cells.length > 0 &&
    [date, table.rows[0]?.[0]].every((cell) => cell !== undefined && isDate(cell)) &&
    cells.every((cell) => numberOf(cell, ".") !== undefined || numberOf(cell, ",") !== undefined);
  if (!isRow) return table;
  return {
    ...table,
    header: ["date", ...cells.map((_, index) => String(index + 1))],
    rows: [table.header, ...table.rows],
    lines: [1, ...table.lines],
  };
}

/** pandas writes row numbers before a frame that has its dates in a column. */
export function withoutRowNumbers(table: Table): Table {
  const { header, rows } = table;
  const isUnnamed = /^(|unnamed: \d+|index)$/i.test(header[0]!); // its first row may have been dropped
  const isCounted = rows.every((row, index) =>
    isUnnamed ? /^\d{1,9}$/.test(row[0]!) : row[0] === String(index),
  );
  if (!isCounted || header.length < 3 || !isTimeColumn(table, 1)) return table;
  return { ...table, header: header.slice(1), rows: rows.map((row) => row.slice(1)) };
}

/** Equity curves have a median above this. Returns lie around 0. */
const EQUITY_MEDIAN = 0.5;

/** Whether columns are returns or values of an account, by their values alone. */
export function kindOf(
  columns: readonly Series[],
  { format }: ReadOptions,
  warnings: CheckWarning[],
): "returns" | "equity" {
  if (format === "returns" || format === "equity") return format;
  const level = median(concatenated(columns.map(({ values }) => values)));
  const falls = columns.some(({ shape }) => shape.least < 0);
  const rises = columns.some(({ shape }) => shape.most > 0);
  if (falls && !rises) {
    throw question(
      "format",
      "no value is above 0: is this a curve of drawdowns? Send the equity curve or the returns; if these are returns, " +
        'say so with the format "returns"',
    );
  }
  if (!falls && level > EQUITY_MEDIAN) {
    askIfCumulative(columns);
    return "equity";
  }
  if (!rises || (falls && Math.abs(level) <= EQUITY_MEDIAN)) {
    checkSmooth(columns, warnings);
    return "returns";
  }
  throw question(
    "format",
    `these may be returns or an equity curve (the median is ${Number(level.toPrecision(4))}): say which with the ` +
      'format "returns" or "equity"',
  );
}

/** Cumulative profits grow by this factor from one row to the next. An equity curve hardly does. */
const LEAP = 2;

/** Cumulative profits that stay above 0 look like an equity curve. */
function askIfCumulative(columns: readonly Series[]): void {
  const leaping = columns.find(({ values }) =>
    values.some((value, row) => row > 0 && value > LEAP * values[row - 1]!),
  );
  if (leaping === undefined) return;
  throw question(
    "format",
    `"${shortened(leaping.name)}" may be cumulative profits rather than an equity curve: add the starting capital to them or, ` +
      'if it is the equity, say so with the format "equity"',
  );
}

/** Returns of less than the first roughness may be cumulative, of less than the second they surely are. */
const [SMOOTH_WARNED, SMOOTH_ASKED] = [0.1, 0.02];
const SMOOTH_COLUMN =
  "each value is nearly the one before it, as in cumulative returns and not in the returns of single bars";
const SMOOTH = `${SMOOTH_COLUMN}: if they are cumulative, add 1 and send them as an equity curve`;

/** Asks whether returns are cumulative where they look like it, and warns where they nearly do. */
export function checkSmooth(columns: readonly Series[], warnings: CheckWarning[]): void {
  const known = columns.filter(({ shape }) => !Number.isNaN(shape.roughness));
  const smooth = known.filter(({ shape }) => shape.roughness < SMOOTH_ASKED);
  if (smooth.length > 0 && smooth.length < known.length) {
    throw question(
      "format",
      `of "${shortened(smooth[0]!.name)}", unlike of others, ${SMOOTH_COLUMN}: remove it if it is cumulative; if not, ` +
        'say so with the format "returns"',
    );
  }
  if (smooth.length > 0)
    throw question("format", `${SMOOTH}; if not, say so with the format "returns"`);
  if (known.length > 0 && known.every(({ shape }) => shape.roughness < SMOOTH_WARNED))
    warnings.push({ code: "smooth_returns", message: SMOOTH });
}

/** The name of a variant. pandas writes its parameters as a tuple: `(5, 30, 'ETH')` is `5|30|ETH`. */
export function variantName(name: string): string {
  const tuple = /^\((.*)\)$/s.exec(name.trim());
  if (tuple === null) return name.trim();
  const parts = tuple[1]!.match(/'[^']*'|"[^"]*"|[^,]+/g) ?? [];
  return parts
    .map((part) => part.trim().replace(/^(['"])(.*)\1$/, "$2"))
    .filter((part) => part !== "")
    .join("|");
}
