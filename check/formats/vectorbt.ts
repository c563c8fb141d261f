import type { Table } from "./csv.ts";
import type { ReadExport, ReadOptions } from "./export.ts";
import { readGeneric, variantName } from "./generic.ts";
import {
  columnOf,
  numbersOf,
  refusedFormat,
  rowsWhere,
  tradesExport,
  tradesOf,
  type TableFormat,
} from "./table-format.ts";
import { timeOf } from "./times.ts";

const TOOL = "vectorbt";

/** Header rows above the row that names the index: `pf.returns()` and `pf.value()` have one for each parameter. */
function levelsOf({ header, rows }: Table): number {
  const named = rows.findIndex(
    ([first, ...rest]) => first !== "" && rest.every((cell) => cell === ""),
  );
  if (named < 0 || named > 8 || header.length < 2) return 0;
  // A day without a value has empty cells, too.
  if (rows.slice(0, named + 1).some(([first]) => timeOf(first!) !== undefined)) return 0;
  const isTime = rows[named + 1] !== undefined && timeOf(rows[named + 1]![0]!) !== undefined;
  return isTime ? named + 1 : 0;
}

/** `pf.returns()` or `pf.value()` of a grid of parameters. */
export const vectorbtMatrix: TableFormat = {
  name: "vectorbt-matrix",
  tool: TOOL,
  matches: (table) => levelsOf(table) > 0,
  read: (table, options): ReadExport => {
    const levels = levelsOf(table);
    const parts = [table.header, ...table.rows.slice(0, levels - 1)];
    const names = table.header
      .slice(1)
      .map((_, place) => parts.map((row) => row[place + 1]!.trim()).join("|"));
    const matrix = {
      ...table,
      header: ["date", ...names],
      rows: table.rows.slice(levels),
      lines: table.lines.slice(levels),
    };
    return { ...readGeneric(matrix, options), format: "vectorbt-matrix", tool: TOOL };
  },
};

/** `pf.trades.records_readable`; several values of `Column` are several variants. */
export const vectorbtTrades: TableFormat = {
  name: "vectorbt-trades",
  tool: TOOL,
  columns: ["column", "entry timestamp", "exit timestamp", "pnl", "status"],
  read: (table, options: ReadOptions) => {
    const status = columnOf(table, "status");
    const closed = rowsWhere(table, (row) => row[status]!.trim().toLowerCase() === "closed");
    const open = table.rows.length - closed.rows.length;
    const variant = columnOf(table, "column");
    const trades = tradesOf(
      closed,
      {
        entry: columnOf(table, "entry timestamp"),
        exit: columnOf(table, "exit timestamp"),
        profit: numbersOf(closed, columnOf(table, "pnl")),
        variantOf: (row) => variantName(row[variant]!),
        position: {
          size: columnOf(closed, "size"),
          entryPrice: columnOf(closed, "avg entry price", "avg. entry price"),
          isLong: (row) => /^long$/i.test(row[columnOf(closed, "direction")]?.trim() ?? ""),
        },
      },
      options.timezone,
    );
    const message = `${open} positions that are still open were left out`;
    const warnings = open > 0 ? [{ code: "open_trades", message }] : [];
    return tradesExport({ format: "vectorbt-trades", tool: TOOL, warnings }, trades, options);
  },
};

export const vectorbtOrders = refusedFormat("vectorbt-orders", TOOL, {
  columns: ["order id", "column", "timestamp", "size", "price", "fees", "side"],
  because:
    "this is vectorbt's list of orders: single fills without profit. Send the returns, pf.returns().to_csv(), or the " +
    "trades, pf.trades.records_readable.to_csv()",
});
