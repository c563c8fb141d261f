import type { CheckWarning, Observations } from "../../quant/check/panel.ts";
import { concatenated, median } from "../../quant/sample-statistics.ts";
import { shapeOf } from "../columns/series.ts";
import { cellsOf, type Table } from "./csv.ts";
import { FileRefused, question, type ReadExport, type ReadOptions } from "./export.ts";
import { decimalMarkOf, numberColumn, numberOf, shortened } from "./numbers.ts";
import { isDate, isTimeColumn, timeColumn } from "./times.ts";

/** A value over the one before it that cumulative profits reach and an equity hardly does. */
const LEAP = 2;
/** Levels of an equity curve; returns are around 0. A curve may begin at 1. */
const EQUITY_MEDIAN = 0.5;

/** A known tool's first column of times and a column for each variant, of returns or of equity. */
export function readGeneric(
  table: Table,
  options: ReadOptions,
  of: Pick<ReadExport, "format" | "tool"> & { readonly kind?: Observations["kind"] },
): ReadExport {
  const warnings: CheckWarning[] = [];
  const names = table.header.slice(1);
  refuseRepeated(names);
  const cells = names.map((_, place) => cellsOf(table, place + 1));
  const mark = decimalMarkOf(cells, table);
  const columns = names.map((_, place) => numberColumn(table, place + 1, mark));
  const kind = of.kind ?? kindOf(names, columns, options, warnings);
  const rows: Observations = {
    kind,
    instants: timeColumn(table, 0, options),
    lines: Int32Array.from(table.lines),
    names: names.map(variantName),
    columns,
  };
  return { ...of, kind, rows, warnings };
}

export function refuseRepeated(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name))
      throw new FileRefused(`two columns are called "${shortened(name)}": rename one`);
    seen.add(name);
  }
}

/** A table without a header: its first row holds a date and numbers, and is a row like the others. */
export function withHeader(table: Table): Table {
  const [date, ...cells] = table.header;
  const isRow =
    cells.length > 0 &&
    [date, table.rows[0]?.[0]].every((cell) => cell !== undefined && isDate(cell)) &&
    cells.every((cell) => numberOf(cell, ".") !== undefined || numberOf(cell, ",") !== undefined);
  if (!isRow) return table;
  return {
    ...table,
    header: ["date", ...cells.map((_, place) => String(place + 1))],
    rows: [table.header, ...table.rows],
    lines: [1, ...table.lines],
  };
}

/** pandas writes the numbers of the rows in front of a frame that keeps its dates in a column. */
export function withoutRowNumbers(table: Table): Table {
  const { header, rows } = table;
  const isUnnamed = /^(|unnamed: \d+|index)$/i.test(header[0]!); // its first row may have been dropped
  const isCounted = rows.every((row, place) =>
    isUnnamed ? /^\d{1,9}$/.test(row[0]!) : row[0] === String(place),
  );
  if (!isCounted || header.length < 3 || !isTimeColumn(table, 1)) return table;
  return { ...table, header: header.slice(1), rows: rows.map((row) => row.slice(1)) };
}

/** Whether columns are of returns or of values, by their values alone. */
export function kindOf(
  names: readonly string[],
  columns: readonly Float64Array[],
  { format }: ReadOptions,
  warnings: CheckWarning[],
): "returns" | "equity" {
  if (format === "returns" || format === "equity") return format;
  const shapes = columns.map(shapeOf);
  const level = median(concatenated(columns));
  const [falls, rises] = [
    shapes.some(({ least }) => least < 0),
    shapes.some(({ most }) => most > 0),
  ];
  if (falls && !rises) {
    throw question(
      "format",
      "no value is above 0: is this a curve of drawdowns? Send the equity curve or the returns; if these are returns, " +
        'say so with the format "returns"',
    );
  }
  if (!falls && level > EQUITY_MEDIAN) {
    askIfCumulative(names, columns);
    return "equity";
  }
  if (!rises || (falls && Math.abs(level) <= EQUITY_MEDIAN)) {
    checkSmooth(names, columns, warnings);
    return "returns";
  }
  throw question(
    "format",
    `these may be returns or an equity curve (the median is ${Number(level.toPrecision(4))}): say which with the ` +
      'format "returns" or "equity"',
  );
}

/** Cumulative profits look like an equity curve where they stay above 0. */
function askIfCumulative(names: readonly string[], columns: readonly Float64Array[]): void {
  const place = columns.findIndex((column) =>
    column.some((value, row) => row > 0 && value > LEAP * column[row - 1]!),
  );
  if (place < 0) return;
  throw question(
    "format",
    `"${shortened(names[place]!)}" may be cumulative profits rather than an equity curve: add the starting capital to them or, ` +
      'if it is the equity, say so with the format "equity"',
  );
}

/** Roughness of returns below which they nearly, or surely, are cumulative; see `SeriesShape`. */
const [SMOOTH_WARNED, SMOOTH_ASKED] = [0.1, 0.02];
const SMOOTH_COLUMN =
  "each value is nearly the one before it, as in cumulative returns and not in the returns of single bars";
const SMOOTH = `${SMOOTH_COLUMN}: if they are cumulative, add 1 and send them as an equity curve`;

/** Asks where returns look added up, and warns where they nearly do. */
export function checkSmooth(
  names: readonly string[],
  columns: readonly Float64Array[],
  warnings: CheckWarning[],
): void {
  const all = columns.map((column) => shapeOf(column).roughness);
  const ratios = all.filter((ratio) => !Number.isNaN(ratio));
  const below = (limit: number) => ratios.length > 0 && ratios.every((ratio) => ratio < limit);
  const smooth = all.findIndex((ratio) => ratio < SMOOTH_ASKED);
  if (smooth >= 0 && !below(SMOOTH_ASKED)) {
    throw question(
      "format",
      `of "${shortened(names[smooth]!)}", unlike of others, ${SMOOTH_COLUMN}: remove it if it is cumulative; if not, ` +
        'say so with the format "returns"',
    );
  }
  if (below(SMOOTH_ASKED))
    throw question("format", `${SMOOTH}; if not, say so with the format "returns"`);
  if (below(SMOOTH_WARNED)) warnings.push({ code: "smooth_returns", message: SMOOTH });
}

/** pandas writes the parameters of a variant as a tuple: `(5, 30, 'ETH')` is `5|30|ETH`. */
export function variantName(name: string): string {
  const tuple = /^\((.*)\)$/s.exec(name.trim());
  if (tuple === null) return name.trim();
  const parts = tuple[1]!.match(/'[^']*'|"[^"]*"|[^,]+/g) ?? [];
  return parts
    .map((part) => part.trim().replace(/^(['"])(.*)\1$/, "$2"))
    .filter((part) => part !== "")
    .join("|");
}
