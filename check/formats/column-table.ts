import { dateOfDay } from "../../quant/calendar.ts";
import type { Table } from "./csv.ts";
import { FileRefused } from "./export.ts";

export interface NamedColumn {
  readonly name: string;
  readonly cells: readonly unknown[];
}

const CELLS_MAX = 30_000_000;

/**
 * The columns of a Parquet or Arrow file as the table that a CSV of it would be, so that every format is recognised
 * in both. Numbers are written with all their digits. pandas keeps the index as an ordinary last column; it comes
 * first here.
 */
export function columnTable(columns: readonly NamedColumn[], index: readonly string[]): Table {
  const first = columns.filter(({ name }) => index.includes(name));
  const ordered = [...first, ...columns.filter(({ name }) => !index.includes(name))];
  const rows = ordered[0]?.cells.length ?? 0;
  if (rows * ordered.length > CELLS_MAX) throw new FileRefused("the file has too many cells");
  return {
    header: ordered.map(({ name }) => (/^__index_level_\d+__$/.test(name) ? "" : name)),
    rows: Array.from({ length: rows }, (_, row) =>
      ordered.map(({ cells }) => cellText(cells[row])),
    ),
    lines: Array.from({ length: rows }, (_, row) => row + 2),
    delimiter: ",",
  };
}

/** Names of the index columns in pandas' metadata. */
export function pandasIndex(metadata: string | undefined): readonly string[] {
  if (metadata === undefined) return [];
  try {
    const { index_columns: names } = JSON.parse(metadata) as { index_columns?: unknown };
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return []; // somebody else's metadata
  }
}

/** A value as a CSV of it would write it; a list is written as Python's tuple, as in a column of parameters. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return timeText(value.getTime());
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
    return String(value);
  }
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `(${value.map(cellText).join(", ")})`;
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "bigint" ? String(part) : part,
  );
}

/** `YYYY-MM-DD HH:MM:SS` of milliseconds since 1970. */
export function timeText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const day = Math.floor(seconds / 86_400);
  const rest = seconds - 86_400 * day;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${dateOfDay(day)} ${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
}
