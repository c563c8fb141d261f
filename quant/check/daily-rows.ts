import { DAY_SECONDS, dayOf, pickRows } from "./ordered-rows.ts";
import type { Observations } from "./panel.ts";

/**
 * One row for each UTC day that the rows touch, at the day's midnight: the last value of an equity curve, or the
 * compounded returns of the day. Events also have the days between them, on which the last value holds; `filled` is
 * the number of those days.
 */
export function dailyRows(rows: Observations) {
  if (rows.kind === "returns") return { rows: compounded(rows), filled: 0 };
  const { instants } = rows;
  const last = [...instants.keys()].filter(
    (row) => row + 1 === instants.length || dayOf(instants[row]!) !== dayOf(instants[row + 1]!),
  );
  if (rows.events === true) {
    const held = heldRows(last, instants);
    const first = dayOf(instants[0]!);
    const days = Float64Array.from(held, (_, index) => (first + index) * DAY_SECONDS);
    return { rows: { ...pickRows(rows, held), instants: days }, filled: held.length - last.length };
  }
  // The first of several values on the first day is what the account began with, as if at the close before.
  const kept = last[0]! > 0 ? [0, ...last] : last;
  const days = Float64Array.from(kept, (row) => dayOf(instants[row]!) * DAY_SECONDS);
  if (kept.length > last.length) days[0]! -= DAY_SECONDS;
  return { rows: { ...pickRows(rows, kept), instants: days }, filled: 0 };
}

/** For each day from the first to the last, the row that holds on it. */
function heldRows(last: readonly number[], instants: Float64Array): number[] {
  return last.flatMap((row, index) => {
    const next = last[index + 1];
    const days = next === undefined ? 1 : dayOf(instants[next]!) - dayOf(instants[row]!);
    return Array<number>(days).fill(row);
  });
}

/** An empty cell counts as no return, unless the whole day is empty. */
function compounded(rows: Observations): Observations {
  const { instants, columns } = rows;
  const first = [...instants.keys()].filter(
    (row) => row === 0 || dayOf(instants[row]!) !== dayOf(instants[row - 1]!),
  );
  // A thousand variants take 12 MB: not copied without need.
  const isDaily = first.length === instants.length;
  if (isDaily && instants.every((instant) => instant % DAY_SECONDS === 0)) return rows;
  const days = columns.map((column) =>
    Float64Array.from(first, (from, index) => {
      const to = first[index + 1] ?? column.length;
      let growth = 1;
      let known = 0;
      for (let row = from; row < to; row++) {
        if (Number.isNaN(column[row])) continue;
        growth *= 1 + column[row]!;
        known++;
      }
      if (known === 0) return NaN;
      return known === 1 && to - from === 1 ? column[from]! : growth - 1;
    }),
  );
  return {
    ...rows,
    instants: Float64Array.from(first, (row) => dayOf(instants[row]!) * DAY_SECONDS),
    lines: Int32Array.from(first, (row) => rows.lines[row]!),
    columns: days,
  };
}
