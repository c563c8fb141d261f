import { DAY_SECONDS, dayOf } from "../../quant/check/ordered-rows.ts";
import type { Observations } from "../../quant/check/panel.ts";
import type { Table } from "./csv.ts";
import { FileRefused, type ReadExport, type ReadOptions } from "./export.ts";
import { markupRows } from "./markup.ts";
import { numberOf, shortened } from "./numbers.ts";
import { numbersOf, REALISED_WARNING, statedSharpe } from "./table-format.ts";
import { timeColumn, timeOf } from "./times.ts";
import { readTradeList } from "./trade-list.ts";

const [MT4, MT5] = ["MetaTrader 4", "MetaTrader 5"];

type Rows = readonly (readonly string[])[];

/**
 * MetaTrader 5's optimisation in XML, or a report in HTML: of the strategy tester of MetaTrader 4 or 5, or the statement
 * of an account in MetaTrader 4. Reports are translated into every language, so columns are told by their places.
 */
export function readMetaTrader(text: string, options: ReadOptions): ReadExport | undefined {
  const optimisation = readOptimisation(text);
  if (optimisation !== undefined) return optimisation;
  const rows = markupRows(text, "tr", "td|th");
  return readTester5(rows, options) ?? readTester4(rows, options) ?? readStatement(rows, options);
}

/** The results of an optimisation in SpreadsheetML: a row of statistics for each pass. */
function readOptimisation(text: string): ReadExport | undefined {
  if (!text.includes("urn:schemas-microsoft-com:office:spreadsheet")) return undefined;
  if (/<!DOCTYPE/i.test(text)) throw new FileRefused("XML with a DOCTYPE is not read");
  const [header, ...rows] = markupRows(text, "(?:ss:)?Row", "(?:ss:)?Cell");
  const sharpe = header?.indexOf("Sharpe Ratio") ?? -1;
  if (header === undefined || !header.includes("Pass") || sharpe < 0) {
    if (!text.includes("Tester Optimizator")) return undefined;
    throw new FileRefused(
      'the optimisation has no columns "Pass" and "Sharpe Ratio": export it from MetaTrader 5 set to English',
    );
  }
  const values = Float64Array.from(rows, (row, place) => {
    const value = numberOf(row[sharpe] ?? "", ".");
    if (value !== undefined && !Number.isNaN(value) && row.length === header.length) return value;
    throw new FileRefused(
      `row ${place + 2}: "${shortened(row[sharpe] ?? "")}" is not a Sharpe Ratio`,
    );
  });
  const statistics = { name: "Sharpe Ratio", values };
  return { format: "mt5-optimisation", tool: MT5, kind: "statistics", statistics, warnings: [] };
}

function tableOf(header: string, rows: Rows): Table {
  const lines = rows.map((_, place) => place + 1);
  return { header: header.split(","), rows, lines, delimiter: "\t" };
}

/** What a pattern of two dates finds first, with the Unix seconds of both. */
function periodIn(rows: Rows, pattern: RegExp) {
  const found = rows.flat().map((cell) => pattern.exec(cell));
  const match = found.find((each) => each !== null);
  if (match === undefined || match === null) return undefined;
  const [first, last] = [timeOf(match[1]!)?.seconds, timeOf(match[2]!)?.seconds];
  return { text: match[0], first, last };
}

/** The table of deals in a report of MetaTrader 5. */
const DEAL_COLUMNS = 13;
const [DIRECTION, BALANCE] = [4, 11];
const PERIOD_5 = /(\d{4}\.\d{2}\.\d{2})\s*-\s*(\d{4}\.\d{2}\.\d{2})/;

/** The balance after each deal, over the days of the line that names the period. */
function readTester5(rows: Rows, options: ReadOptions): ReadExport | undefined {
  const deals = rows.filter((row) => row.length === DEAL_COLUMNS && timeOf(row[0]!) !== undefined);
  const period = periodIn(rows, PERIOD_5);
  if (deals.length === 0 || period === undefined) return undefined;
  if (deals[0]![DIRECTION] !== "")
    throw new FileRefused("the first deal of the report is not the deposit");
  const { text, first, last } = period;
  if (first === undefined || last === undefined) throw new FileRefused(`"${text}" is no period`);
  const table = tableOf(
    "Time,Balance",
    deals.map((row) => [row[0]!, row[BALANCE]!]),
  );
  const points = { instants: timeColumn(table, 0, options), balance: numbersOf(table, 1) };
  return {
    format: "mt5-report",
    tool: MT5,
    kind: "trades",
    realisedOnly: true,
    rows: overPeriod(points, { first, last }),
    ...statedSharpe(sharpeIn(rows), "MetaTrader's is of the profits of trades"),
    warnings: [REALISED_WARNING],
  };
}

function sharpeIn(rows: Rows): number | undefined {
  const found = rows
    .filter((row) => row.includes("Sharpe Ratio:"))
    .map((row) => numberOf(row[row.indexOf("Sharpe Ratio:") + 1] ?? "", "."));
  return found.find((value) => value !== undefined && Number.isFinite(value));
}

/** The balance from the first to the last day of the test. It holds until the next deal. */
function overPeriod(
  { instants, balance }: { instants: Float64Array; balance: Float64Array },
  { first, last }: { first: number; last: number },
): Observations {
  const within = [...instants.keys()].filter((row) => instants[row]! < last + DAY_SECONDS);
  const times = within.map((row) => Math.max(first, instants[row]!));
  const values = within.map((row) => balance[row]!);
  if (times.length === 0) throw new FileRefused("no deal lies within the period of the report");
  // A day counts by its last balance. If deals follow the deposit on its day, the deposit goes to the day before.
  const next = times.find((time) => time > times[0]!);
  if (next !== undefined && dayOf(next) === dayOf(times[0]!)) times[0]! -= DAY_SECONDS;
  if (times.at(-1)! < last) {
    times.push(last);
    values.push(values.at(-1)!);
  }
  return {
    kind: "equity",
    events: true,
    instants: Float64Array.from(times),
    lines: Int32Array.from(times, (_, row) => row + 1),
    names: ["Balance"],
    columns: [Float64Array.from(values)],
  };
}

/** Columns of both reports of MetaTrader 4. */
const [TYPE, ORDER, PROFIT] = [2, 3, 8];
/** The bars of the test, with the time of day. The requested dates follow in brackets. */
const PERIOD_4 = /(\d{4}\.\d{2}\.\d{2}) \d{2}:\d{2} - (\d{4}\.\d{2}\.\d{2}) \d{2}:\d{2}/;

const isOrder = (cell = "") => /^(buy|sell)$/i.test(cell);

/** Entries and exits share the number of their order. What else a row does to an order is no trade. */
function readTester4(rows: Rows, options: ReadOptions): ReadExport | undefined {
  const sides = new Map<string, string>();
  const fills = rows.flatMap((row) => {
    const isRow = row.length >= 9 && row.length <= 10 && /^\d+$/.test(row[0]!);
    if (!isRow || timeOf(row[1]!) === undefined) return [];
    const order = row[ORDER]!;
    if (isOrder(row[TYPE])) {
      sides.set(order, row[TYPE]!.toLowerCase());
      return [[...row.slice(0, PROFIT), "", ""]];
    }
    const side = sides.get(order); // the rest of an order that was closed in part has another number
    const type = side === undefined ? "close" : `${side === "buy" ? "sell" : "buy"} close`;
    return row.length === 10 && row[PROFIT] !== "" ? [row.with(TYPE, type)] : [];
  });
  if (sides.size === 0 || fills.length === sides.size) return undefined;
  const { first, last } = periodIn(rows, PERIOD_4) ?? {};
  const list =
    first === undefined || last === undefined ? {} : { first: dayOf(first), last: dayOf(last) };
  const of = { format: "mt4-report", tool: MT4, profitIs: "net", isOfFills: true, list } as const;
  return readTradeList(
    tableOf("#,Time,Type,Order,Size,Price,S / L,T / P,Profit,Balance", fills),
    of,
    options,
  );
}

const STATEMENT =
  "Ticket,Open Time,Type,Size,Item,Price,S / L,T / P,Close Time,Price,Commission,Taxes,Swap,Profit";

/** Closed and open trades, and money paid in or out. Orders that were not done have fewer cells. */
function readStatement(rows: Rows, options: ReadOptions): ReadExport | undefined {
  const { length } = STATEMENT.split(",");
  const trades = rows.flatMap((row) => {
    if (timeOf(row[1] ?? "") === undefined) return [];
    if (row.length === length && isOrder(row[TYPE])) return [row];
    if (row.length !== 5) return [];
    const [ticket, time, type, comment, amount] = row as [string, string, string, string, string];
    return [[ticket, time, type, "", comment, "", "", "", time, "", "", "", "", amount]];
  });
  if (!trades.some((row) => isOrder(row[TYPE]))) return undefined;
  const of = { format: "mt4-statement", tool: MT4, profitIs: "gross" } as const;
  return readTradeList(tableOf(STATEMENT, trades), of, options);
}
