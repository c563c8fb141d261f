import { FileRefused } from "../../files/refused.ts";
import { NO_DATES } from "./time-column.ts";
import type { CheckWarning } from "../../quant/check/panel.ts";
import { readOwnTable } from "../columns/own-table.ts";
import { namesStrategy, timedTable } from "../columns/timed-table.ts";
import { backtestingHeatmap } from "./backtesting-py.ts";
import { CELLS_MAX, readCsv, type Table } from "../../files/csv.ts";
import { CURVE_TOOLS } from "./curve-tools.ts";
import { question, type ReadExport, type ReadOptions } from "./export.ts";
import { withHeader, withoutRowNumbers } from "./generic.ts";
import { shortened } from "../../files/numbers.ts";
import { income } from "./income.ts";
import { ownFills, ownTrades } from "./own-trades.ts";
import { fits, nearestFormat, rowsWhere, type TableFormat } from "./table-format.ts";
import { textOf } from "../../files/text.ts";
import { TRADE_TOOLS } from "./trade-tools.ts";
import { tradingView, tradingViewTranslated } from "./tradingview.ts";
import { HEAD_LENGTH, refuseKnown } from "./unreadable.ts";
import { vectorbtMatrix } from "./vectorbt.ts";

/** Layouts of tables that tools write. */
export const TABLES: readonly TableFormat[] = [
  ...CURVE_TOOLS,
  backtestingHeatmap,
  ...TRADE_TOOLS,
  income,
  tradingView,
  tradingViewTranslated,
  vectorbtMatrix,
];
/** Lists of trades for which no tool's layout fits. */
const OWN_LISTS: readonly TableFormat[] = [ownTrades, ownFills];
/** Dates and columns of returns or of equity. */
const GENERIC = ["returns", "equity"];
/** The values of the option `format`. */
export const FORMAT_NAMES: readonly string[] = [
  ...GENERIC,
  ...[...OWN_LISTS, ...TABLES].map(({ name }) => name),
];

/** Longer names would fill a message or the report. */
const NAME_MAX = 1000;
const KNOWN =
  "a table of dates and returns or equity (CSV, Excel, JSON, Parquet, Arrow), vectorbt, backtesting.py, freqtrade " +
  "(zip, json, fthypt), QuantConnect, TradingView, MetaTrader, zipline, pyfolio, quantstats, nautilus_trader and jesse; " +
  "and lists of trades, with the time and the profit of each";

/**
 * Reads a backtest as its tool wrote it. The format is recognised by content, and never by the name of the file. Throws
 * `FileRefused` with the place and what was expected there, `MoreNeeded` with questions, or `TooLarge` for an Arrow or
 * Parquet file with more than `cellsMax` cells, a number that a few bytes can state. Any other error is a defect.
 */
export async function readExport(
  bytes: Uint8Array,
  options: ReadOptions = {},
  cellsMax = CELLS_MAX,
): Promise<ReadExport> {
  const { format } = options;
  if (format !== undefined && !FORMAT_NAMES.includes(format))
    throw new FileRefused(`there is no format "${format}": there are ${FORMAT_NAMES.join(", ")}`);
  if (bytes.length === 0) throw new FileRefused("the file is empty");
  const head = String.fromCharCode(...bytes.subarray(0, 64));
  refuseKnown("bytes", head);
  if (head.startsWith(ZIP)) return readZip(bytes, options, cellsMax);
  // Readers of binary files are loaded when such a file comes, since they are larger than all others together.
  if (head.startsWith("PAR1")) {
    const { readParquet } = await import("../../files/parquet.ts");
    return readTable(await readParquet(bytes, cellsMax), options);
  }
  if (head.startsWith("ARROW1") || head.startsWith("\u00FF\u00FF\u00FF\u00FF")) {
    const { readArrow } = await import("../../files/arrow.ts");
    return readTable(readArrow(bytes, cellsMax), options);
  }
  return readText(textOf(bytes), options);
}

const ZIP = "PK\u0003\u0004";

/** A zip is a workbook, of freqtrade, or of a single file in any format. */
async function readZip(
  bytes: Uint8Array,
  options: ReadOptions,
  cellsMax: number,
): Promise<ReadExport> {
  const { unzip } = await import("../../files/unzip.ts");
  const files = unzip(bytes, (name) => !name.endsWith("/") && !name.endsWith(".py"));
  refuseKnown("names", [...files.keys()].join("\n"));
  const { readXlsx } = await import("../../files/xlsx.ts");
  const { firstReadable } = await import("./first-readable.ts");
  const sheets = readXlsx(files);
  if (sheets !== undefined) {
    const { readReport5 } = await import("./metatrader.ts");
    const [{ rows = [] } = {}] = sheets;
    const cells = rows.map((row) => Array.from(row.cells, (cell) => cell?.trim() ?? ""));
    const report = readReport5(cells, options);
    return report ?? firstReadable(sheets, "sheet", (table) => readTable(table, options));
  }
  const { readFreqtradeZip } = await import("./freqtrade-zip.ts");
  const freqtrade = readFreqtradeZip(files, options, cellsMax);
  if (freqtrade !== undefined) return freqtrade;
  const [file, ...others] = [...files].filter(([name]) => !name.startsWith("__MACOSX/"));
  if (file === undefined) throw new FileRefused("the zip is empty");
  if (others.length > 0)
    throw new FileRefused(`the zip has ${others.length + 1} files: send the one that counts`);
  if (String.fromCharCode(...file[1].subarray(0, ZIP.length)) === ZIP)
    throw new FileRefused("a zip within a zip is not read");
  return readExport(file[1], options, cellsMax);
}

async function readText(text: string, options: ReadOptions): Promise<ReadExport> {
  const start = text.trimStart().replace("\uFEFF", "");
  refuseKnown("text", start.slice(0, HEAD_LENGTH));
  if (start.startsWith("{") || start.startsWith("[")) {
    const { readJsonText } = await import("./read-json.ts"); // loaded when JSON comes
    const ofTable = (table: Table) => readTable(table, options);
    return readJsonText(start, options, { known: KNOWN, readTable: ofTable });
  }
  if (start.startsWith("<") && !/^<DATE>/i.test(start)) return readMarkup(start, options);
  return readTable(readCsv(text), options);
}

async function readMarkup(text: string, options: ReadOptions): Promise<ReadExport> {
  refuseKnown("markup", text.slice(0, HEAD_LENGTH));
  const { readMetaTrader } = await import("./metatrader.ts");
  const read = readMetaTrader(text, options);
  if (read === undefined) refuseKnown("otherMarkup", text);
  return read!; // any other markup was refused
}

/** Refuses long names of columns, variants and pairs, which appear in the report more than once. */
export function checkNames(names: readonly string[]): void {
  const long = names.find(({ length }) => length > NAME_MAX);
  if (long === undefined) return;
  const words = `${long.length} characters, more than ${NAME_MAX}: "${shortened(long)}"`;
  throw new FileRefused(`a name has ${words}`);
}

function readTable(read: Table, options: ReadOptions): ReadExport {
  checkNames(read.header);
  const table = withoutRowNumbers(withHeader(read));
  if (table.rows.length === 0) throw new FileRefused("the file has a header and no rows");
  const { format, column } = options;
  if (format === undefined && column === undefined) refuseKnown("table", table);
  const layout = layoutOf(table, options);
  if (layout?.isOfTrades === true) return readTradesOnce(layout, table, options);
  if (layout !== undefined) return layout.read(table, options);
  if (format !== undefined && !GENERIC.includes(format))
    throw new FileRefused(
      `the file is not of the format "${format}": leave the format out, and it is recognised by its content`,
    );
  const warnings: CheckWarning[] = [];
  const timed = timedTable(table, warnings);
  if (timed !== undefined) return readOwnTable(timed, options, warnings);
  throw new FileRefused(undatedTable(table));
}

/** The layout of a tool or a list of trades that a table has. Undefined for any other table. */
function layoutOf(table: Table, { format, column }: ReadOptions): TableFormat | undefined {
  if (format !== undefined && GENERIC.includes(format)) return undefined;
  const named = TABLES.filter(({ name }) => format === undefined || name === format);
  const fitting = named.filter((each) => fits(each, table));
  if (fitting.length > 1) {
    const names = fitting.map(({ name }) => `"${name}"`).join(" or ");
    throw question("format", `the file fits more than one format: is it ${names}?`);
  }
  if (fitting[0] !== undefined) return fitting[0];
  return OWN_LISTS.find((each) =>
    format === undefined ? column === undefined && fits(each, table) : each.name === format,
  );
}

/** Reads a list of trades, in which a row that appears twice word for word counts once. */
function readTradesOnce(layout: TableFormat, table: Table, options: ReadOptions): ReadExport {
  const seen = new Set<string>();
  const once = rowsWhere(table, (row) => seen.size < seen.add(row.join("\n")).size);
  const repeated = table.rows.length - once.rows.length;
  const read = layout.read(once, options);
  if (repeated === 0) return read;
  const message = `${repeated} rows repeat another one word for word and count once`;
  return { ...read, warnings: [...read.warnings, { code: "repeated_rows", message }] };
}

function undatedTable(table: Table): string {
  const { header, rows, lines } = table;
  const first = `"${shortened(rows[0]![0]!)}"`;
  if (namesStrategy(table)) {
    const name = header[0] === "" ? "the first column" : `"${shortened(header[0]!)}"`;
    return `${NO_DATES} (line ${lines[0]!}: ${name} is ${first})`;
  }
  const names = header.slice(0, 6).map((name) => `"${shortened(name)}"`);
  const more = header.length > names.length ? ", ..." : "";
  return (
    `the table with the columns ${names.join(", ")}${more} is of no known tool, and its first column holds no dates ` +
    `(line ${lines[0]!}: ${first})${nearestFormat(TABLES, table)}; there are: ${KNOWN}`
  );
}
