import type { Table } from "./csv.ts";
import { FileRefused } from "./export.ts";
import { readGeneric } from "./generic.ts";
import { shortened } from "./numbers.ts";
import { REALISED_WARNING, columnOf, type TableFormat } from "./table-format.ts";

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
    `the account holds ${found.slice(0, 5).map(shortened).join(" and ")}, which can't be added up: send the positions report`,
  );
}
