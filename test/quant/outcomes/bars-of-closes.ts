import type { Bars } from "../../../quant/bars.ts";
import { dayOfDate } from "../../../quant/calendar.ts";

/** Bars from hand-written closes: open, high and low of each day equal its close. */
export function barsOfCloses(firstDate: string, closes: readonly number[]): Bars {
  const firstDay = dayOfDate(firstDate)!;
  const column = Float64Array.from(closes);
  return {
    day: Int32Array.from(closes, (_, row) => firstDay + row),
    open: column,
    high: column,
    low: column,
    close: column,
    volume: column.map(() => 1),
  };
}
