import type { CheckWarning } from "../../quant/check/panel.ts";
import { readOwnTable } from "../columns/own-table.ts";
import { namesStrategy, timedTable } from "../columns/table-rows.ts";
import { backtestingHeatmap } from "./backtesting-py.ts";
import { CELLS_MAX, readCsv, type Table } from "./csv.ts";
import { CURVE_TOOLS } from "./curve-tools.ts";
import { FileRefused, question, type ReadExport, type ReadOptions } from "./export.ts";
import { withHeader, withoutRowNumbers } from "./generic.ts";
import { shortened } from "./numbers.ts";
import { ownFills, ownTrades } from "./own-trades.ts";
import { fits, nearestFormat, rowsWhere, type TableFormat } from "./table-format.ts";
import { textOf } from "./text.ts";
import { NO_DATES } from "./times.ts";
import { TRADE_TOOLS } from "./trade-tools.ts";
import { tradingView, tradingViewTranslated } from "./tradingview.ts";
import { HEAD_LENGTH, refuseKnown } from "./unreadable.ts";
import { vectorbtMatrix } from "./vectorbt.ts";

export const TABLES: readonly TableFormat[] = [
  ...CURVE_TOOLS,
  backtestingHeatmap,
  ...TRADE_TOOLS,
  tradingView,
  tradingViewTranslated,
  vectorbtMatrix,
];
/** What they are read as where no tool's layout fits. */
const OWN: readonly TableFormat[] = [ownTrades, ownFills];
/** The generic layout: dates and columns of returns or of equity. */
const GENERIC = ["returns", "equity"];
/** What the option `format` can be. */
export const FORMAT_NAMES: readonly string[] = [
  ...GENERIC,
  ...[...OWN, ...TABLES].map(({ name }) => name),
];

/** Longer names would fill a message or the report. */
const NAME_MAX = 1000;
const KNOWN =
  "a table of dates and returns or equity (CSV, Excel, JSON, Parquet, Arrow), vectorbt, backtesting.py, freqtrade " +
  "(zip, json, fthypt), QuantConnect, TradingView, MetaTrader, zipline, pyfolio, quantstats, nautilus_trader and jesse; " +
  "and lists of trades, with the time and the profit of each";

/**
 * Reads a backtest as its tool wrote it. The format is recognised by content, never by name. Throws `FileRefused` with
 * the place and what was expected there, `MoreNeeded` with a question, or `TooLarge` if it is a table of columns with more
 * than `cellsMax` cells, whose number a few bytes can state; anything else is a defect.
 */
export async function readExport(
  bytes: Uint8Array,
  options: ReadOptions = {},
  cellsMax = CELLS_MAX,
): Promise<ReadExport> {
  checkFormat(options.format);
  if (bytes.length === 0) throw new FileRefused("the file is empty");
  refuseKnown("bytes", String.fromCharCode(...bytes.subarray(0, 64)));
  if (startsWith(bytes, "PK\u0003\u0004")) return readZip(bytes, options, cellsMax);
  // The readers of packed files are loaded when one comes: they are larger than all others together.
  if (startsWith(bytes, "PAR1")) {
    const { readParquet } = await import("./parquet.ts");
    return readTable(await readParquet(bytes, cellsMax), options);
  }
  if (startsWith(bytes, "ARROW1") || startsWith(bytes, "\u00FF\u00FF\u00FF\u00FF")) {
    const { readArrow } = await import("./arrow.ts");
    return readTable(readArrow(bytes, cellsMax), options);
  }
  return readText(textOf(bytes), options);
}

function checkFormat(format: string | undefined): void {
  if (format === undefined || FORMAT_NAMES.includes(format)) return;
  throw new FileRefused(`there is no format "${format}": there are ${FORMAT_NAMES.join(", ")}`);
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let place = 0; place < text.length; place++) {
    if (bytes[place] !== text.charCodeAt(place)) return false;
  }
  return true;
}

/** A zip of freqtrade, or of a single file in any format. */
async function readZip(
  bytes: Uint8Array,
  options: ReadOptions,
  cellsMax: number,
): Promise<ReadExport> {
  const { unzip } = await import("./unzip.ts");
  const files = unzip(bytes, (name) => !name.endsWith("/") && !name.endsWith(".py"));
  refuseKnown("names", [...files.keys()].join("\n"));
  const { readXlsx } = await import("./xlsx.ts");
  const { firstReadable } = await import("./first-readable.ts");
  const sheets = readXlsx(files);
  if (sheets !== undefined)
    return firstReadable(sheets, "sheet", (table) => readTable(table, options));
  const { readFreqtradeZip } = await import("./freqtrade-zip.ts");
  const freqtrade = readFreqtradeZip(files, options, cellsMax);
  if (freqtrade !== undefined) return freqtrade;
  const [file, ...others] = [...files].filter(([name]) => !name.startsWith("__MACOSX/"));
  if (file === undefined) throw new FileRefused("the zip is empty");
  if (others.length > 0)
    throw new FileRefused(`the zip has ${others.length + 1} files: send the one that counts`);
  if (startsWith(file[1], "PK\u0003\u0004"))
    throw new FileRefused("a zip within a zip is not read");
  return readExport(file[1], options, cellsMax);
}

async function readText(text: string, options: ReadOptions): Promise<ReadExport> {
  const start = text.trimStart().replace("\uFEFF", "");
  refuseKnown("text", start.slice(0, HEAD_LENGTH));
  if (start.startsWith("{") || start.startsWith("[")) {
    const { readJsonText } = await import("./read-json.ts"); // is loaded when one comes, too
    return readJsonText(start, options, { known: KNOWN, readTable });
  }
  if (start.startsWith("<") && !/^<DATE>/i.test(start)) return readMarkup(start, options);
  return readTable(readCsv(text), options);
}

async function readMarkup(text: string, options: ReadOptions): Promise<ReadExport> {
  refuseKnown("markup", text.slice(0, HEAD_LENGTH));
  const { readMetaTraderOptimisation, readMetaTraderReport } = await import("./metatrader.ts");
  const { readMetaTrader4 } = await import("./metatrader4.ts");
  const read =
    readMetaTraderOptimisation(text) ??
    readMetaTraderReport(text, options) ??
    readMetaTrader4(text, options);
  if (read === undefined) refuseKnown("otherMarkup", text);
  return read!; // of other markup nothing is read
}

/** Names of columns, variants and pairs appear in the report more than once. */
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
  const { format } = options;
  if (format === undefined && options.column === undefined) refuseKnown("table", table);
  const isOwn = format !== undefined && GENERIC.includes(format);
  const fitting = isOwn ? [] : TABLES.filter((each) => fits(each, table));
  const chosen = fitting.filter(({ name }) => format === undefined || name === format);
  if (chosen.length > 1) {
    const names = chosen.map(({ name }) => `"${name}"`).join(" or ");
    throw question("format", `the file fits more than one format: is it ${names}?`);
  }
  const isList = (each: TableFormat) =>
    format === undefined ? options.column === undefined && fits(each, table) : each.name === format;
  const ownList = OWN.find(isList);
  const layout = chosen[0] ?? ownList;
  if (layout !== undefined) return withoutRepeatedTrades(layout, table, options);
  if (format !== undefined && !isOwn)
    throw new FileRefused(
      `the file is not of the format "${format}": leave the format out, and it is recognised by its content`,
    );
  const warnings: CheckWarning[] = [];
  const timed = timedTable(table, warnings);
  if (timed !== undefined) return readOwnTable(timed, options, warnings);
  throw new FileRefused(
    namesStrategy(table) ? `${NO_DATES}${firstCell(table)}` : unknownTable(table),
  );
}

function firstCell({ header, rows, lines }: Table): string {
  const name = header[0] === "" ? "the first column" : `"${shortened(header[0]!)}"`;
  return ` (line ${lines[0]!}: ${name} is "${shortened(rows[0]![0]!)}")`;
}

/** In a list of trades, a row that appears twice word for word counts once. */
function withoutRepeatedTrades(
  format: TableFormat,
  table: Table,
  options: ReadOptions,
): ReadExport {
  if (format.isOfTrades !== true) return format.read(table, options);
  const seen = new Set<string>();
  const once = rowsWhere(table, (row) => seen.size < seen.add(row.join("\n")).size);
  const repeated = table.rows.length - once.rows.length;
  const read = format.read(once, options);
  if (repeated === 0) return read;
  const message = `${repeated} rows repeat another one word for word and count once`;
  return { ...read, warnings: [...read.warnings, { code: "repeated_rows", message }] };
}

function unknownTable(table: Table): string {
  const { header, rows, lines } = table;
  const names = header.slice(0, 6).map((name) => `"${shortened(name)}"`);
  const more = header.length > names.length ? ", ..." : "";
  return (
    `the table with the columns ${names.join(", ")}${more} is of no known tool, and its first column holds no dates ` +
    `(line ${lines[0]!}: "${shortened(rows[0]![0]!)}")${nearestFormat(TABLES, table)}; there are: ${KNOWN}`
  );
}
