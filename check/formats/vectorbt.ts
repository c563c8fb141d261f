import type { Table } from "../../files/csv.ts";
import type { ReadExport } from "./export.ts";
import { readGeneric } from "./generic.ts";
import type { TableFormat } from "./table-format.ts";
import { isDate } from "../../files/times.ts";

const TOOL = "vectorbt";

const LEVELS_MAX = 8;
const INDEX_NAME = /^(date|time|day|index|timestamp)/i;

/**
 * How many rows stand between the header and the first day, and whether the last of them names the index with empty cells
 * beside it. Each row of the header is a parameter. Without a name of the index, the header has to repeat a value or begin
 * with the name of a level. Otherwise the row below it may be a day with a damaged date.
 */
function levelsOf({ header, rows }: Table) {
  const before = rows.slice(0, LEVELS_MAX + 2);
  const first = before.findIndex(([cell]) => isDate(cell!));
  if (first < 1 || header.length < 2) return undefined;
  const [name, ...rest] = before[first - 1]!;
  if (name !== "" && rest.every((cell) => cell === "")) return { rows: first, named: true };
  const repeats = new Set(header.slice(1)).size < header.length - 1;
  const hasName = header[0] !== "" && name !== "" && !INDEX_NAME.test(header[0]!);
  return repeats || hasName ? { rows: first, named: false } : undefined;
}

/** `pf.returns()` or `pf.value()` for a grid of parameters. */
export const vectorbtMatrix: TableFormat = {
  name: "vectorbt-matrix",
  tool: TOOL,
  matches: (table) => levelsOf(table) !== undefined,
  read: (table, options): ReadExport => {
    const { rows: levels, named } = levelsOf(table)!; // `matches` has found them
    const parts = [table.header, ...table.rows.slice(0, named ? levels - 1 : levels)];
    const names = table.header
      .slice(1)
      .map((_, index) => parts.map((row) => row[index + 1]!.trim()).join("|"));
    const matrix = {
      ...table,
      header: ["date", ...names],
      rows: table.rows.slice(levels),
      lines: table.lines.slice(levels),
    };
    return readGeneric(matrix, options, { format: "vectorbt-matrix", tool: TOOL });
  },
};
