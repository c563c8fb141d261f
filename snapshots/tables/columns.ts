import { propertyOf, type PropertyOf } from "../../quant/letter-case.ts";
import { columnOf } from "../../quant/sample-statistics.ts";
import type { ColumnData, ColumnType, TableBlock, TableColumn } from "./table.ts";
import { valueAt } from "./table.ts";

type Value = string | number | boolean | null;

/** A column of a record, which gives its name. */
interface Column<Item = never> extends Omit<TableColumn, "name"> {
  /** A property of the row's item, or its value; undefined for the property of the column's name. */
  readonly source: (keyof Item & string) | ((item: Item) => Value) | undefined;
  /** Factor from the value to the column's unit. */
  readonly scale: number;
}

export type Columns<Item = never> = Readonly<Record<string, Column<Item>>>;

/** Makes columns of one type and unit. */
function kind(type: ColumnType, unit = "", scale = 1) {
  function make(description: string): Column<unknown> & { readonly source: undefined };
  function make<Item>(
    description: string,
    source: (keyof Item & string) | ((item: Item) => Value),
  ): Column<Item>;
  function make(description: string, source?: string | ((item: never) => Value)): Column {
    return { type, unit, description, source, scale };
  }
  return make;
}

export const text = kind("text");
export const json = kind("text", "json");
export const date = kind("date");
export const flag = kind("boolean");
export const integer = kind("integer");
export const days = kind("integer", "days");
/** Columns of doubles in any other unit. */
export const double = (unit: string) => kind("double", unit);
export const usd = double("usd");
export const coins = double("coins");
export const fraction = double("fraction");
export const ratio = double("ratio");
export const points = double("points");
/** The item has a fraction. */
export const percent = kind("double", "percent", 100);

/** The names of columns without a source for which an item has no property. */
type Unknown<Item, C> = {
  [Name in keyof C & string]: C[Name] extends { readonly source: undefined }
    ? PropertyOf<Name> extends keyof Item
      ? never
      : Name
    : never;
}[keyof C & string];

/** Columns of items: `columnsOf<Segment>()({ ... })`. A column that no property belongs to does not compile. */
export function columnsOf<Item>() {
  return <const C extends Columns<Item>>(
    columns: C,
    ..._noPropertyFor: [Unknown<Item, C>] extends [never] ? [] : [Unknown<Item, C>]
  ): Columns<Item> => {
    const found = Object.entries<Column<Item>>(columns).map(([name, column]) => {
      return [name, { ...column, source: column.source ?? propertyOf(name) }] as const;
    });
    return Object.fromEntries(found) as Columns<Item>;
  };
}

function valueIn<Item>({ source, scale }: Column<Item>, item: Item): Value {
  const value = typeof source === "function" ? source(item) : (item[source!] as Value); // by `columnsOf`
  return scale === 1 ? value : Number(value) * scale;
}

/** Columns of a part of each item. */
export function within<Item, Part>(
  part: (item: Item) => Part,
  columns: Columns<Part>,
): Columns<Item> {
  const found = Object.entries(columns).map(([name, column]) => {
    const source = (item: Item) => valueIn(column, part(item));
    return [name, { ...column, source, scale: 1 }] as const;
  });
  return Object.fromEntries(found);
}

/** The columns as a table lists them. */
export function listed(columns: Columns): TableColumn[] {
  return Object.entries(columns).map(([name, { type, unit, description }]) => {
    return { name, type, unit, description };
  });
}

/** One row per item. Doubles are NaN where there is no value; other columns may hold null. */
export function rowsOf<Item>(columns: Columns<Item>, items: readonly Item[]): TableBlock {
  const data = Object.entries(columns).map(([name, column]): [string, ColumnData] => {
    const valueOf = (item: Item) => valueIn(column, item);
    if (column.type !== "double") return [name, items.map(valueOf)];
    return [name, columnOf(items, (item) => Number(valueOf(item)))];
  });
  return { rows: items.length, columns: Object.fromEntries(data) };
}

/** One item as a block of its own, whose texts are the same in all of its rows. */
export function blockOfOne<Item>(columns: Columns<Item>, item: Item): TableBlock {
  const block = rowsOf(columns, [item]);
  const texts = Object.entries(columns)
    .filter(([, { type }]) => type === "text")
    .map(([name, column]) => [name, String(valueIn(column, item))] as const);
  return { rows: 1, columns: { ...block.columns, ...Object.fromEntries(texts) } };
}

/** The items that `rowsOf` made the rows from. For columns that are properties. */
export function itemsOf<Item>(columns: Columns<Item>, block: TableBlock): Item[] {
  return Array.from({ length: block.rows }, (_, row) => {
    const found = Object.entries(columns).map(([name, { source, type }]) => {
      return [source, valueAt(block, name, row) ?? (type === "double" ? NaN : null)] as const;
    });
    return Object.fromEntries(found) as Item;
  });
}

/**
 * Columns of arrays, one array per property of `Of`, as a table has them. Those in the table's unit are not copied.
 */
export function arraysIn<Of>(columns: Columns<Of>, arrays: Of): Record<string, ColumnData> {
  const found = Object.entries(columns).map(([name, { source, scale }]) => {
    const array = arrays[source as keyof Of] as Float64Array;
    return [name, scale === 1 ? array : array.map((value) => value * scale)] as const;
  });
  return Object.fromEntries(found);
}

/** The arrays that a block was made from: views, except where the table has another unit. */
export function arraysOf<Of>(columns: Columns<Of>, block: TableBlock): Of {
  const found = Object.entries(columns).map(([name, { source, scale }]) => {
    const array = block.columns[name] as Float64Array;
    return [source, scale === 1 ? array : array.map((value) => value / scale)] as const;
  });
  return Object.fromEntries(found) as Of;
}
