import { median } from "../sample-statistics.ts";
import { dateOfDay } from "../calendar.ts";
import { PanelRefused, type CheckWarning, type Observations } from "./panel.ts";

export const DAY_SECONDS = 86_400;

/** Day of an instant, since 1970. */
export function dayOf(instant: number): number {
  return Math.floor(instant / DAY_SECONDS);
}

/** Whether Unix seconds lie in a year that files write, 1900 to 2200; milliseconds taken for seconds do not. */
export function isInstant(seconds: number): boolean {
  return seconds >= -25_567 * DAY_SECONDS && seconds < 84_371 * DAY_SECONDS;
}

/** `YYYY-MM-DD` of an instant, followed by the time of day if it is not midnight. */
export function instantText(instant: number): string {
  const day = dayOf(instant);
  const minutes = Math.floor((instant - day * DAY_SECONDS) / 60);
  if (minutes === 0) return dateOfDay(day);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${dateOfDay(day)} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/**
 * The rows in order of time, each instant once. Rows with the same instant must agree in every cell, because which
 * of two values is right can't be known. Several events at one instant are usual, and the last one counts.
 */
export function orderedRows(rows: Observations, warnings: CheckWarning[]): Observations {
  const { instants } = rows;
  const wrong = instants.find((instant) => !isInstant(instant));
  if (wrong !== undefined)
    throw new PanelRefused(`a time of ${wrong} s since 1970 is in no year from 1900 to 2200`);
  const sorted = orderByTime(instants, warnings);
  const order = sorted ?? [...instants.keys()];
  if (rows.events === true) {
    return pickRows(
      rows,
      order.filter((row, index) => instants[row] !== instants[order[index + 1] ?? -1]),
    );
  }
  const kept = distinct(order, rows);
  const duplicates = order.length - kept.length;
  if (duplicates > 0) {
    const message = `${duplicates} repeated rows agree with their first occurrence and count once`;
    warnings.push({ code: "repeated_rows", message });
  }
  return sorted === undefined && duplicates === 0 ? rows : pickRows(rows, kept);
}

/** The places of instants in order of time, and a warning. Undefined where they are in order. */
export function orderByTime(instants: Float64Array, warnings: CheckWarning[]) {
  let descending = 0;
  for (let row = 1; row < instants.length; row++)
    if (instants[row]! < instants[row - 1]!) descending++;
  if (descending === 0) return undefined;
  const newestFirst = descending >= 0.9 * (instants.length - 1);
  const how = newestFirst ? "come newest first" : "are not in order of time";
  warnings.push({ code: "sorted", message: `the rows ${how}; they were sorted by time` });
  return [...instants.keys()].sort((a, b) => instants[a]! - instants[b]! || a - b);
}

function distinct(order: readonly number[], rows: Observations): number[] {
  const kept: number[] = [];
  for (const row of order) {
    const before = kept.at(-1);
    if (before === undefined || rows.instants[before] !== rows.instants[row]) {
      kept.push(row);
      continue;
    }
    const differs = rows.columns.findIndex((column) => !Object.is(column[before], column[row]));
    if (differs < 0) continue;
    const { columns, names, lines, instants } = rows;
    const isOfRun =
      median(order.slice(1).map((at, index) => instants[at]! - instants[order[index]!]!)) < 60;
    const instead = isOfRun
      ? "if these are the times at which a program wrote the rows, write those of their bars"
      : "remove the wrong one";
    throw new PanelRefused(
      `${instantText(rows.instants[row]!)} occurs twice with different values: "${names[differs]!}" is ` +
        `${cellText(columns[differs]![before]!)} on line ${lines[before]!} and ` +
        `${cellText(columns[differs]![row]!)} on line ${lines[row]!}; ${instead}`,
    );
  }
  return kept;
}

const cellText = (value: number) => (Number.isNaN(value) ? "empty" : String(value));

export function pickRows(rows: Observations, kept: readonly number[]): Observations {
  const pick = (column: Float64Array) => Float64Array.from(kept, (row) => column[row]!);
  return {
    ...rows,
    instants: pick(rows.instants),
    lines: Int32Array.from(kept, (row) => rows.lines[row]!),
    columns: rows.columns.map(pick),
    ...(rows.market === undefined ? {} : { market: pick(rows.market) }),
  };
}
