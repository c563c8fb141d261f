import { dateOfDay } from "../../quant/calendar.ts";

/** A CSV of daily returns from a day on, with columns `v0`, `v1`, ... */
export function returnsCsv(firstDay: number, columns: readonly Float64Array[]): string {
  const rows = Array.from(columns[0]!, (_, row) =>
    [dateOfDay(firstDay + row), ...columns.map((column) => column[row]!)].join(","),
  );
  return [`date,${columns.map((_, at) => `v${at}`).join(",")}`, ...rows].join("\n");
}

/** 40 trades of a file that does not name the capital. */
export const TRADES_CSV = `opened_at,closed_at,PNL,holding_period\n${Array.from(
  { length: 40 },
  (_, row) => {
    const day = 1_577_836_800_000 + row * 432e6;
    return `${day},${day + 172_800_000},${row % 3 === 0 ? -90 : 100},1`;
  },
).join("\n")}\n`;
