import { dateOfDay } from "../../quant/calendar.ts";
import type { Row } from "../../snapshots/dataset-tables.ts";
import { significant } from "../../quant/significant-digits.ts";

/** A number of a table's row as JSON has it: 10 digits, or null if there is none. */
export function numberOf(row: Row, name: string): number | null {
  const value = row[name];
  if (value === undefined) throw new Error(`the row has no column "${name}"`);
  return value === null ? null : significant(Number(value));
}

/** A number that every row has. */
export function integerOf(row: Row, name: string): number {
  const value = row[name];
  if (typeof value !== "number") throw new Error(`column "${name}" is not a number`);
  return value;
}

/** The numbers of columns that have the names of an answer's members, behind a prefix. */
export function numbersOf<Name extends string>(
  row: Row,
  schema: { readonly shape: Readonly<Record<Name, unknown>> },
  prefix = "",
): Record<Name, number | null> {
  const names = Object.keys(schema.shape) as Name[];
  return Object.fromEntries(names.map((name) => [name, numberOf(row, prefix + name)])) as Record<
    Name,
    number | null
  >;
}

export function textOf(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== "string") throw new Error(`column "${name}" is not a text`);
  return value;
}

export function booleanOf(row: Row, name: string): boolean {
  const value = row[name];
  if (typeof value !== "boolean") throw new Error(`column "${name}" is not a boolean`);
  return value;
}

export function dateOf(row: Row, name: string): string {
  return dateOfDay(integerOf(row, name));
}
