import type { Table } from "./csv.ts";
import { FileRefused } from "./export.ts";
import { readGeneric } from "./generic.ts";
import {
  REALISED_WARNING,
  columnOf,
  numbersOf,
  refusedFormat,
  tradesExport,
  tradesOf,
  type TableFormat,
} from "./table-format.ts";

const TOOL = "nautilus_trader";

/** `generate_account_report`: a row for each event; the balance holds until the next one. */
export const nautilusAccount: TableFormat = {
  name: "nautilus-account",
  tool: TOOL,
  columns: ["total", "locked", "free", "account_id"],
  read: (table, options) => {
    checkCurrency(table);
    const total = columnOf(table, "total");
    const pair = {
      ...table,
      header: ["date", "total"],
      rows: table.rows.map((row) => [row[0]!, row[total]!]),
    };
    const of = { format: "nautilus-account", tool: TOOL, kind: "equity" } as const;
    const read = readGeneric(pair, options, of);
    return {
      ...read,
      rows: { ...read.rows!, events: true }, // a generic table always has rows
      realisedOnly: true,
      warnings: [...read.warnings, REALISED_WARNING],
    };
  },
};

/** Money in one currency and coins beside it have a row each, and no prices to add them up. */
function checkCurrency(table: Table): void {
  const currency = columnOf(table, "currency");
  const found = [...new Set(table.rows.map((row) => row[currency]?.trim() ?? ""))];
  if (found.length <= 1) return;
  throw new FileRefused(
    `the account holds ${found.slice(0, 5).join(" and ")}, which can't be added up: send the positions report`,
  );
}

/** `generate_positions_report`: profits are texts with their currency. */
export const nautilusPositions: TableFormat = {
  name: "nautilus-positions",
  isOfTrades: true,
  tool: TOOL,
  columns: ["realized_pnl", "ts_opened", "ts_closed"],
  read: (table, options) => {
    const pnl = columnOf(table, "realized_pnl");
    const closedAt = columnOf(table, "ts_closed");
    const kept = [...table.rows.keys()].filter((row) => table.rows[row]![closedAt]!.trim() !== "");
    const plain = {
      ...table,
      lines: kept.map((row) => table.lines[row]!),
      rows: kept.map((row) =>
        table.rows[row]!.map((cell, column) =>
          column === pnl ? cell.trim().replace(/\s+[A-Z]+$/, "") : cell,
        ),
      ),
    };
    const columns = {
      entry: columnOf(table, "ts_opened"),
      exit: closedAt,
      profit: numbersOf(plain, pnl),
      position: {
        symbol: columnOf(table, "instrument_id"),
        size: columnOf(table, "peak_qty"),
        entryPrice: columnOf(table, "avg_px_open"),
        isLong: (row: readonly string[]) => row[columnOf(table, "entry")] === "BUY",
      },
    };
    const trades = tradesOf(plain, columns, options);
    return tradesExport({ format: "nautilus-positions", tool: TOOL }, trades, options);
  },
};

export const nautilusFills = refusedFormat("nautilus-fills", TOOL, {
  columns: ["client_order_id", "trader_id", "venue_order_id"],
  because:
    "this is nautilus_trader's report of orders and fills, which has no profit. Send the returns " +
    "(portfolio.analyzer.returns()) or the account report",
});
