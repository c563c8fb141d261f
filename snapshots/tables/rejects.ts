import type { ComputedColumn } from "./computed-column.ts";
import { computed, definitionsOf, rowsOf } from "./computed-column.ts";
import type { Table, TableBlock } from "./table.ts";
import { column, valueAt } from "./table.ts";

/** A refused row, or a whole input that could not be read (line 0). */
export interface RejectRow {
  readonly day: number | null;
  readonly line: number;
  readonly reason: string;
  readonly raw: string;
}

const COLUMNS: readonly ComputedColumn<RejectRow>[] = [
  computed(
    ["day", "date"],
    "the day the row is of; NULL where it could not be read",
    ({ day }) => day,
  ),
  computed(
    ["line", "integer"],
    "line of the file, from 1, or position in the answer of the run that read it; 0 for the whole input",
    ({ line }) => line,
  ),
  computed(
    ["reason", "text"],
    "why it was refused, one of a fixed set of words, e.g. high_below_low",
    ({ reason }) => reason,
  ),
  computed(["raw", "text"], "the row as it was read, cut to 200 characters", ({ raw }) => raw),
];

export const REJECTS: Table = {
  name: "rejects",
  description:
    "Input rows that were refused, one row each, and why: of a coin the first 10,000. The manifest counts all of them.",
  key: ["coin", "line", "day"],
  arrow: true,
  columns: [column(["coin", "text"], "lower-case ticker"), ...definitionsOf(COLUMNS)],
};

export function rejectBlock(coin: string, rejects: readonly RejectRow[]): TableBlock {
  return { rows: rejects.length, columns: { coin, ...rowsOf(COLUMNS, rejects) } };
}

export function rejectRowsOf(block: TableBlock): RejectRow[] {
  return Array.from({ length: block.rows }, (_, row) => ({
    day: valueAt(block, "day", row) as number | null,
    line: valueAt(block, "line", row) as number,
    reason: valueAt(block, "reason", row) as string,
    raw: valueAt(block, "raw", row) as string,
  }));
}
