import { OF_STRATEGY, readName } from "../columns/name-role.ts";
import { CELLS_MAX, COLUMNS_MAX, type Table } from "./csv.ts";
import { FileRefused } from "./export.ts";
import type { NamedTable } from "./first-readable.ts";
import { isObject, textMember, type Json } from "./json.ts";
import { withoutRowNumbers } from "./generic.ts";
import { jsonTable, tableOf } from "./json-table.ts";
import { numberOf } from "./numbers.ts";
import { isDate, isTimeColumn, timeOf } from "./times.ts";

/** A table within JSON and the members that lead to it. */
interface Found {
  readonly path: readonly string[];
  readonly table: Table;
}

/** One of times and numbers. */
interface Curve {
  readonly timeName: string;
  /** The members that lead to each column of numbers. */
  readonly paths: readonly (readonly string[])[];
  /** By time: its text, and the cells beside it. */
  readonly rowAt: ReadonlyMap<number, readonly string[]>;
}

/** Members within members, and no deeper: a file can nest them until the stack ends. */
const DEPTH_MAX = 5;
/** Lists of records with a longer list within each are of series, not of rows. */
const SERIES_MIN = 10;
/** Groups of curves over other days than the rest. */
const GROUPS_MAX = 50;
/** Share of the longer one's days that two curves have in common, from which they form one table. */
const SHARED_MIN = 0.9;
/** Names that say nothing of a value: then the member above is its name. */
const ANY_VALUE = /^(values?|v|y|data|0)$/i;

/**
 * The tables within JSON: lists of records, lists of pairs, lists of times beside lists of values, and values by time.
 * Curves of the same days make one table, so that an equity is beside its benchmark and its drawdown, and come
 * first. A column is called by the member that tells it from the others.
 */
export function jsonTables(json: Json): readonly NamedTable[] {
  const groups: Curve[][] = [];
  const others: Found[] = [];
  for (const found of tablesIn(json, [])) {
    const curve = curveOf(found);
    const group = curve && groups.find(([first]) => shared(curve, first!) >= SHARED_MIN);
    if (curve === undefined) others.push(found);
    else if (group === undefined) groups.push([curve]);
    else group.push(curve);
    if (groups.length > GROUPS_MAX) throw new FileRefused("the JSON has too many curves");
  }
  const curves = groups.map(oneTable).toSorted((a, b) => orderOf(b) - orderOf(a));
  return [
    ...curves,
    ...others.map(({ path, table }) => ({ name: path.join(".") || "the whole", table })),
  ];
}

/** Prices can be more, and of other days: what is called like a strategy's comes first, then the longest. */
function orderOf({ table: { header, rows } }: NamedTable): number {
  const isOfStrategy = header.some((name) => OF_STRATEGY.has(readName(name).role));
  return rows.length + (isOfStrategy ? CELLS_MAX : 0);
}

/** Times with their name. */
type Times = readonly [name: string, list: readonly Json[]];

function* tablesIn(value: Json, path: readonly string[], above?: Times): Generator<Found> {
  if (typeof value !== "object" || value === null || path.length > DEPTH_MAX) return;
  const table = Array.isArray(value) ? listTable(value as readonly Json[]) : jsonTable(value);
  if (table !== undefined && table.rows.length > (path.length === 0 ? 0 : 1)) {
    yield { path, table };
    return;
  }
  if (Array.isArray(value) && value.length > COLUMNS_MAX) return; // more than a table has columns
  const members = Object.entries(value) as [string, Json][];
  const lists = members.filter((pair): pair is [string, readonly Json[]] => isColumn(pair[1]));
  const times = lists.find(([, list]) => areTimes(list)) ?? above;
  const length = times?.[1].length;
  const columns = lists.filter((list) => list !== times && list[1].length === length);
  if (times !== undefined && columns.length > 0) {
    const names = [times, ...columns].map(([name]) => name);
    const row = (place: number) => [times, ...columns].map(([, list]) => list[place]);
    yield { path, table: tableOf(names, times[1].length, row) };
  }
  for (const [key, member] of members) {
    const said = textMember(member, "name") ?? textMember(member, "label") ?? key;
    const name = Array.isArray(value) ? said : key;
    if (!isColumn(member)) yield* tablesIn(member, [...path, name], times);
  }
}

/** A list of cells, which is a column of a table. */
function isColumn(value: Json): boolean {
  return (
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((cell) => typeof cell !== "object" || cell === null)
  );
}

/** Times rise, as a curve of large amounts doesn't. */
function areTimes(list: readonly Json[]): boolean {
  const isTime = (cell: Json) =>
    (typeof cell === "string" || typeof cell === "number") && isDate(String(cell));
  if (!list.slice(0, 3).every(isTime)) return false;
  return list.every(
    (cell, place) => typeof cell === "string" || place === 0 || cell! > list[place - 1]!,
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
  const width = body[0]?.length ?? 0;
  if (width < 2 || !areTimes(body.slice(0, 3).map(([time]) => time ?? null))) return undefined;
  const names = isNamed
    ? rows[0]!
    : ["", ...(width > 2 ? body[0]!.slice(1).map((_, place) => place + 1) : [0])];
  return tableOf(names, body.length, (row) => body[row]!);
}

/** Undefined where a time is missing or repeated, or anything but numbers is beside the times. */
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
  const paths = names.map((name) => (name === "0" ? path : [...path, name])); // a series' only one
  return { timeName: table.header[time]!, paths, rowAt };
}

function shared({ rowAt }: Curve, { rowAt: other }: Curve): number {
  let both = 0;
  for (const time of rowAt.keys()) if (other.has(time)) both++;
  return both / Math.max(rowAt.size, other.size);
}

function oneTable(curves: readonly Curve[]): NamedTable {
  const times = new Set(curves.flatMap(({ rowAt }) => [...rowAt.keys()]));
  const ordered = curves.length === 1 ? [...times] : [...times].sort((a, b) => a - b);
  const rows = ordered.map((at) => {
    const found = curves.map(({ rowAt }) => rowAt.get(at));
    const cells = curves.flatMap(
      ({ paths }, place) => found[place]?.slice(1) ?? paths.map(() => ""),
    );
    return [found.find((row) => row !== undefined)![0], ...cells]; // the time is of one of them
  });
  const names = columnNames(curves.flatMap(({ paths }) => paths));
  const table = tableOf([curves[0]!.timeName, ...names], rows.length, (place) => rows[place]!);
  return { name: names.join(", "), table };
}

/** The last member of each path that tells it from the others, or all that do. */
function columnNames(paths: readonly (readonly string[])[]): string[] {
  const isShared = (part: string) => paths.length > 1 && paths.every((path) => path.includes(part));
  const own = paths.map((path) => {
    const parts = path.filter((part) => !isShared(part));
    return parts.length > 1 && ANY_VALUE.test(parts.at(-1)!) ? parts.slice(0, -1) : parts;
  });
  const last = own.map((parts, place) => parts.at(-1) ?? paths[place]!.at(-1) ?? "0");
  const repeated = new Set(last.filter((name, place) => last.indexOf(name) !== place));
  return last.map((name, place) => (repeated.has(name) ? own[place]!.join(" ") : name));
}
