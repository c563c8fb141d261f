import { cellText } from "./column-table.ts";
import { CELLS_MAX, COLUMNS_MAX, type Table } from "./csv.ts";
import { FileRefused } from "./export.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { timeOf } from "./times.ts";

/**
 * A table as pandas' `to_json` writes it in each of its orients but `values`, which has no names: `records` (also one
 * object a line), `split`, `table`, `index`, `columns`, and a series. Undefined for any other JSON.
 */
export function jsonTable(json: Json): Table | undefined {
  if (Array.isArray(json)) return recordTable(json as readonly Json[]);
  if (!isObject(json)) return undefined;
  const { columns, index, data, schema, name } = json;
  if (isObject(schema) && Array.isArray(data)) return recordTable(data as readonly Json[]);
  if (columns === undefined && Array.isArray(index) && Array.isArray(data)) {
    return tableOf(["", name ?? "0"], data.length, (row) => [index[row], data[row]]);
  }
  if (Array.isArray(columns) && Array.isArray(index) && Array.isArray(data)) {
    const rows = data as readonly Json[];
    if (!rows.every((row) => Array.isArray(row))) return undefined;
    const cells = rows as readonly (readonly Json[])[];
    return tableOf(["", ...columns], cells.length, (row) => [index[row], ...cells[row]!]);
  }
  return keyedTable(json);
}

function recordTable(records: readonly Json[]): Table | undefined {
  if (records.length === 0 || !records.every(isObject)) return undefined;
  const flat = records.map(flatRecord);
  const names = namesOf(flat);
  return tableOf(names, flat.length, (row) => names.map((name) => flat[row]![name]));
}

/** A record with the members of objects in it as its own: `sharpe`, or `metrics.sharpe` where there are others. */
function flatRecord(record: JsonObject): JsonObject {
  const inner = Object.values(record).filter(isObject).flatMap(Object.keys);
  if (inner.length === 0) return record;
  const all = [...Object.keys(record), ...inner];
  const members = Object.entries(record).flatMap(([name, value]): [string, Json | undefined][] => {
    if (!isObject(value)) return [[name, value]];
    const isOnly = (key: string) => all.indexOf(key) === all.lastIndexOf(key);
    return Object.entries(value).map(([key, cell]) => [isOnly(key) ? key : `${name}.${key}`, cell]);
  });
  return Object.fromEntries(members);
}

/** Objects keyed by times: of rows (`index`), of columns of cells (`columns`), or of cells (a series). */
function keyedTable(json: JsonObject): Table | undefined {
  const keys = Object.keys(json);
  const values = Object.values(json);
  if (!values.every(isObject)) {
    const isSeries = areTimes(keys) && !values.some((value) => typeof value === "object" && value);
    return isSeries
      ? tableOf(["", "0"], keys.length, (row) => [keys[row], values[row]])
      : undefined;
  }
  if (areTimes(keys)) {
    const names = namesOf(values);
    return tableOf(["", ...names], keys.length, (row) => [
      keys[row],
      ...names.map((name) => values[row]![name]),
    ]);
  }
  const index = namesOf(values);
  const counted = !areTimes(index) && index.slice(0, 3).every((row) => /^\d{1,9}$/.test(row));
  if (!counted && !(areTimes(index) && values.every((column) => isOfCells(column, index.length))))
    return undefined;
  return tableOf(counted ? keys : ["", ...keys], index.length, (row) => {
    const cells = values.map((column) => column[index[row]!]);
    return counted ? cells : [index[row], ...cells];
  });
}

/** Columns of one frame have a cell in each row; others are curves of their own, or records. */
function isOfCells(column: JsonObject, length: number): boolean {
  const cells = Object.values(column);
  return cells.length === length && !cells.some(isObject);
}

/** The members of all objects, in order of their first occurrence. */
function namesOf(objects: readonly JsonObject[]): string[] {
  return [...new Set(objects.flatMap((object) => Object.keys(object)))];
}

function areTimes(names: readonly string[]): boolean {
  return names.length > 0 && names.slice(0, 3).every((name) => timeOf(name) !== undefined);
}

/** The cells as texts; every row has one for each name. */
export function tableOf(
  header: readonly unknown[],
  length: number,
  row: (place: number) => readonly unknown[],
): Table {
  if (header.length > COLUMNS_MAX || header.length * length > CELLS_MAX) {
    throw new FileRefused("the JSON has too many cells: no export has so many");
  }
  const rows = Array.from({ length }, (_, place) => row(place).map(cellText));
  const uneven = rows.findIndex((cells) => cells.length !== header.length);
  if (uneven >= 0) {
    throw new FileRefused(
      `row ${uneven + 1} has ${rows[uneven]!.length} cells, where there are ${header.length} columns`,
    );
  }
  return {
    header: header.map(cellText),
    rows,
    lines: Array.from({ length }, (_, place) => place + 1),
    delimiter: ",",
  };
}
