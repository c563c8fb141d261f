import { columnsOf, date, integer, itemsOf, listed, rowsOf, text } from "./columns.ts";
import type { Table, TableBlock } from "./table.ts";

/** A refused row, or a whole input that could not be read (line 0). */
export interface RejectRow {
  readonly day: number | null;
  readonly line: number;
  readonly reason: string;
  readonly raw: string;
}

const COLUMNS = columnsOf<RejectRow>()({
  day: date("the day the row is of; NULL where it could not be read"),
  line: integer(
    "line of the file, from 1, or position in the answer of the run that read it; 0 for the whole input",
  ),
  reason: text("why it was refused, one of a fixed set of words, e.g. high_below_low"),
  raw: text("the row as it was read, cut to 200 characters"),
});

export const REJECTS: Table = {
  name: "rejects",
  description:
    "Input rows that were refused, one row each, and why: of a coin the first 10,000. The manifest counts all of them.",
  key: ["coin", "line", "day"],
  arrow: true,
  hasPrices: true,
  columns: listed({ coin: text("lower-case ticker"), ...COLUMNS }),
};

export function rejectBlock(coin: string, rejects: readonly RejectRow[]): TableBlock {
  const { rows, columns } = rowsOf(COLUMNS, rejects);
  return { rows, columns: { coin, ...columns } };
}

export function rejectRowsOf(block: TableBlock): RejectRow[] {
  return itemsOf(COLUMNS, block);
}
