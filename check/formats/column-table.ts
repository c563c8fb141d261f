import { dateOfDay } from "../../quant/calendar.ts";
import { CELLS_MAX, COLUMNS_MAX, type Table } from "./csv.ts";
import { FileRefused, TooLarge } from "./export.ts";
import { listMember, member, textMember, type Json } from "./json.ts";
import { zoneOffset } from "./times.ts";

export interface NamedColumn {
  /** A file can leave a name out. */
  readonly name: string | null | undefined;
  readonly cells: readonly unknown[];
}

/** Fewer cells than this are always accepted: a column of one repeated value can be stored in a few bytes. */
const CELLS_FREE = 2_000_000;
const CELLS_PER_BYTE_MAX = 100;

/**
 * Refuses a file with more cells than the limit, or more than its bytes can hold, since the number of rows may be damaged.
 * Called before a cell is decoded.
 */
export function checkCells(cells: number, { length }: Uint8Array, cellsMax: number): void {
  const most = Math.min(CELLS_MAX, Math.max(CELLS_FREE, CELLS_PER_BYTE_MAX * length));
  if (!(cells <= most))
    throw new FileRefused(
      `the file names ${cells} cells in ${length} bytes: no export has so many`,
    );
  if (cells > cellsMax) throw new TooLarge(`the file has ${cells} cells, more than ${cellsMax}`);
}

/**
 * The columns of a Parquet or Arrow file as the table that a CSV of it would be, so that every format is recognised
 * in both. Numbers are written with all their digits. pandas keeps the index as an ordinary last column, which comes
 * first here, and its times in UTC; a midnight of the zone is written as one again.
 */
export function columnTable(read: readonly NamedColumn[], pandas: string | undefined): Table {
  const columns = read.map(({ name, cells }) => ({ name: name ?? "", cells }));
  const { index, zones } = pandasMetadata(pandas);
  const first = columns.filter(({ name }) => index.includes(name));
  const ordered = [...first, ...columns.filter(({ name }) => !index.includes(name))].map(
    ({ name, cells }) => ({ name, cells: inZone(cells, zones.get(name)) }),
  );
  const rows = ordered[0]?.cells.length ?? 0;
  if (ordered.length > COLUMNS_MAX || rows * ordered.length > CELLS_MAX)
    throw new FileRefused("the file has too many cells");
  return {
    header: ordered.map(({ name }) => (/^__index_level_\d+__$/.test(name) ? "" : name)),
    rows: Array.from({ length: rows }, (_, row) =>
      ordered.map(({ cells }) => cellText(cells[row])),
    ),
    lines: Array.from({ length: rows }, (_, row) => row + 2),
    delimiter: ",",
  };
}

interface PandasMetadata {
  /** Names of the index columns. */
  readonly index: readonly string[];
  /** Zones of the columns of times that have one. */
  readonly zones: ReadonlyMap<string, string>;
}

function pandasMetadata(text: string | undefined): PandasMetadata {
  const json = text === undefined ? undefined : maybeJson(text);
  const names = listMember(json, "index_columns") ?? [];
  const zones = (listMember(json, "columns") ?? []).flatMap((column) => {
    const zone = textMember(member(column, "metadata"), "timezone");
    const name = textMember(column, "field_name");
    return zone === undefined || zone === "UTC" || name === undefined
      ? []
      : [[name, zone] as const];
  });
  return { index: names.filter((name) => typeof name === "string"), zones: new Map(zones) };
}

function maybeJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // another program's metadata
  }
}

/** Times with the clock of the zone and their distance from UTC. */
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

/** Parameters of parameters, and no deeper: a file can nest lists until the stack ends. */
const DEPTH_MAX = 2;

/** A value as a CSV of it would write it; a list is written as Python's tuple, as in a column of parameters. */
export function cellText(value: unknown): string {
  return textAt(value, 0);
}

function textAt(value: unknown, depth: number): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return timeText(value.getTime());
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
    return String(value);
  }
  if (typeof value === "string") return value;
  if (depth > DEPTH_MAX) return "(...)";
  if (!Array.isArray(value)) {
    const members = Object.entries(value).map(
      ([name, part]) => `${name}: ${textAt(part, depth + 1)}`,
    );
    return `{${members.join(", ")}}`;
  }
  return `(${value.map((part) => textAt(part, depth + 1)).join(", ")})`;
}

const two = (value: number) => String(value).padStart(2, "0");

/** `YYYY-MM-DD HH:MM:SS` of milliseconds since 1970; a number that is no time of any year is none here, either. */
function timeText(milliseconds: number): string {
  if (Number.isNaN(milliseconds)) return "a time out of range";
  const seconds = Math.floor(milliseconds / 1000);
  const day = Math.floor(seconds / 86_400);
  const rest = seconds - 86_400 * day;
  return `${dateOfDay(day)} ${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
}
