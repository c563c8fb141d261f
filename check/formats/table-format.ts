import { dateOfDay } from "../../quant/calendar.ts";
import type { CheckWarning, Observations } from "../../quant/check/panel.ts";
import { realisedRows } from "../../quant/check/realised-rows.ts";
import { spanOf, type Ledger, type TradeList } from "../../quant/check/trade.ts";
import { cellsOf, type Table } from "../../files/csv.ts";
import type { ReadExport, ReadOptions } from "./export.ts";
import { decimalMarkOf, numberColumn } from "../../files/numbers.ts";

/** A layout of tables: how it is recognised and how it is read. */
export interface TableFormat {
  readonly name: string;
  readonly tool: string;
  /** The columns that every file of the layout has. */
  readonly columns?: readonly string[];
  /** Whether its rows are trades, of which each counts once. */
  readonly isOfTrades?: boolean;
  /** What else decides whether a table has the layout. */
  readonly matches?: (table: Table) => boolean;
  readonly read: (table: Table, options: ReadOptions) => ReadExport;
}

export function fits({ columns = [], matches }: TableFormat, table: Table): boolean {
  return hasColumns(table, ...columns) && (matches === undefined || matches(table));
}

/** Words for a refusal: the layout that lacks the smallest share of its columns, at most half, and which these are. */
export function nearestFormat(formats: readonly TableFormat[], table: Table): string {
  const near = formats
    .map(({ name, tool, columns = [] }) => {
      const lacking = columns.filter((column) => columnOf(table, column) < 0);
      return { name, tool, lacking, share: 1 - lacking.length / columns.length };
    })
    .filter(({ share, lacking }) => share >= 0.5 && lacking.length > 0)
    .toSorted((a, b) => b.share - a.share)[0];
  if (near === undefined) return "";
  const lacking = near.lacking.map((name) => `"${name}"`).join(", ");
  return `; nearest is "${near.name}" of ${near.tool}, which has ${lacking}, too`;
}

/** Place of the first column with one of the names, without case and currency, or -1 if there is none. */
export function columnOf(table: Pick<Table, "header">, ...names: readonly string[]): number {
  const known = plainNames(table.header);
  return names.map((name) => known.indexOf(name.toLowerCase())).find((index) => index >= 0) ?? -1;
}

const PLAIN_NAMES = new WeakMap<readonly string[], readonly string[]>();

/** The names are kept, because a header can have thousands of them and every layout looks for its own. */
function plainNames(header: readonly string[]): readonly string[] {
  const known = PLAIN_NAMES.get(header) ?? header.map(plainName);
  PLAIN_NAMES.set(header, known);
  return known;
}

/** `Net P&L USDT` is `net p&l`: exports name the currency in their headers. */
function plainName(name: string): string {
  const text = name.replace("\uFEFF", "").trim();
  return (/^(.+) (?:[A-Z]{3,5}|[A-Z]{0,2}\p{Sc})$/u.exec(text)?.[1] ?? text).toLowerCase();
}

export function hasColumns(table: Table, ...names: readonly string[]): boolean {
  return names.every((name) => columnOf(table, name) >= 0);
}

/** The table with the rows that `keep` accepts. */
export function rowsWhere(table: Table, keep: (row: readonly string[]) => boolean): Table {
  const kept = [...table.rows.keys()].filter((index) => keep(table.rows[index]!));
  return {
    ...table,
    rows: kept.map((index) => table.rows[index]!),
    lines: kept.map((index) => table.lines[index]!),
  };
}

export function numbersOf(table: Table, column: number): Float64Array {
  return numberColumn(table, column, decimalMarkOf([cellsOf(table, column)], table));
}

export const REALISED_WARNING: CheckWarning = {
  code: "realised_only",
  message:
    "the file has profits on the day of exit only: positions that are open on a day aren't valued, so losses look " +
    "smaller than they were",
};

/** Longer lists are not compared with others. */
const LEDGER_MAX = 100_000;

export function ledgerWithin(ledger: Ledger): Ledger | undefined {
  return ledger.trades.length > LEDGER_MAX ? undefined : ledger;
}

/** Trades that a file lists, with the profit of each on the day of its exit. */
export function listExport(
  { format, tool, warnings }: Pick<ReadExport, "format" | "tool" | "warnings">,
  trades: TradeList,
): ReadExport {
  const rows = realisedRows(trades);
  const all = [...warnings, ...windowWarning(trades)];
  return { format, tool, kind: "trades", trades, realisedOnly: true, rows, warnings: all };
}

/** Where the file does not say which days were tested, flat days around the trades are lost: an equity curve has them. */
function windowWarning(trades: TradeList): CheckWarning[] {
  if (trades.first !== undefined && trades.last !== undefined) return [];
  const [first, last] = [spanOf(trades).first, spanOf(trades).last].map(dateOfDay);
  const message =
    `days without a position before the first trade, on ${first}, and after the last, on ${last}, are not in the list, so ` +
    "they are left out: a daily curve of the same run has them, and may be judged differently";
  return [{ code: "window_of_trades", message }];
}

/** The rows of a single equity curve that comes without lines. */
export function curveRows(
  name: string,
  points: readonly (readonly [time: number, value: number])[],
): Observations {
  return {
    kind: "equity",
    instants: Float64Array.from(points, ([time]) => time),
    lines: new Int32Array(points.length),
    names: [name],
    columns: [Float64Array.from(points, ([, value]) => value)],
  };
}

/** The Sharpe ratio that a file states, and how its tool defines it. */
export function statedSharpe(
  sharpe: number | undefined,
  statedReason: string,
): Pick<ReadExport, "stated" | "statedReason"> {
  return sharpe === undefined ? {} : { stated: { sharpe }, statedReason };
}
