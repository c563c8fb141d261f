import type { CheckWarning } from "../../quant/check/panel.ts";
import { cellsOf, type Table } from "./csv.ts";
import { FileRefused, question, type ReadExport, type ReadOptions } from "./export.ts";
import { decimalMarkOf, numberColumn } from "./numbers.ts";
import { realisedRows } from "../../quant/check/realised-rows.ts";
import type { Trade, TradeList } from "../../quant/check/trade.ts";

/** A layout of tables: how it is recognised and how it is read. */
export interface TableFormat {
  readonly name: string;
  readonly tool: string;
  /** What every file of the layout has. */
  readonly columns?: readonly string[];
  /** Whether its rows are trades, of which each counts once. */
  readonly isOfTrades?: true;
  /** What more decides. */
  readonly matches?: (table: Table) => boolean;
  readonly read: (table: Table, options: ReadOptions) => ReadExport;
}

export function fits({ columns = [], matches }: TableFormat, table: Table): boolean {
  return hasColumns(table, ...columns) && (matches === undefined || matches(table));
}

/** The layout of which a table has most columns, at least half, and what it lacks: words for a refusal. */
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

/** Place of the first column with one of the names, without case and currency; -1 if there is none. */
export function columnOf(table: Pick<Table, "header">, ...names: readonly string[]): number {
  const known = plainNames(table.header);
  for (const name of names) {
    const place = known.indexOf(name.toLowerCase());
    if (place >= 0) return place;
  }
  return -1;
}

const PLAIN_NAMES = new WeakMap<readonly string[], readonly string[]>();

/** Each layout asks for columns, of which a file can have thousands. */
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

/** The table without the rows that `keep` doesn't name. */
export function rowsWhere(table: Table, keep: (row: readonly string[]) => boolean): Table {
  const kept = [...table.rows.keys()].filter((place) => keep(table.rows[place]!));
  return {
    ...table,
    rows: kept.map((place) => table.rows[place]!),
    lines: kept.map((place) => table.lines[place]!),
  };
}

export const REALISED_WARNING: CheckWarning = {
  code: "realised_only",
  message:
    "the file has profits on the day of exit only: positions that are open on a day aren't valued, so losses look " +
    "smaller than they were",
};

export function numbersOf(table: Table, column: number): Float64Array {
  return numberColumn(table, column, decimalMarkOf([cellsOf(table, column)], table));
}

/** A list of trades without the capital it began with, which the sender has to give. */
export function tradesExport(
  of: Pick<ReadExport, "format" | "tool"> & { warnings?: readonly CheckWarning[] },
  trades: readonly Trade[],
  options: ReadOptions,
  more: Omit<Partial<TradeList>, "trades" | "capital"> = {},
): ReadExport {
  if (trades.length === 0) throw new FileRefused("the file has no closed trade");
  if (options.startingCapital === undefined) {
    throw question(
      "startingCapital",
      "this is a list of trades without the capital that the account began with: how much was it? Better still, " +
        "export the daily equity curve",
    );
  }
  const list: TradeList = { ...more, trades, capital: options.startingCapital };
  const { format, tool } = of;
  return {
    format,
    tool,
    kind: "trades",
    trades: list,
    realisedOnly: true,
    rows: realisedRows(list),
    warnings: [...(of.warnings ?? []), REALISED_WARNING],
  };
}

/** Refuses a table whose layout is known to hold no series. */
export function refusedFormat(
  name: string,
  tool: string,
  of: Pick<TableFormat, "columns" | "matches"> & { readonly because: string },
): TableFormat {
  const { because, ...layout } = of;
  return {
    name,
    tool,
    ...layout,
    read: () => {
      throw new FileRefused(because);
    },
  };
}
