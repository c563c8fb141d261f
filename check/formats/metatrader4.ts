import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import type { Table } from "./csv.ts";
import type { ReadExport, ReadOptions } from "./export.ts";
import { markupRows } from "./markup.ts";
import { timeOf } from "./times.ts";
import { readTradeList } from "./trade-list.ts";

const TOOL = "MetaTrader 4";
/** Every language translates the names of the columns: their places are what counts. */
const STATEMENT =
  "Ticket,Open Time,Type,Size,Item,Price,S / L,T / P,Close Time,Price,Commission,Taxes,Swap,Profit";
const TESTER = "#,Time,Type,Order,Size,Price,S / L,T / P,Profit,Balance";
const [TYPE, ORDER, PROFIT] = [2, 3, 8];
/** Bars of the test, with the time of day; the requested dates follow in brackets. */
const PERIOD = /(\d{4}\.\d{2}\.\d{2}) \d{2}:\d{2} - (\d{4}\.\d{2}\.\d{2}) \d{2}:\d{2}/;

type Rows = readonly (readonly string[])[];

/** A report of the strategy tester or a statement of an account, both HTML; undefined for any other. */
export function readMetaTrader4(text: string, options: ReadOptions): ReadExport | undefined {
  const rows = markupRows(text, "tr", "td|th");
  return readTester(rows, options) ?? readStatement(rows, options);
}

function tableOf(header: string, rows: Rows): Table {
  const lines = rows.map((_, place) => place + 1);
  return { header: header.split(","), rows, lines, delimiter: "\t" };
}

const isOrder = (cell = "") => /^(buy|sell)$/i.test(cell);

/** Entries and exits share the number of their order; what else a row does to an order is no trade. */
function readTester(rows: Rows, options: ReadOptions): ReadExport | undefined {
  const sides = new Map<string, string>();
  const fills = rows.flatMap((row) => {
    const isRow = row.length >= 9 && row.length <= 10 && /^\d+$/.test(row[0]!);
    if (!isRow || timeOf(row[1]!) === undefined) return [];
    const order = row[ORDER]!;
    if (isOrder(row[TYPE])) {
      sides.set(order, row[TYPE]!.toLowerCase());
      return [[...row.slice(0, PROFIT), "", ""]];
    }
    const side = sides.get(order); // what a part left over has another number
    const type = side === undefined ? "close" : `${side === "buy" ? "sell" : "buy"} close`;
    return row.length === 10 && row[PROFIT] !== "" ? [row.with(TYPE, type)] : [];
  });
  if (sides.size === 0 || fills.length === sides.size) return undefined;
  const period = rows.flat().map((cell) => PERIOD.exec(cell));
  const [first, last] = (period.find((match) => match !== null) ?? [])
    .slice(1)
    .map((day) => timeOf(day));
  const list =
    first === undefined || last === undefined
      ? {}
      : { first: first.seconds / DAY_SECONDS, last: last.seconds / DAY_SECONDS };
  const of = { format: "mt4-report", tool: TOOL, profitIs: "net", isOfFills: true } as const;
  return readTradeList(tableOf(TESTER, fills), { ...of, list }, options);
}

/** Closed and open trades, and money paid in or out; what was ordered and not done has fewer cells. */
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
  const of = { format: "mt4-statement", tool: TOOL, profitIs: "gross" } as const;
  return readTradeList(tableOf(STATEMENT, trades), of, options);
}
