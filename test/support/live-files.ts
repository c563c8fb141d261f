import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import { L3, P } from "../quant/live/series.ts";

const FIRST = dayOfDate("2022-01-08")!;

/** A backtest of five variants, its live days, and both in one file, as CSV. */
export function liveFiles() {
  const names = P.map((_, place) => `v${place}`);
  const bars = P[0]!.length;
  const whole = P.map((column, place) =>
    Float64Array.from([...column, ...(place === 0 ? L3 : L3.map((value) => value / 2))]),
  );
  return {
    backtest: csv(names, P, FIRST),
    live: csv(["returns"], [L3], FIRST + bars),
    both: csv(names, whole, FIRST),
  };
}

/** Daily returns as CSV, from a first day on. */
export function csv(names: readonly string[], columns: readonly Float64Array[], first: number) {
  const rows = Array.from(columns[0]!, (_, row) =>
    [dateOfDay(first + row), ...columns.map((column) => column[row])].join(","),
  );
  return `date,${names.join(",")}\n${rows.join("\n")}\n`;
}
