import { namesStrategy } from "../columns/table-rows.ts";
import { readGeneric } from "./generic.ts";
import { columnOf, refusedFormat, type TableFormat } from "./table-format.ts";

/** The frame that zipline's `run_algorithm` returns; `algorithm_period_return` in it is cumulative. */
export const ziplinePerformance: TableFormat = {
  name: "zipline",
  tool: "zipline",
  columns: ["algorithm_period_return", "returns", "portfolio_value"],
  read: (table, options) => {
    const returns = columnOf(table, "returns");
    const pair = {
      ...table,
      header: ["date", "returns"],
      rows: table.rows.map((row) => [row[0]!, row[returns]!]),
    };
    return readGeneric(pair, options, { format: "zipline", tool: "zipline", kind: "returns" });
  },
};

export const pyfolioPositions = refusedFormat("pyfolio-positions", "pyfolio", {
  matches: (table) =>
    table.header.at(-1)?.toLowerCase() === "cash" &&
    table.header.length > 2 &&
    !namesStrategy(table),
  because:
    "this is pyfolio's table of positions: money in each asset, not a variant in each column. Send the returns " +
    "(the first of extract_rets_pos_txn_from_zipline)",
});

export const pyfolioTransactions = refusedFormat("pyfolio-transactions", "pyfolio", {
  columns: ["sid", "txn_dollars"],
  because:
    "this is pyfolio's table of transactions: single fills without profit. Send the returns (the first of " +
    "extract_rets_pos_txn_from_zipline)",
});
