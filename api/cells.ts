import type { Row } from "../snapshots/dataset-tables.ts";

/** The cells of a table's row, or those of its columns that begin with `prefix`. */
export interface Cells {
  readonly row: Row;
  readonly prefix: string;
}

export function cellsOf(row: Row): Cells {
  return { row, prefix: "" };
}

/** Narrows cells down to the columns that also begin with this prefix. */
export function under(prefix: string): (cells: Cells) => Cells {
  return (cells) => ({ row: cells.row, prefix: cells.prefix + prefix });
}

/** The value of a column; null where there is none. */
export function columnIn({ row, prefix }: Cells, name: string): Row[string] {
  const value = row[prefix + name];
  if (value === undefined) throw new Error(`the row has no column "${prefix + name}"`);
  return value;
}

/** The number in a column; NaN where there is none. */
export function numberIn(cells: Cells, name: string): number {
  return Number(columnIn(cells, name) ?? NaN);
}

export function textIn(cells: Cells, name: string): string {
  return String(columnIn(cells, name));
}
