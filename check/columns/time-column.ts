import { dateOfDay } from "../../quant/calendar.ts";
import type { Table } from "../formats/csv.ts";
import { isDate } from "../formats/times.ts";
import { readName } from "./name-role.ts";

/** Where the dates of a table are, after times of day and Excel's numbers were made dates. */
export interface DatedTable {
  readonly table: Table;
  /** Undefined where no column has dates. */
  readonly time: number | undefined;
  /** Columns that went into the dates. */
  readonly places: ReadonlySet<number>;
}

const CELLS_LOOKED_AT = 3;

/** The column of dates: the one that is called so, else the first that holds any. */
export function dated(table: Table): DatedTable {
  const isTime = (place: number) => readName(table.header[place]!).role === "time";
  const holdsDates = (place: number) => {
    const filled = table.rows.filter((row) => row[place]!.trim() !== "").slice(0, CELLS_LOOKED_AT);
    return filled.length > 0 && filled.every((row) => isDate(row[place]!));
  };
  const mayBe = [...table.header.keys()].filter((place) => {
    return ["time", "unknown"].includes(readName(table.header[place]!).role);
  });
  const found = mayBe.filter(holdsDates);
  const time = found.find(isTime) ?? found[0];
  if (time === undefined) return fromSerials(table, mayBe);
  const clock = clockOf(table, time);
  if (clock === undefined) return { table, time, places: new Set([time]) };
  const rows = table.rows.map((row) =>
    row.map((cell, place) => (place === time ? `${cell.trim()} ${row[clock]!.trim()}` : cell)),
  );
  return { table: { ...table, rows }, time, places: new Set([time, clock]) };
}

const CLOCK = /^\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/** A column of times of day beside one of dates without any. */
function clockOf(table: Table, time: number): number | undefined {
  if (table.rows.some((row) => row[time]!.includes(":"))) return undefined;
  const place = [...table.header.keys()].find((each) =>
    table.rows.every((row) => CLOCK.test(row[each]!.trim())),
  );
  return place === time ? undefined : place;
}

/** Excel's day 1 is 1 January 1900; its 29 February 1900 never was. */
const EXCEL_EPOCH_DAY = -25_569;
/** 1990 to 2100. */
const [SERIAL_MIN, SERIAL_MAX] = [32_874, 73_415];

/** Excel counts days; a spreadsheet without formats shows the numbers. */
function fromSerials(table: Table, mayBe: readonly number[]): DatedTable {
  const time = mayBe.find((place) => areSerials(table.rows.map((row) => row[place]!.trim())));
  if (time === undefined) return { table, time, places: new Set() };
  const rows = table.rows.map((row) =>
    row.map((cell, place) => (place === time ? serialDate(cell) : cell)),
  );
  return { table: { ...table, rows }, time, places: new Set([time]) };
}

function serialDate(cell: string): string {
  return /^\d{5}(\.0+)?$/.test(cell.trim()) ? dateOfDay(Number(cell) + EXCEL_EPOCH_DAY) : cell;
}

function areSerials(cells: readonly string[]): boolean {
  const days = cells.filter((cell) => /^\d{5}(\.0+)?$/.test(cell)).map(Number);
  if (days.length < 2 || days.length < cells.length - 1) return false; // the last may be a total
  const isRising = days[1]! > days[0]!;
  return days.every((day, row) => {
    const step = day - (days[row - 1] ?? NaN);
    const isNext = row === 0 || (isRising ? step > 0 : step < 0);
    return isNext && day >= SERIAL_MIN && day <= SERIAL_MAX;
  });
}
