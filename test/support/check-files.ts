import { csv } from "./live-files.ts";

/** A CSV of daily returns from a day on, with columns `v0`, `v1`, ... */
export function returnsCsv(firstDay: number, columns: readonly Float64Array[]): string {
  return csv(
    columns.map((_, at) => `v${at}`),
    columns,
    firstDay,
  );
}

/** 40 trades of a file that does not name the capital. */
export const TRADES_CSV = `opened_at,closed_at,PNL,holding_period\n${Array.from(
  { length: 40 },
  (_, row) => {
    const day = 1_577_836_800_000 + row * 432e6;
    return `${day},${day + 172_800_000},${row % 3 === 0 ? -90 : 100},1`;
  },
).join("\n")}\n`;
