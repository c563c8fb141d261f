import { FileRefused } from "./refused.ts";
import { cellText } from "./column-table.ts";
import { CELLS_MAX, COLUMNS_MAX, type Table } from "./csv.ts";
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
  if (!Array.isArray(data)) return keyedTable(json);
  if (isObject(schema)) return recordTable(data as readonly Json[]);
  if (!Array.isArray(index)) return keyedTable(json);
  const cells = data as readonly Json[];
  if (columns === undefined)
    return tableOf(["", name ?? "0"], cells.length, (row) => [index[row], cells[row]]);
  if (!Array.isArray(columns)) return keyedTable(json);
  if (!cells.every((row) => Array.isArray(row))) return undefined;
  const rows = cells as readonly (readonly Json[])[];
  return tableOf(["", ...columns], rows.length, (row) => [index[row], ...rows[row]!]);
}

function recordTable(records: readonly Json[]): Table | undefined {
  if (records.length === 0 || !records.every(isObject)) return undefined;
  const flat = records.map(flatRecord);
  const names = namesOf(flat);
  return tableOf(names, flat.length, (row) => names.map((name) => flat[row]![name]));
}

/** A record that has the members of the objects in it: as `sharpe`, or as `metrics.sharpe` where there are others. */
function flatRecord(record: JsonObject): JsonObject {
  const inner = Object.values(record).filter(isObject).flatMap(Object.keys);
  if (inner.length === 0) return record;
  const all = [...Object.keys(record), ...inner];
  const isOnly = (key: string) => all.indexOf(key) === all.lastIndexOf(key);
  const members = Object.entries(record).flatMap(([name, value]): [string, Json | undefined][] => {
    if (!isObject(value)) return [[name, value]];
    return Object.entries(value).map(([key, cell]) => [isOnly(key) ? key : `${name}.${key}`, cell]);
  });
  return Object.fromEntries(members);
}

/** Objects by time (`index`, or a series of cells), or columns of cells by time or by row number (`columns`). */
function keyedTable(json: JsonObject): Table | undefined {
  const keys = Object.keys(json);
  const values = Object.values(json);
  if (!values.every(isObject)) {
    const isSeries = areTimes(keys) && !values.some((value) => typeof value === "object" && value);
    if (!isSeries) return undefined;
    return tableOf(["", "0"], keys.length, (row) => [keys[row], values[row]]);
  }
  if (areTimes(keys)) {
    const names = namesOf(values);
    const cellsAt = (row: number) => names.map((name) => values[row]![name]);
    return tableOf(["", ...names], keys.length, (row) => [keys[row], ...cellsAt(row)]);
  }
  const index = namesOf(values);
  const cellsAt = (row: number) => values.map((column) => column[index[row]!]);
  if (areTimes(index)) {
    // Columns of one frame have a cell in each row. Others are curves of their own, or records.
    const isFrame = values.every((column) => isOfCells(column, index.length));
    if (!isFrame) return undefined;
    return tableOf(["", ...keys], index.length, (row) => [index[row], ...cellsAt(row)]);
  }
  const areNumbered = index.slice(0, 3).every((row) => /^\d{1,9}$/.test(row));
  return areNumbered ? tableOf(keys, index.length, cellsAt) : undefined;
}

function isOfCells(column: JsonObject, length: number): boolean {
  const cells = Object.values(column);
  return cells.length === length && !cells.some(isObject);
}

/** The members of all objects, in the order of their first occurrence. */
function namesOf(objects: readonly JsonObject[]): string[] {
  return [...new Set(objects.flatMap((object) => Object.keys(object)))];
}

function areTimes(names: readonly string[]): boolean {
  return names.length > 0 && names.slice(0, 3).every((name) => timeOf(name) !== undefined);
}

/** A table of the cells' texts. Every row has to have a cell for each name. */
export function tableOf(
  header: readonly unknown[],
  length: number,
  row: (index: number) => readonly unknown[],
): Table {
  if (header.length > COLUMNS_MAX || header.length * length > CELLS_MAX)
    throw new FileRefused("the JSON has too many cells: no export has so many");
  const rows = Array.from({ length }, (_, index) => row(index).map((cell) => cellText(cell)));
  const uneven = rows.findIndex((cells) => cells.length !== header.length);
  if (uneven >= 0) {
    throw new FileRefused(
      `row ${uneven + 1} has ${rows[uneven]!.length} cells, where there are ${header.length} columns`,
    );
  }
  return {
    header: header.map((name) => cellText(name)),
    rows,
    lines: rows.map((_, index) => index + 1),
    delimiter: ",",
  };
}
