import type { AnyRecord, Type } from "../../api/record.ts";
import { itemOf, joined, memberOf, type Column, type Table } from "../../api/table.ts";
import { DomainError } from "../http/errors.ts";
import { quoted } from "../http/quoted.ts";
import { nearestTo } from "./nearest.ts";

const FIELDS_MAX = 50;
/** Besides members, the names of coins, templates, checks and columns. All these characters may be in an entity tag. */
const FIELD = /^[\w.-]{1,120}$/;
const ATTRIBUTION = "attribution";

/** The members named in the parameter `fields`, sorted and each once. Throws DomainError. */
export function readFields(text: string): readonly string[] {
  const names = text.split(",");
  if (names.length <= FIELDS_MAX) return [...new Set(names)].sort();
  const message = `parameter "fields" may name up to ${FIELDS_MAX} members, got ${names.length}`;
  throw new DomainError("invalid_parameter", message);
}

/** Throws DomainError for a field that the record does not have. */
export function checkFields(record: AnyRecord, fields: readonly string[]): void {
  for (const field of fields) {
    const isKnown = FIELD.test(field) && isWithin({ kind: "record", record }, field.split("."));
    if (!isKnown) throw unknownField(field, namesIn(record));
  }
}

function isWithin(type: Type, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const item = itemOf(type);
  if (item.kind === "map") return isWithin(item.item, rest);
  if (item.kind !== "record" || !Object.hasOwn(item.record.members, name)) return false;
  return isWithin(item.record.members[name]!.type, rest); // it has this member
}

/** Every name of a member, except those within maps. */
function namesIn({ members }: AnyRecord): string[] {
  return Object.entries(members).flatMap(([name, { type }]) => {
    const item = itemOf(type);
    const inside = item.kind === "record" ? namesIn(item.record) : [];
    return [name, ...inside.map((each) => `${name}.${each}`)];
  });
}

function unknownField(field: string, known: readonly string[]): DomainError {
  const [nearest = ATTRIBUTION] = nearestTo(field, known, 1);
  const message = `parameter "fields": there is no member ${quoted(field)}; nearest: "${nearest}"`;
  return new DomainError("invalid_parameter", message);
}

/** The named members of `data` in its own order, and its attribution. Throws DomainError for a name that is in no map. */
export function pickFields(record: AnyRecord, data: object, fields: readonly string[]): object {
  if (fields.length === 0) return data;
  for (const field of fields) checkKeys(record, data, field);
  const wanted: Wanted = new Map();
  for (const field of [ATTRIBUTION, ...fields]) want(wanted, field.split("."));
  return pick(data, wanted) as object;
}

/** Throws DomainError for a name that is in no map. Names in maps are data, so only an answer shows which there are. */
function checkKeys(record: AnyRecord, data: object, field: string): void {
  let type: Type = { kind: "record", record };
  let values: readonly unknown[] = [data];
  let before = "";
  for (const name of field.split(".")) {
    const item = itemOf(type);
    const objects = values.flat().filter((value) => typeof value === "object" && value !== null);
    if (item.kind === "map") {
      const names = new Set(objects.flatMap((value) => Object.keys(value as object)));
      const known = [...names].map((each) => joined(before, each, "."));
      if (names.size > 0 && !names.has(name)) throw unknownField(field, known);
    }
    type = memberType(item, name);
    values = objects.map((value) => memberOf(value, name));
    before = joined(before, name, ".");
  }
}

function memberType(type: Type, name: string): Type {
  if (type.kind === "map") return type.item;
  return (type as Extract<Type, { kind: "record" }>).record.members[name]!.type;
}

/** What is wanted of an object, by name; true for all of it. */
type Wanted = Map<string, Wanted | true>;

/** Adds a member. Names come sorted, so a whole member comes before its parts. */
function want(wanted: Wanted, [name = "", ...rest]: readonly string[]): void {
  const part = wanted.get(name);
  if (part === true) return;
  if (rest.length === 0) {
    wanted.set(name, true);
    return;
  }
  const parts: Wanted = part ?? new Map();
  wanted.set(name, parts);
  want(parts, rest);
}

function pick(value: unknown, wanted: Wanted | true): unknown {
  if (wanted === true || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item, wanted));
  const picked: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const part = wanted.get(name);
    if (part !== undefined) picked[name] = pick(member, part);
  }
  return picked;
}

/** The named columns of a table, or all if none are named. A name within a map, which is one cell, becomes a column. */
export function pickColumns({ columns, rows }: Table, fields: readonly string[]): Table {
  if (fields.length === 0) return { columns, rows };
  const picked = columns.flatMap((column) => columnsNamed(column, fields));
  if (picked.length > 0) return { columns: picked, rows };
  const message = `parameter "fields" names no column of the rows, which are ${shown(columns)}`;
  throw new DomainError("invalid_parameter", message);
}

function columnsNamed(column: Column, fields: readonly string[]): readonly Column[] {
  const { name, field: own } = column;
  if (fields.some((field) => field === own || own.startsWith(`${field}.`))) return [column];
  const inside = fields.filter((field) => field.startsWith(`${own}.`));
  return inside.map((field) => {
    const key = field.slice(own.length + 1);
    return { name: `${name}_${key}`, field, cell: (row) => memberOf(column.cell(row), key) };
  });
}

function shown(columns: readonly Column[]): string {
  const [a, b, c] = columns.map(({ field }) => `"${field}"`);
  return `${[a, b, c].join(", ")}, ...`;
}
