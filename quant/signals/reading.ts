import type { Bars } from "../bars.ts";
import type { IndicatorColumns } from "../indicators/columns.ts";
import { AVERAGES, EMA, SMA } from "./averages.ts";
import { dayOf, readingsOf, type Day } from "./indicator.ts";
import { OSCILLATORS } from "./oscillators.ts";
import { ratingOf } from "./rating.ts";
import { UNRATED } from "./unrated-indicators.ts";

/** One coin as it stood at the close of a day. */
export type Reading = Readonly<ReturnType<typeof readingAt>>;

/**
 * Every indicator of a day, by name; `ema` and `sma` by period in days. Prices are in dollars, oscillators in
 * points and `roc` in percent, as in its definition. Realised volatility and drawdown are fractions.
 */
export type ReadingIndicators = Readonly<ReturnType<typeof indicatorsOf>>;

/**
 * The reading of any row, from the bars and their `computeIndicators` columns. Changes are those of the close
 * over 1, 7 and 30 days, as fractions; NaN where the history is too short.
 */
export function readingAt(bars: Bars, columns: IndicatorColumns, row: number) {
  if (!Number.isInteger(row) || row < 0 || row >= bars.day.length) {
    throw new RangeError(`no row ${row} in ${bars.day.length} days`);
  }
  const day = dayOf(bars, columns, row);
  const changeOver = (days: number) => day.close / (bars.close[row - days] ?? NaN) - 1;
  return {
    day: bars.day[row]!,
    close: day.close,
    change1d: changeOver(1),
    change7d: changeOver(7),
    change30d: changeOver(30),
    indicators: indicatorsOf(day),
    summary: ratingOf(day),
  };
}

function indicatorsOf(day: Day) {
  return {
    ...readingsOf(OSCILLATORS, day),
    ema: readingsOf(EMA, day),
    sma: readingsOf(SMA, day),
    ...readingsOf(AVERAGES, day),
    ...readingsOf(UNRATED, day),
  };
}
