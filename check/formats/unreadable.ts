import { FileRefused } from "../../files/refused.ts";
import { readName, type NameRole } from "../columns/name-role.ts";
import { nameWords } from "../columns/names.ts";
import { namesStrategy } from "../columns/timed-table.ts";
import { isAmount, placeOf, tradeTable, type TradeRole } from "../columns/trade-columns.ts";
import type { Table } from "../../files/csv.ts";
import {
  isObject,
  listMember,
  member,
  numberMember,
  textMember,
  type Json,
} from "../../files/json.ts";
import { isLeanSummary } from "./quantconnect.ts";
import { columnOf, hasColumns } from "./table-format.ts";

/** What shows the kind of a file, in the order in which a file is looked at. */
interface Evidence {
  /** The first bytes as characters. */
  readonly bytes: string;
  /** The names of a zip's files, a line each. */
  readonly names: string;
  /** The beginning of a text, and of HTML or XML. */
  readonly text: string;
  readonly markup: string;
  readonly json: Json;
  readonly table: Table;
  /** What no reader could read. */
  readonly otherMarkup: string;
  readonly otherJson: Json;
}

/** The refusal of each kind, and the test for it. */
type Kinds<Found> = Readonly<Record<string, (found: Found) => boolean>>;

const by = (pattern: RegExp) => (text: string) => pattern.test(text);
/** Whether a file begins with one of the marks, in which `?` is any character. */
const begins = (marks: string) => (head: string) =>
  marks
    .split("|")
    .some((mark) => Array.from(mark).every((sign, at) => sign === "?" || sign === head[at]));
const members =
  (...names: readonly string[]) =>
  (json: Json | undefined) =>
    names.every((name) => member(json, name) !== undefined);
const columns =
  (...names: readonly string[]) =>
  (table: Table) =>
    hasColumns(table, ...names);

const STATISTICS =
  "this is a table of finished statistics without the returns behind them, so nothing can be tested. Send the " +
  "returns or the equity curve: pf.returns().to_csv() in vectorbt, stats['_equity_curve'].to_csv() in " +
  "backtesting.py, the returns that you gave to quantstats";
const CHART =
  "this is the plot of a backtest, to look at: export the trades or the equity curve as CSV";
const IN_MULTIPLES =
  "these trades are in R, pips, points or ticks, which are worth another amount in each trade: add a column pnl with the " +
  "profit of each in money, after fees";
const SOURCE = "this is source code, not a result: run the backtest and send what it wrote";

/** Kinds of files that hold no series: what each is and what to export instead, a row each. */
const KINDS: { readonly [Of in keyof Evidence]: Kinds<Evidence[Of]> } = {
  bytes: {
    "a pickle can run code and is never loaded: write the returns or the equity curve with to_csv()":
      begins("\u0080\u0002|\u0080\u0003|\u0080\u0004|\u0080\u0005"),
    "a pickle as text can run code and is never loaded: write the returns or the equity curve with to_csv()":
      by(/^(\([dl]p?\d*|c(pandas|numpy|copy_?reg|__builtin__)[\w.]*)\r?\n/),
    "unpack the gzip file first; of R's .rds and .RData, write a CSV with write.csv()":
      begins("\u001F\u008B"),
    "a packed file (7z, rar, bzip2, xz, zstd): unpack it and send the file that is in it": begins(
      "7z\u00BC\u00AF|Rar!\u001A|BZh?1AY|\u00FD7zXZ|(\u00B5/\u00FD",
    ),
    "R's own file is not read: write a CSV with write.csv()": begins(
      "RDX?\n|RDA?\n|X\n\0\0\0|B\n\0\0\0",
    ),
    "HDF5 is not read: write a CSV or Parquet, such as by pd.read_hdf(...).to_csv()":
      begins("\u0089HDF"),
    "an old Excel workbook (.xls), or one with a password: save it as .xlsx, or save the sheet as CSV":
      begins("\u00D0\u00CF\u0011\u00E0"),
    "a PDF is to read and has no series: export the trades or the equity curve as CSV":
      begins("%PDF"),
    "NumPy's array has no dates: write both, such as by pd.Series(values, index=dates).to_csv()":
      begins("\u0093NUMPY"),
    "a database is not read: export the table with the equity curve or the trades as CSV": begins(
      "SQLite format 3|????????DUCK",
    ),
    "a picture has no series: export the trades or the equity curve as CSV": begins(
      "\u0089PNG|\u00FF\u00D8\u00FF|GIF8|RIFF????WEBP|II*\0|MM\0*",
    ),
    "MATLAB's own file is not read: write a CSV with writetable()": begins("MATLAB ?.? MAT"),
    "a cache of MetaTrader (.tst, .opt, .fxt, .hst) is not read: save the tester's report as HTML":
      begins("??\0\0Copyright|??\0\0(C)opyright|??\0\0C\0o\0p\0y\0r\0i\0g\0h\0t"),
  },
  names: {
    "an OpenDocument file (.ods): save it as .xlsx, or save the sheet as CSV":
      by(/^content\.xml$/m),
    "a binary Excel workbook (.xlsb): save it as .xlsx, or save the sheet as CSV":
      by(/^xl\/workbook\.bin$/m),
    "a document of Word or PowerPoint has no series: export the trades or the equity curve as CSV":
      by(/^(word|ppt)\//m),
    "a document of Apple's Numbers: export it as Excel or CSV": by(/\.iwa$/m),
    "NumPy's arrays have no dates: write both, such as by pd.Series(values, index=dates).to_csv()":
      by(/\.npy$/m),
  },
  text: {
    [SOURCE]: by(
      /^(\/\/\s*@version=\d|from [\w.]+ import .|import [\w.]+( as \w+)?\s*$|\s*def \w+\(.*:\s*$|#property \w|#include [<"]|using [\w.]+;|(void|int) On(Tick|Init)\()/m,
    ),
    "inputs of MetaTrader's tester (.set, .ini) aren't a result: save the tester's report as HTML":
      by(/^(; ?saved (automatically )?on |\[Tester\]|\w+=[^|\n]*\|\|[^|\n]*\|\|)/m),
    [STATISTICS]: by(/^Start {2,}\S[^]*^(Sharpe Ratio|Return \[%\]) {2,}\S/m),
    "an activity statement of Interactive Brokers is many tables in one: send a date and the net asset value a line":
      by(/^\W?Statement,Header,Field Name/),
    "this is a log: export the trades or the equity curve as CSV": by(
      /^\W?\d{4}[-/.]?\d\d[-/.]?\d\d[ T].{0,60}\b(INFO|DEBUG|TRACE|WARNING|ERROR)\b/,
    ),
  },
  markup: {
    [CHART]: by(
      /^(<[?!][^>]*>\s*)*<svg[\s>]|<script[^>]*(bokeh|plotly|echarts|highcharts)|Bokeh\b|Plotly(Config|\.newPlot)/i,
    ),
    [STATISTICS]: by(/QuantStats|<title>[^<]*Tear ?sheet/i),
  },
  json: {
    "a Jupyter notebook is code and pictures: run equity.to_csv('equity.csv') in it and send that file":
      members("nbformat"),
    "this only names freqtrade's latest result: send the file beside it that it names": (json) =>
      ["latest_backtest", "latest_hyperopt"].some((name) => textMember(json, name)),
    "this is freqtrade's meta.json, which has the run's times only: send the zip beside it":
      isFreqtradeMeta,
    "this is freqtrade's configuration: send the .zip of freqtrade backtesting --export trades":
      members("stake_currency", "exchange"),
    "this backtest of freqtrade made no trade, so there is nothing to check; its log may say why":
      isFreqtradeWithoutTrades,
    "this is QuantConnect's summary, with few points of the curve: send <id>.json beside it, which has every day":
      isLeanSummary,
    "these are QuantConnect's order events without prices of fills: send <id>.json beside it, or the list of trades":
      isLeanOrders,
    [CHART]: isChart,
  },
  table: {
    "this is a table of prices, which says nothing about a strategy: send what your backtest of them wrote":
      isPrices,
    [IN_MULTIPLES]: areMultiples,
    "this is TradingView's performance summary: send the list of trades that is exported beside it":
      columns("all", "all %"),
    [STATISTICS]: isStatisticsTable,
    "this is freqtrade's list of epochs, which has no trades. Send the .fthypt file in user_data/hyperopt_results":
      columns("best", "epoch", "objective"),
    "this is nautilus_trader's report of orders and fills, which has no profit. Send the account report":
      columns("client_order_id", "trader_id", "venue_order_id"),
    "this is pyfolio's table of positions: money in each asset, not a variant in each column. Send the returns":
      isPositions,
    "this is pyfolio's table of transactions: single fills without profit. Send the returns":
      columns("sid", "txn_dollars"),
    "this is vectorbt's list of orders: single fills without profit. Send the returns, pf.returns().to_csv()":
      columns("order id", "column", "timestamp", "size", "price", "fees", "side"),
  },
  otherMarkup: {
    "Excel's XML of 2003 is not read: save the workbook as .xlsx, or save the sheet as CSV": by(
      /schemas-microsoft-com:office:spreadsheet/,
    ),
    "this isn't a report of MetaTrader, the only HTML and XML that are read: export the trades or the equity as CSV":
      () => true,
  },
  otherJson: {
    'your data had no dates: write both, such as {"dates": [...], "equity": [...]} with as many of each':
      (json) => isAnywhere(json, areNumbers),
    [STATISTICS]: (json) =>
      isAnywhere(json, (value) => isObject(value) && areMetrics(Object.keys(value))),
  },
};

/** How many characters of a text are looked at. */
export const HEAD_LENGTH = 20_000;

/** Refuses a file of a kind that holds no series, by what is known of it so far. */
export function refuseKnown<Of extends keyof Evidence>(what: Of, found: Evidence[Of]): void {
  for (const [says, is] of Object.entries<(found: Evidence[Of]) => boolean>(KINDS[what]))
    if (is(found)) throw new FileRefused(says);
}

/** Names of statistics in tables of quantstats, vectorbt, backtesting.py, nautilus_trader and people's own. */
const METRIC =
  /^((start|end)([ _](period|value))?|duration|period|(#|num|total|number of)[ _]?trades|win[ _]?rate.*|cagr.*|net[ _]?profit|(sharpe|sortino|calmar)([ _]?ratio)?( \(.*\))?|profit[ _]?factor|total[ _]?return.*|max\.?[ _]?drawdown.*)$/i;
/** One of these has to be among them, since a table of periods has a start and an end, too. */
const OF_RESULTS = /sharpe|sortino|calmar|factor|return|drawdown|profit|cagr/i;

function areMetrics(labels: readonly string[]): boolean {
  const known = labels.filter((label) => METRIC.test(label.trim()));
  return known.length > 1 && known.some((label) => OF_RESULTS.test(label));
}

/** Whether each line has a label and its value, or a single line stands below its labels. */
function isStatisticsTable({ header, rows }: Table): boolean {
  const labels = rows.map(([label]) => label!);
  return (header.length > 1 && areMetrics(labels)) || (rows.length === 1 && areMetrics(header));
}

const OF_PRICES: ReadonlySet<NameRole> = new Set<NameRole>(["time", "close", "bar", "helper"]);

/** Whether a table has candles and indicators only. Each of its columns would pass for an equity curve. */
function isPrices(table: Table): boolean {
  const isOfPrices = (name: string) => name === "" || OF_PRICES.has(readName(name).role);
  return hasColumns(table, "open", "high", "low", "close") && table.header.every(isOfPrices);
}

const MULTIPLE =
  /^((pnl|profit|result|gain|net|realized|total) )*(in )?(r|rr|r multiples?|pips?|points?|pts|ticks?)( (gained|made|profit|pnl|result))?$/;

/** Whether a list of trades has its profits in what they risked or in steps of the price, and in nothing else. */
function areMultiples(table: Table): boolean {
  const names = table.header.map((name) => nameWords(name).join(" "));
  const found = names.filter((name) => MULTIPLE.test(name));
  if (found.length === 0) return false;
  const trades = tradeTable(table);
  const has = (role: TradeRole, ...phases: readonly ("entry" | "exit")[]) =>
    placeOf(trades, role, ...phases) >= 0;
  const isOfTrades =
    has("time", "exit") || has("side") || found.some((name) => /mult|pip/.test(name));
  const isTold = has("profit") || has("percent") || (has("price", "entry") && has("price", "exit"));
  const numeric = table.header.filter((_, index) => isAmount(table.rows[0]![index]!));
  return isOfTrades && !isTold && !namesStrategy({ ...table, header: numeric });
}

function isPositions(table: Table): boolean {
  const { header } = table;
  const isPriced = columnOf(table, "price") >= 0; // then it is a log of fills
  const hasCash = header.length > 2 && header.at(-1)!.toLowerCase() === "cash";
  return hasCash && !isPriced && !namesStrategy(table);
}

function isFreqtradeMeta(json: Json): boolean {
  const [first] = isObject(json) ? Object.values(json) : [];
  return members("run_id", "backtest_start_time")(first);
}

function isFreqtradeWithoutTrades(json: Json): boolean {
  const strategies = member(json, "strategy");
  const runs = isObject(strategies) ? Object.values(strategies) : [];
  return runs.length > 0 && runs.every((run) => listMember(run, "trades")?.length === 0);
}

function isLeanOrders(json: Json): boolean {
  if (!Array.isArray(json) || json.length === 0) return false;
  const isEvent = members("orderEventId");
  return (json as readonly Json[]).every(
    (event) => isEvent(event) && !(numberMember(event, "fillPrice")! > 0),
  );
}

function isChart(json: Json): boolean {
  const isPlotly = isObject(member(json, "layout")) && listMember(json, "data") !== undefined;
  const isBokeh = member(member(json, "doc") ?? json, "roots") !== undefined;
  return isPlotly || isBokeh || (textMember(json, "$schema") ?? "").includes("vega");
}

const DEPTH_MAX = 4;
/** Shorter lists of numbers are parameters. */
const CURVE_MIN = 10;

function isAnywhere(json: Json | undefined, is: (value: Json) => boolean, depth = 0): boolean {
  if (typeof json !== "object" || json === null || depth > DEPTH_MAX) return false;
  const members: (Json | undefined)[] = Object.values(json);
  return is(json) || members.some((value) => isAnywhere(value, is, depth + 1));
}

function areNumbers(json: Json): boolean {
  const isNumber = (value: Json) => typeof value === "number";
  return Array.isArray(json) && json.length >= CURVE_MIN && json.every(isNumber);
}
