import { FileRefused } from "../../files/refused.ts";
import { timeColumn } from "./time-column.ts";
import { DAY_SECONDS, dayOf } from "../../quant/check/ordered-rows.ts";
import type { Observations } from "../../quant/check/panel.ts";
import type { Table } from "../../files/csv.ts";
import { type ReadExport, type ReadOptions } from "./export.ts";
import { markupRows } from "../../files/markup.ts";
import { numberOf, shortened } from "../../files/numbers.ts";
import { numbersOf, REALISED_WARNING, statedSharpe } from "./table-format.ts";
import { timeOf } from "../../files/times.ts";
import { readTradeList } from "./trade-list.ts";

const [MT4, MT5] = ["MetaTrader 4", "MetaTrader 5"];

type Rows = readonly (readonly string[])[];

/**
 * MetaTrader 5's optimisation in XML, or a report in HTML: of the strategy tester of MetaTrader 4 or 5, or of an account.
 * Reports are translated into every language, so columns are known by their places.
 */
export function readMetaTrader(text: string, options: ReadOptions): ReadExport | undefined {
  const optimisation = readOptimisation(text);
  if (optimisation !== undefined) return optimisation;
  const rows = markupRows(text.replace(HIDDEN, ""), "tr", "td|th");
  return readReport5(rows, options) ?? readTester4(rows, options) ?? readStatement(rows, options);
}

/** Cells that MetaTrader 5 shows on request only. Its header lacks them. */
const HIDDEN = /<td[^<>]*class="hidden"[^<>]*>[^<]*<\/td>/gi;

/** A report of MetaTrader 5, by its rows in HTML or in a workbook. */
export function readReport5(rows: Rows, options: ReadOptions): ReadExport | undefined {
  return readTester5(rows, options) ?? readHistory5(rows, options);
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
  const values = Float64Array.from(rows, (row, index) => {
    const value = numberOf(row[sharpe] ?? "", ".");
    if (value !== undefined && !Number.isNaN(value) && row.length === header.length) return value;
    throw new FileRefused(
      `row ${index + 2}: "${shortened(row[sharpe] ?? "")}" is not a Sharpe Ratio`,
    );
  });
  const statistics = { name: "Sharpe Ratio", values };
  return { format: "mt5-optimisation", tool: MT5, kind: "statistics", statistics, warnings: [] };
}

function tableOf(header: string, rows: Rows): Table {
  const lines = rows.map((_, index) => index + 1);
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
  if (first === undefined || last === undefined)
    throw new FileRefused(`"${text}" isn't a period such as 2024.01.01 - 2024.12.31`);
  const table = tableOf(
    "Time,Balance",
    deals.map((row) => [row[0]!, row[BALANCE]!]),
  );
  const points = { instants: timeColumn(table, 0, options), balance: numbersOf(table, 1) };
  const { instants } = points;
  const ofDeals = { first: instants[0]!, last: instants.at(-1)! }; // there is one
  const isUnknown = instants.length > 1 && instants[1]! >= last + DAY_SECONDS; // as 1970.01.01 - 1970.01.01
  return {
    format: "mt5-report",
    tool: MT5,
    kind: "trades",
    realisedOnly: true,
    rows: overPeriod(points, isUnknown ? ofDeals : { first, last }),
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

/** Entries and exits share the number of their order. What else a row does to an order isn't a trade. */
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
  const { first = NaN, last = NaN } = periodIn(rows, PERIOD_4) ?? {};
  const isKnown = timeOf(fills[0]![1]!)!.seconds < last + DAY_SECONDS; // unlike 1970.01.01 - 1970.01.01
  const list = isKnown ? { first: dayOf(first), last: dayOf(last) } : {};
  const source = {
    format: "mt4-report",
    tool: MT4,
    profitIs: "net",
    isOfFills: true,
    list,
  } as const;
  return readTradeList(
    tableOf("#,Time,Type,Order,Size,Price,S / L,T / P,Profit,Balance", fills),
    source,
    options,
  );
}

const STATEMENT =
  "Ticket,Open Time,Type,Size,Item,Price,S / L,T / P,Close Time,Price,Commission,Taxes,Swap,Profit";

/** Closed trades, and money paid in or out. Open trades count by the summary, and orders have fewer cells. */
function readStatement(rows: Rows, options: ReadOptions): ReadExport | undefined {
  const { length } = STATEMENT.split(",");
  const { deposit = NaN, closed = NaN, balance = NaN, floating } = summaryOf(rows) ?? {};
  const trades = rows.flatMap((row) => {
    if (timeOf(row[1] ?? "") === undefined) return [];
    const isOpen = floating !== undefined && timeOf(row[8] ?? "") === undefined;
    if (row.length === length && isOrder(row[TYPE])) return isOpen ? [] : [row];
    if (row.length !== 5) return [];
    const [ticket, time, type, comment, amount] = row as [string, string, string, string, string];
    return [[ticket, time, type, "", comment, "", "", "", time, "", "", "", "", amount]];
  });
  if (!trades.some((row) => isOrder(row[TYPE]))) return undefined;
  const before = beforeOf(balance - closed - deposit);
  const source = {
    format: "mt4-statement",
    tool: MT4,
    profitIs: "gross",
    before,
    floating,
  } as const;
  return readTradeList(tableOf(STATEMENT, trades), source, options);
}

/** What an account held before a report, unless that is nothing but rounding. */
function beforeOf(amount: number): number | undefined {
  return amount > 0.005 ? Number(amount.toFixed(8)) : undefined;
}

type Figure = "deposit" | "credit" | "closed" | "floating" | "balance" | "equity" | "";
/** The figures of a summary in the order in which a statement of MetaTrader 4 and a history of MetaTrader 5 have them. */
const SUMMARIES: readonly (readonly Figure[])[] = [
  ["deposit", "credit", "closed", "floating", "", "balance", "equity"],
  ["balance", "", "credit", "", "floating", "", "equity"],
  ["balance", "credit", "floating", "equity"],
];

/** The summary of an account, in any language: the figures whose sum is its equity. */
function summaryOf(rows: Rows): Partial<Record<Figure, number>> | undefined {
  const figures = rows.flatMap((row) => {
    const filled = row.filter((cell) => cell !== "");
    return filled.flatMap((cell, at) => {
      const value = numberOf((filled[at + 1] ?? "").replace("%", ""), ".") ?? NaN;
      return /[:\uFF1A]$/.test(cell) && !Number.isNaN(value) ? [value] : [];
    });
  });
  for (const names of SUMMARIES)
    for (const start of figures.keys()) {
      const found: Partial<Record<Figure, number>> = Object.fromEntries(
        names.map((name, at) => [name, figures[start + at]]),
      );
      const { balance = 0, credit = 0, floating = 0, equity = NaN } = found;
      if (balance !== 0 && Math.abs(balance + credit + floating - equity) < 0.006) return found;
    }
  return undefined;
}

const DEALS =
  "Time,Deal,Symbol,Type,Direction,Volume,Price,Order,Commission,Fee,Swap,Profit,Balance,Comment";
const FEE = DEALS.split(",").indexOf("Fee");

/**
 * The history of an account in MetaTrader 5: of its tables of positions, orders and deals, the deals, which have the money
 * paid in and out, too. Before 2020 they had no column of fees.
 */
function readHistory5(rows: Rows, options: ReadOptions): ReadExport | undefined {
  const { length } = DEALS.split(",");
  const isDeal = (row: readonly string[]) =>
    timeOf(row[0] ?? "") !== undefined &&
    /^\d+$/.test(row[1] ?? "") &&
    /^\D*$/.test(row[DIRECTION]!);
  const start = rows.findIndex((row) => row.length > DIRECTION && isDeal(row));
  const header = rows.slice(0, Math.max(0, start)).findLast((row) => row.length > 1);
  const width = header?.filter((cell) => cell !== "").length ?? 0;
  if (rows[0]?.filter((cell) => cell !== "").length !== 1 || width < length - 1 || width > length)
    return undefined;
  const deals = rows
    .filter((row) => row.length > DIRECTION && isDeal(row))
    .map((row) => {
      const cells = width < length ? row.toSpliced(FEE, 0, "") : row;
      return Array.from({ length }, (_, index) => cells[index] ?? "");
    });
  const [amounts, balance] = [deals[0]!.slice(8, 12), deals[0]!.at(-2)!];
  const held = amounts.reduce(
    (sum, cell) => sum - (numberOf(cell, ".") || 0),
    numberOf(balance, ".") ?? NaN,
  );
  const { floating } = summaryOf(rows) ?? {};
  const source = {
    format: "mt5-history",
    tool: MT5,
    profitIs: "gross",
    isOfFills: true,
    before: beforeOf(held),
    floating,
  } as const;
  return readTradeList(tableOf(DEALS, deals), source, options);
}
