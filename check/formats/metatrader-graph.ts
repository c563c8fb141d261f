import { columnOf, numbersOf, type TableFormat } from "./table-format.ts";
import { timeColumn } from "./times.ts";

const TOOL = "MetaTrader 5";

/** The tester's graph, exported: the account at its trades. */
export const metaTraderGraph: TableFormat = {
  name: "mt5-graph",
  tool: TOOL,
  columns: ["<date>", "<balance>", "<equity>"],
  read: (table, options) => ({
    format: "mt5-graph",
    tool: TOOL,
    kind: "equity",
    rows: {
      kind: "equity",
      events: true,
      instants: timeColumn(table, columnOf(table, "<date>"), options),
      lines: Int32Array.from(table.lines),
      names: ["EQUITY"],
      columns: [numbersOf(table, columnOf(table, "<equity>"))],
    },
    warnings: [],
  }),
};
