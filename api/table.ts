import type { AnyRecord, Type } from "./record.ts";

/** A column of an answer's rows. Objects and lists are one cell. */
export interface Column<Row = never> {
  readonly name: string;
  /** As `fields` names it, from the beginning of `data`. */
  readonly field: string;
  of(row: Row): unknown;
}

/** The rows of an answer, for formats that have rows. The columns are of these rows. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly unknown[];
}

/**
 * Rows of a record that are found in `data` under a name; "" for `data` itself. A member that is left out of all of them
 * has no column.
 */
export function tableOf(field: string, record: AnyRecord, rows: readonly object[]): Table {
  const there = Object.entries(record.members).filter(
    ([name, { isOptional }]) => !isOptional || rows.some((row) => Object.hasOwn(row, name)),
  );
  const members = Object.fromEntries(there);
  const within = { name: "", field, of: (row: object) => row };
  return { columns: columnsOf({ ...record, members }, within), rows };
}

/** The members of a record as columns; those of its records are joined to its name by `_`. */
export function columnsOf<Row>({ members }: AnyRecord, within: Column<Row>): Column<Row>[] {
  return Object.entries(members).flatMap(([name, { type }]) => {
    const column: Column<Row> = {
      name: joined(within.name, name, "_"),
      field: joined(within.field, name, "."),
      of: (row) => memberOf(within.of(row), name),
    };
    return type.kind === "record" ? columnsOf(type.record, column) : [column];
  });
}

export function joined(before: string, name: string, sign: string): string {
  return before === "" ? name : before + sign + name;
}

/** Undefined where there is none, as in what is null itself. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** What a member is inside lists: `years.year` is a number. */
export function itemOf(type: Type): Type {
  return type.kind === "list" ? itemOf(type.of) : type;
}
