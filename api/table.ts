import type { AnyRecord, Type } from "./record.ts";

/** A column of an answer's rows. Objects and lists are one cell. */
export interface Column<Row = never> {
  readonly name: string;
  /** The dotted path from `data` that `fields` takes. */
  readonly field: string;
  cell(row: Row): unknown;
}

/** The rows of an answer and their columns, for formats such as CSV. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly unknown[];
}

/**
 * The table of rows of a record. `field` is where `data` has them, "" for `data` itself. An optional member that no row
 * has gets no column.
 */
export function tableOf(field: string, record: AnyRecord, rows: readonly object[]): Table {
  const there = Object.entries(record.members).filter(
    ([name, { isOptional }]) => !isOptional || rows.some((row) => Object.hasOwn(row, name)),
  );
  const members = Object.fromEntries(there);
  const within = { name: "", field, cell: (row: object) => row };
  return { columns: columnsOf({ ...record, members }, within), rows };
}

/** The members of a record as columns. A member of a record within has both names, joined by `_`. */
export function columnsOf<Row>({ members }: AnyRecord, within: Column<Row>): Column<Row>[] {
  return Object.entries(members).flatMap(([name, { type }]) => {
    const column: Column<Row> = {
      name: joined(within.name, name, "_"),
      field: joined(within.field, name, "."),
      cell: (row) => memberOf(within.cell(row), name),
    };
    return type.kind === "record" ? columnsOf(type.record, column) : [column];
  });
}

export function joined(before: string, name: string, sign: string): string {
  return before === "" ? name : before + sign + name;
}

/** The value of a member; undefined where there is none, also because the object itself is null. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** The type of the items, however deep the lists: `years.year` is a number. */
export function itemOf(type: Type): Type {
  return type.kind === "list" ? itemOf(type.item) : type;
}
