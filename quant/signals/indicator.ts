import type { Bars } from "../bars.ts";
import type { IndicatorColumn, IndicatorColumns } from "../indicators/columns.ts";
import { exceeds, signalled, type Score, type Signalled } from "./signal.ts";

/** A coin at the close of a day. */
export interface Day {
  readonly close: number;
  /** The value of a column on the day, or some days before. NaN in the warm-up and before the first row. */
  readonly at: (column: IndicatorColumn, daysBack?: number) => number;
  /** Whether a price, or a difference of prices, is above another by more than rounding. */
  readonly isAbove: (price: number, other: number) => boolean;
}

export function dayOf(bars: Bars, columns: IndicatorColumns, row: number): Day {
  const close = bars.close[row]!;
  return {
    close,
    at: (column, daysBack = 0) => columns[column][row - daysBack] ?? NaN,
    isAbove: (price, other) => exceeds(price, other, close),
  };
}

/** An indicator of a reading: its values on a day, and the score of its own signal. */
export interface Indicator<Values> {
  readonly values: (day: Day) => Values;
  readonly score: (day: Day) => Score;
}

/** An indicator whose values are columns. */
export function lines<Name extends string>(
  columns: Readonly<Record<Name, IndicatorColumn>>,
  score: (day: Day) => Score,
): Indicator<Record<Name, number>> {
  const named = Object.entries<IndicatorColumn>(columns);
  return {
    values: ({ at }) =>
      Object.fromEntries(named.map(([name, column]) => [name, at(column)])) as Record<Name, number>,
    score,
  };
}

/** An indicator of a single column. Its score is made from the column's value on the day. */
export function line(column: IndicatorColumn, score: (value: number, day: Day) => Score) {
  return lines({ value: column }, (day) => score(day.at(column), day));
}

type Indicators = Readonly<Record<string, Indicator<object>>>;

/** Values and signal of each indicator by its name; null for one without the history for all of them. */
export type Readings<Of extends Indicators> = {
  readonly [Name in keyof Of]: Signalled<ReturnType<Of[Name]["values"]>>;
};

export function readingsOf<Of extends Indicators>(indicators: Of, day: Day): Readings<Of> {
  const readings = Object.entries(indicators).map(([name, { values, score }]) => [
    name,
    signalled(values(day), score(day)),
  ]);
  return Object.fromEntries(readings) as Readings<Of>;
}

export function scoresOf<Of extends Indicators>(indicators: Of, day: Day): Record<keyof Of, Score> {
  const scores = Object.entries(indicators).map(([name, { score }]) => [name, score(day)]);
  return Object.fromEntries(scores) as Record<keyof Of, Score>;
}
