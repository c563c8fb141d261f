import type { z } from "zod";
import { dateOfDay } from "../../quant/calendar.ts";
import { significant } from "../../quant/significant-digits.ts";
import type { Row } from "../../snapshots/dataset-tables.ts";
import { oncePerObject } from "./once-per-object.ts";

/** How the members of an answer's object are found in a table's row. */
interface MembersOf<Schema extends z.ZodObject> {
  /** What the names of their columns begin with, before the member's own. */
  readonly prefix?: string;
  /** Members that are no column, or one of another name. */
  readonly given?: Partial<z.output<Schema>>;
}

/**
 * An answer's object from a table's row: each member is the column of its name. A member that is an object itself has
 * columns that begin with its name and `_`.
 */
export function membersOf<Schema extends z.ZodObject>(
  row: Row,
  schema: Schema,
  { prefix = "", given = {} }: MembersOf<Schema> = {},
): z.output<Schema> {
  const members: Record<string, unknown> = {};
  for (const { name, object, isDate } of columnsOf(schema)) {
    const column = prefix + name;
    if (name in given) members[name] = given[name as keyof typeof given];
    else if (object !== undefined) members[name] = membersOf(row, object, { prefix: `${column}_` });
    else members[name] = isDate ? dateOfDay(Number(row[column])) : valueOf(row, column);
  }
  return members as z.output<Schema>; // tests check every answer against its schema
}

/** A value as JSON has it: a number with 10 digits, or null if there is none. */
function valueOf(row: Row, column: string): Row[string] {
  const value = row[column];
  if (value === undefined) throw new Error(`the row has no column "${column}"`);
  return typeof value === "number" ? significant(value) : value;
}

export function numberOf(row: Row, column: string): number | null {
  const value = valueOf(row, column);
  return value === null ? null : Number(value);
}

const columnsOf = oncePerObject(({ shape }: z.ZodObject) =>
  Object.entries(shape).map(([name, schema]) => ({
    name,
    object: schema.def.type === "object" ? (schema as z.ZodObject) : undefined,
    isDate: "format" in schema && schema.format === "date",
  })),
);
