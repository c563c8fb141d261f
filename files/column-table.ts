import { FileRefused, TooLarge } from "./refused.ts";
import { dateOfDay } from "../quant/calendar.ts";
import { CELLS_MAX, COLUMNS_MAX, type Table } from "./csv.ts";
import { listMember, member, textMember, type Json } from "./json.ts";
import { zoneOffset } from "./times.ts";

export interface NamedColumn {
  /** A file may leave a name out. */
  readonly name: string | null | undefined;
  readonly cells: readonly unknown[];
}

/** A file may have this many cells whatever its size, since a repeated value can be stored in a few bytes. */
const CELLS_FREE = 2_000_000;
const CELLS_PER_BYTE_MAX = 100;

/**
 * Refuses a file of more cells than the limit, or than its bytes can hold, because the number of rows may be damaged. It
 * is called before any cell is decoded.
 */
export function checkCells(
  columns: number,
  rows: number,
  { length }: Uint8Array,
  cellsMax: number,
): void {
  if (columns > COLUMNS_MAX)
    throw new FileRefused(`the file has more than ${COLUMNS_MAX} columns: no export has so many`);
  const cells = columns * rows;
  const most = Math.min(CELLS_MAX, Math.max(CELLS_FREE, CELLS_PER_BYTE_MAX * length));
  if (!(cells <= most))
    throw new FileRefused(
      `the file names ${cells} cells in ${length} bytes: no export has so many`,
    );
  if (cells > cellsMax) throw new TooLarge(`the file has ${cells} cells, more than ${cellsMax}`);
}

/**
 * The columns of a Parquet or Arrow file as the table that a CSV of it would be, so that formats are recognised in it,
 * too. Numbers keep all their digits. pandas stores the index as the last column, which comes first here, and its times in
 * UTC, which are written in their zone here so that midnights are midnights again.
 */
export function columnTable(read: readonly NamedColumn[], pandas: string | undefined): Table {
  const { index, zones } = pandasMetadata(pandas);
  const columns = read.map(({ name, cells }) => ({
    name: name ?? "",
    cells: inZone(cells, zones.get(name ?? "")),
  }));
  const isIndex = ({ name }: { readonly name: string }) => index.includes(name);
  const ordered = [...columns.filter(isIndex), ...columns.filter((column) => !isIndex(column))];
  const rows = ordered[0]?.cells.length ?? 0;
  return {
    header: ordered.map(({ name }) => (/^__index_level_\d+__$/.test(name) ? "" : name)),
    rows: Array.from({ length: rows }, (_, row) =>
      ordered.map(({ cells }) => cellText(cells[row])),
    ),
    lines: Array.from({ length: rows }, (_, row) => row + 2),
    delimiter: ",",
  };
}

/** The names of the index columns, and the zones of columns of times that have one. */
function pandasMetadata(text: string | undefined) {
  const json = text === undefined ? undefined : maybeJson(text);
  const names = listMember(json, "index_columns") ?? [];
  const zones = new Map<string, string>();
  for (const column of listMember(json, "columns") ?? []) {
    const zone = textMember(member(column, "metadata"), "timezone");
    const name = textMember(column, "field_name");
    if (zone !== undefined && zone !== "UTC" && name !== undefined) zones.set(name, zone);
  }
  return { index: names.filter((name) => typeof name === "string"), zones };
}

function maybeJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // another program's metadata
  }
}

/** Times by the clock of a zone, each with its distance from UTC. */
function inZone(cells: readonly unknown[], zone: string | undefined): readonly unknown[] {
  if (zone === undefined) return cells;
  const offset = zoneOffset(zone);
  return cells.map((value) => {
    if (!(value instanceof Date)) return value;
    const ahead = offset(value.getTime() / 1000);
    const minutes = Math.abs(Math.round(ahead / 60));
    const text = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
    return `${timeText(value.getTime() + 1000 * ahead)}${ahead < 0 ? "-" : "+"}${text}`;
  });
}

/** Lists within lists are written to this depth, because a file can nest them until the stack ends. */
const DEPTH_MAX = 2;

/** A value as a CSV would have it. Lists are written as Python's tuples, as in a column of parameters. */
export function cellText(value: unknown, depth = 0): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return timeText(value.getTime());
  if (typeof value !== "object") return String(value as string | number | bigint | boolean);
  if (depth > DEPTH_MAX) return "(...)";
  if (Array.isArray(value)) return `(${value.map((part) => cellText(part, depth + 1)).join(", ")})`;
  const members = Object.entries(value).map(
    ([name, part]) => `${name}: ${cellText(part, depth + 1)}`,
  );
  return `{${members.join(", ")}}`;
}

const two = (value: number) => String(value).padStart(2, "0");

/** `YYYY-MM-DD HH:MM:SS` of milliseconds since 1970. The result isn't a time where the year is out of range. */
function timeText(milliseconds: number): string {
  if (Number.isNaN(milliseconds)) return "a time out of range";
  const seconds = Math.floor(milliseconds / 1000);
  const day = Math.floor(seconds / 86_400);
  const rest = seconds - 86_400 * day;
  return `${dateOfDay(day)} ${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
}
