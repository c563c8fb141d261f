import { distance } from "fastest-levenshtein";
import type { AnyRecord, Type } from "../../api/record.ts";
import { itemOf, joined, memberOf, type Column, type Table } from "../../api/table.ts";
import { DomainError } from "../http/errors.ts";
import { quoted } from "../http/quoted.ts";

const FIELDS_MAX = 50;
/** Names that are data are those of coins, templates, checks and columns. An entity tag may hold all these characters. */
const FIELD = /^[\w.-]{1,120}$/;
/** Always part of an answer. */
const ATTRIBUTION = "attribution";

/** The members named in the parameter `fields`, sorted and each once. Throws DomainError. */
export function readFields(text: string): readonly string[] {
  const fields = [...new Set(text.split(","))].sort();
  if (fields.length <= FIELDS_MAX) return fields;
  const message = `parameter "fields" may name up to ${FIELDS_MAX} members, got ${fields.length}`;
  throw new DomainError("invalid_parameter", message);
}

/** Throws DomainError for a member that the record does not have. */
export function checkFields(record: AnyRecord, fields: readonly string[]): void {
  for (const field of fields) {
    const isKnown = FIELD.test(field) && isWithin({ kind: "record", record }, field.split("."));
    if (!isKnown) throw unknownField(field, namesIn(record));
  }
}

function isWithin(type: Type, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const item = itemOf(type);
  if (item.kind === "map") return isWithin(item.of, rest);
  if (item.kind !== "record" || !Object.hasOwn(item.record.members, name)) return false;
  return isWithin(item.record.members[name]!.type, rest); // it has this member
}

/** All that can be named, but for what is in maps. */
function namesIn({ members }: AnyRecord): string[] {
  return Object.entries(members).flatMap(([name, { type }]) => {
    const item = itemOf(type);
    const inside = item.kind === "record" ? namesIn(item.record) : [];
    return [name, ...inside.map((each) => `${name}.${each}`)];
  });
}

function unknownField(field: string, known: readonly string[]): DomainError {
  const typed = field.slice(0, 120);
  const edits = known.map((name) => (name.includes(typed) ? 0 : distance(name, typed)));
  const nearest = known[edits.indexOf(Math.min(...edits))] ?? ATTRIBUTION;
  const message = `parameter "fields": there is no member ${quoted(field)}; nearest: "${nearest}"`;
  return new DomainError("invalid_parameter", message);
}

/** The named members of `data` in its own order, and its attribution. Throws DomainError for a name that no map has. */
export function pickFields(record: AnyRecord, data: object, fields: readonly string[]): object {
  if (fields.length === 0) return data;
  for (const field of fields) checkKeys(record, data, field);
  const wanted: Wanted = new Map();
  for (const field of [ATTRIBUTION, ...fields]) want(wanted, field.split("."));
  return pick(data, wanted) as object;
}

/** The names of a map are data, so only an answer can tell whether there is one. */
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

/** Of a member that is there. */
function memberType(type: Type, name: string): Type {
  if (type.kind === "map") return type.of;
  return (type as Extract<Type, { kind: "record" }>).record.members[name]!.type;
}

/** What is wanted of an object, by name; true for all of it. */
type Wanted = Map<string, Wanted | true>;

/** Names come sorted: the whole of a member before its parts. */
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

/** The named columns of a table, all without names. A name inside a map, which is one cell, is a column of its own. */
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
    return { name: `${name}_${key}`, field, of: (row) => memberOf(column.of(row), key) };
  });
}

function shown(columns: readonly Column[]): string {
  return (
    columns
      .map(({ field }) => `"${field}"`)
      .slice(0, 3)
      .join(", ") + ", ..."
  );
}
