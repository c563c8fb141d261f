import { readGeneric } from "./generic.ts";
import { columnOf, type TableFormat } from "./table-format.ts";

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
