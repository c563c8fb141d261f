import { FileRefused } from "../../files/refused.ts";
import type { Table } from "../../files/csv.ts";
import { readGeneric } from "./generic.ts";
import { shortened } from "../../files/numbers.ts";
import { columnOf, REALISED_WARNING, type TableFormat } from "./table-format.ts";

/** What is peculiar to a tool's table of an account. */
interface Peculiar {
  readonly kind: "returns" | "equity";
  /** Whether its rows are events, between which a value holds. */
  readonly areEvents?: boolean;
  readonly isRealised?: boolean;
  /** Refuses a table that can't be read as one account. */
  readonly check?: (table: Table) => void;
}

/**
 * Tables of an account with dates in the first column: the name of the format, the tool, the columns that every version
 * has, and what is peculiar to it. The first of the columns is judged. They come from `run_algorithm` of zipline, whose
 * `algorithm_period_return` is cumulative, `stats["_equity_curve"]` of backtesting.py, the graph of MetaTrader's tester,
 * and `generate_account_report` of nautilus_trader.
 */
const TOOLS: readonly (readonly [string, string, string, Peculiar])[] = [
  ["zipline", "zipline", "returns|algorithm_period_return|portfolio_value", { kind: "returns" }],
  [
    "backtesting-equity",
    "backtesting.py",
    "equity|drawdownpct|drawdownduration",
    { kind: "equity" },
  ],
  ["mt5-graph", "MetaTrader 5", "<equity>|<date>|<balance>", { kind: "equity", areEvents: true }],
  [
    "nautilus-account",
    "nautilus_trader",
    "total|locked|free|account_id",
    { kind: "equity", areEvents: true, isRealised: true, check: checkCurrency },
  ],
];

export const CURVE_TOOLS: readonly TableFormat[] = TOOLS.map(([name, tool, names, more]) => {
  const columns = names.split("|");
  return {
    name,
    tool,
    columns,
    read: (table, options) => {
      more.check?.(table);
      const value = columnOf(table, columns[0]!);
      const header = ["date", table.header[value]!.replace(/[<>]/g, "")];
      const pair = { ...table, header, rows: table.rows.map((row) => [row[0]!, row[value]!]) };
      const read = readGeneric(pair, options, { format: name, tool, kind: more.kind });
      const rows = { ...read.rows!, ...(more.areEvents === true ? { events: true } : {}) }; // it always has rows
      if (more.isRealised !== true) return { ...read, rows };
      return { ...read, rows, realisedOnly: true, warnings: [...read.warnings, REALISED_WARNING] };
    },
  };
});

/** Currencies have a row each, and there are no prices to add them up with. */
function checkCurrency(table: Table): void {
  const currency = columnOf(table, "currency");
  const found = [...new Set(table.rows.map((row) => row[currency]?.trim() ?? ""))];
  if (found.length <= 1) return;
  throw new FileRefused(
    `the account holds ${found.slice(0, 5).map(shortened).join(" and ")}, which can't be added up: send the positions report`,
  );
}
