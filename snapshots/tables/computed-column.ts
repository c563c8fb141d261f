import { columnOf } from "../../quant/sample-statistics.ts";
import type { ColumnData, ColumnHead, TableBlock, TableColumn } from "./table.ts";
import { column } from "./table.ts";

/** A column and how to compute its value for one item, for tables with one row per item. */
export interface ComputedColumn<Item> extends TableColumn {
  readonly of: (item: Item) => string | number | boolean | null;
}

export function computed<Item>(
  head: ColumnHead,
  description: string,
  of: ComputedColumn<Item>["of"],
): ComputedColumn<Item> {
  return { ...column(head, description), of };
}

/** The columns' definitions alone, as a table needs them. */
export function definitionsOf<Item>(columns: readonly ComputedColumn<Item>[]): TableColumn[] {
  return columns.map(({ name, type, unit, description }) => ({ name, type, unit, description }));
}

/**
 * One row per item. Doubles become a typed array, NaN where there is no value; other columns may hold null.
 */
export function rowsOf<Item>(
  columns: readonly ComputedColumn<Item>[],
  items: readonly Item[],
): Record<string, ColumnData> {
  const rows = columns.map(({ name, type, of }): [string, ColumnData] => [
    name,
    type === "double" ? columnOf(items, (item) => Number(of(item))) : items.map(of),
  ]);
  return Object.fromEntries(rows);
}

/** One item as a block of its own, whose texts are the block's constant texts. */
export function blockOfOne<Item>(columns: readonly ComputedColumn<Item>[], item: Item): TableBlock {
  const texts = columns
    .filter(({ type }) => type === "text")
    .map(({ name, of }) => [name, String(of(item))] as const);
  return { rows: 1, columns: { ...rowsOf(columns, [item]), ...Object.fromEntries(texts) } };
}
