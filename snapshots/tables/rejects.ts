import type { Table, TableBlock } from "./table.ts";
import { valueAt } from "./table.ts";

export const REJECTS: Table = {
  name: "rejects",
  description:
    "Input rows that were refused, one row each, and why: of a coin the first 10,000. The manifest counts all of them.",
  key: ["coin", "line", "day"],
  arrow: true,
  columns: [
    { name: "coin", type: "text", unit: "", description: "lower-case ticker" },
    {
      name: "day",
      type: "date",
      unit: "",
      description: "the day the row is of; NULL where it could not be read",
    },
    {
      name: "line",
      type: "integer",
      unit: "",
      description:
        "line of the file, from 1, or position in the answer of the run that read it; 0 for the whole input",
    },
    {
      name: "reason",
      type: "text",
      unit: "",
      description: "why it was refused, one of a fixed set of words, e.g. high_below_low",
    },
    {
      name: "raw",
      type: "text",
      unit: "",
      description: "the row as it was read, cut to 200 characters",
    },
  ],
};

/** A refused row, or a whole input that could not be read (line 0). */
export interface RejectRow {
  readonly day: number | null;
  readonly line: number;
  readonly reason: string;
  readonly raw: string;
}

export function rejectBlock(coin: string, rejects: readonly RejectRow[]): TableBlock {
  return {
    rows: rejects.length,
    columns: {
      coin,
      day: rejects.map(({ day }) => day),
      line: rejects.map(({ line }) => line),
      reason: rejects.map(({ reason }) => reason),
      raw: rejects.map(({ raw }) => raw),
    },
  };
}

export function rejectRowsOf(block: TableBlock): RejectRow[] {
  return Array.from({ length: block.rows }, (_, row) => ({
    day: valueAt(block, "day", row) as number | null,
    line: valueAt(block, "line", row) as number,
    reason: valueAt(block, "reason", row) as string,
    raw: valueAt(block, "raw", row) as string,
  }));
}
