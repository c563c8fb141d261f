import { FileRefused } from "../../files/refused.ts";
import type { NamedTable } from "../../files/sheet-table.ts";
import { cellText } from "../../files/column-table.ts";
import { OF_STRATEGY, readName } from "../columns/name-role.ts";
import { CELLS_MAX, COLUMNS_MAX, type Table } from "../../files/csv.ts";
import { withoutRowNumbers } from "./generic.ts";
import { isObject, textMember, type Json } from "../../files/json.ts";
import { jsonTable, tableOf } from "../../files/json-table.ts";
import { numberOf } from "../../files/numbers.ts";
import { isDate, isTimeColumn, timeOf } from "../../files/times.ts";

/** A table within JSON, and the members that lead to it. */
interface Found {
  readonly path: readonly string[];
  readonly table: Table;
}

/** A table of times and numbers. */
interface Curve {
  readonly timeName: string;
  /** The members that lead to each column of numbers. */
  readonly paths: readonly (readonly string[])[];
  /** Rows by their time, each with the time as it is written. */
  readonly rowAt: ReadonlyMap<number, readonly string[]>;
}

/** Tables are looked for to this depth, because a file can nest members until the stack ends. */
const DEPTH_MAX = 5;
/** A list of records is one of series, and not of rows, where a record holds a list of this length. */
const SERIES_MIN = 10;
/** The most groups of curves over different days. */
const GROUPS_MAX = 50;
/** Two curves form one table where they share this part of the longer one's days. */
const SHARED_MIN = 0.9;
/** Names that say nothing about a value, which is then called by the member above. */
const ANY_VALUE = /^(values?|v|y|data|0)$/i;

/**
 * The tables within JSON: lists of records, lists of pairs, lists of times beside lists of values, and values by time.
 * Curves over the same days make one table, so that an equity stands beside its benchmark and its drawdown, and come
 * first. A column is called by the member that tells it from the others.
 */
export function jsonTables(json: Json): readonly NamedTable[] {
  const groups: Curve[][] = [];
  const others: NamedTable[] = [];
  for (const { path, table } of tablesIn(json, [])) {
    const curve = curveOf({ path, table });
    const group = curve && groups.find(([first]) => shared(curve, first!) >= SHARED_MIN);
    if (curve === undefined) others.push({ name: path.join(".") || "the whole", table });
    else if (group === undefined) groups.push([curve]);
    else group.push(curve);
    if (groups.length > GROUPS_MAX) throw new FileRefused("the JSON has too many curves");
  }
  return [...groups.map(oneTable).toSorted((a, b) => orderOf(b) - orderOf(a)), ...others];
}

/** A table with a column of a strategy comes first, then the longest. Tables of prices may be longer. */
function orderOf({ table: { header, rows } }: NamedTable): number {
  const isOfStrategy = header.some((name) => OF_STRATEGY.has(readName(name).role));
  return rows.length + (isOfStrategy ? CELLS_MAX : 0);
}

/** A list of times and its name. */
type Times = readonly [name: string, list: readonly Json[]];

function* tablesIn(value: Json, path: readonly string[], above?: Times): Generator<Found> {
  if (typeof value !== "object" || value === null || path.length > DEPTH_MAX) return;
  const table = Array.isArray(value) ? listTable(value as readonly Json[]) : jsonTable(value);
  if (table !== undefined && table.rows.length > (path.length === 0 ? 0 : 1)) {
    yield { path, table };
    return;
  }
  if (Array.isArray(value) && value.length > COLUMNS_MAX) return; // no table has as many columns
  const members = Object.entries(value) as [string, Json][];
  const lists = members.filter((pair): pair is [string, readonly Json[]] => isColumn(pair[1]));
  const dated = lists.find(([, list]) => areTimes(list)) ?? above;
  const others = lists.filter((list) => list !== dated);
  const isOneLonger = others.some(([, list]) => list.length - 1 === dated?.[1].length);
  const times = isOneLonger ? withStart(dated!) : dated;
  const length = times?.[1].length;
  const columns = others.filter((list) => list[1].length === length);
  if (times !== undefined && columns.length > 0) {
    const all = [times, ...columns];
    const row = (index: number) => all.map(([, list]) => list[index]);
    const names = all.map(([name]) => name);
    yield { path, table: tableOf(names, times[1].length, row) };
  }
  for (const [key, member] of members) {
    if (isColumn(member)) continue;
    const said = textMember(member, "name") ?? textMember(member, "label") ?? key;
    yield* tablesIn(member, [...path, Array.isArray(value) ? said : key], times);
  }
}

/** The times with one more before them, of the value that curves of returns begin with. */
function withStart([name, list]: Times): Times {
  const [first, second] = list.slice(0, 2).map((cell) => timeOf(cellText(cell))?.seconds ?? NaN);
  const start = new Date(1000 * (2 * first! - second!)); // there are two
  return Number.isNaN(start.getTime()) ? [name, list] : [name, [start.toISOString(), ...list]];
}

/** Whether a value is a list of cells, and so a column of a table. */
function isColumn(value: Json): boolean {
  const isCell = (cell: Json) => typeof cell !== "object" || cell === null;
  return Array.isArray(value) && value.length > 1 && value.every(isCell);
}

/** Whether a list is of times. Numbers have to rise, as those of a curve of large amounts don't. */
function areTimes(list: readonly Json[]): boolean {
  const isTime = (cell: Json) =>
    (typeof cell === "string" || typeof cell === "number") && isDate(String(cell));
  if (!list.slice(0, 3).every(isTime)) return false;
  return list.every(
    (cell, index) => typeof cell === "string" || index === 0 || cell! > list[index - 1]!,
  );
}

/** Records, or rows of a time and values, with or without a row of names. */
function listTable(list: readonly Json[]): Table | undefined {
  const holdsSeries = (record: Json) =>
    isObject(record) &&
    Object.values(record).some((cell) => Array.isArray(cell) && cell.length >= SERIES_MIN);
  if (list.some(holdsSeries)) return undefined;
  if (!list.every((row) => Array.isArray(row))) return jsonTable(list);
  const rows = list as readonly (readonly Json[])[];
  const isNamed = rows[0]?.every((cell) => typeof cell === "string" && !isDate(cell)) === true;
  const body = isNamed ? rows.slice(1) : rows;
  const [first = []] = body;
  if (first.length < 2 || !areTimes(body.slice(0, 3).map(([time]) => time ?? null)))
    return undefined;
  const numbered = first.length > 2 ? first.slice(1).map((_, index) => index + 1) : [0];
  return tableOf(isNamed ? rows[0]! : ["", ...numbered], body.length, (row) => body[row]!);
}

/** Undefined where a time is missing or repeated, or anything but numbers stands beside the times. */
function curveOf({ path, table: found }: Found): Curve | undefined {
  const table = withoutRowNumbers(found);
  const time = table.header.findIndex((_, column) => isTimeColumn(table, column));
  const others = [...table.header.keys()].filter((column) => column !== time);
  const rowAt = new Map<number, readonly string[]>();
  for (const row of table.rows) {
    const at = timeOf(row[time] ?? "")?.seconds;
    const cells = others.map((column) => row[column]!);
    const areNumbers = cells.every((cell) => numberOf(cell, ".") !== undefined);
    if (at === undefined || rowAt.has(at) || !areNumbers) return undefined;
    rowAt.set(at, [row[time]!, ...cells]);
  }
  const names = others.map((column) => table.header[column]!);
  const paths = names.map((name) => (name === "0" ? path : [...path, name])); // the only column of a series
  return { timeName: table.header[time]!, paths, rowAt };
}

function shared({ rowAt }: Curve, { rowAt: other }: Curve): number {
  const both = [...rowAt.keys()].filter((time) => other.has(time)).length;
  return both / Math.max(rowAt.size, other.size);
}

function oneTable(curves: readonly Curve[]): NamedTable {
  const times = [...new Set(curves.flatMap(({ rowAt }) => [...rowAt.keys()]))];
  const ordered = curves.length === 1 ? times : times.sort((a, b) => a - b);
  const rows = ordered.map((at) => {
    const found = curves.map(({ rowAt }) => rowAt.get(at));
    const cells = curves.flatMap(
      ({ paths }, index) => found[index]?.slice(1) ?? paths.map(() => ""),
    );
    return [found.find((row) => row !== undefined)![0], ...cells]; // the time is of one of them
  });
  const names = columnNames(curves.flatMap(({ paths }) => paths));
  const table = tableOf([curves[0]!.timeName, ...names], rows.length, (index) => rows[index]!);
  return { name: names.join(", "), table };
}

/** The last member of each path that tells it from the others, or all such members where that is repeated. */
function columnNames(paths: readonly (readonly string[])[]): string[] {
  const isShared = (part: string) => paths.length > 1 && paths.every((path) => path.includes(part));
  const own = paths.map((path) => {
    const parts = path.filter((part) => !isShared(part));
    return parts.length > 1 && ANY_VALUE.test(parts.at(-1)!) ? parts.slice(0, -1) : parts;
  });
  const last = own.map((parts, index) => parts.at(-1) ?? paths[index]!.at(-1) ?? "0");
  const repeated = new Set(last.filter((name, index) => last.indexOf(name) !== index));
  return last.map((name, index) => (repeated.has(name) ? own[index]!.join(" ") : name));
}
