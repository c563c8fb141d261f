import type { Bars } from "../bars.ts";
import type { IndicatorColumn, IndicatorColumns } from "../indicators/columns.ts";
import { averageScore } from "./average-scores.ts";
import { exceeds, POINTS, scoreOf, signalled, valueBack } from "./signal.ts";
import type { Score, Signalled } from "./signal.ts";

/** Days in the average that serves as on-balance volume's signal. */
const OBV_AVERAGE_DAYS = 20;

/** One row of a coin: its bars, its indicator columns, and the value of a column on that row. */
interface Row {
  readonly bars: Bars;
  readonly columns: IndicatorColumns;
  readonly row: number;
  readonly at: (column: IndicatorColumn) => number;
}

/** An indicator outside the technical rating: its values on a row, and the score of its own signal. */
interface UnratedIndicator<Values> {
  readonly values: (row: Row) => Values;
  readonly score: (row: Row) => Score;
}

/**
 * The indicators outside the technical rating, by name. Each signal is the rule that textbooks give first. Rounding
 * decides no comparison.
 */
const UNRATED = {
  supertrend: unrated(
    ({ at }) => ({
      value: at("supertrend"),
      direction: at("supertrendDirection") > 0 ? ("up" as const) : ("down" as const),
    }),
    ({ at }) => supertrendScore(at("supertrendDirection")),
  ),
  bollinger: unrated(
    ({ at }) => ({
      upper: at("bollingerUpper"),
      middle: at("bollingerMiddle"),
      lower: at("bollingerLower"),
    }),
    ({ bars, columns, row }) => bollingerScore(columns, row, bars.close[row]!),
  ),
  atr: line("atr14", silentScore),
  keltner: unrated(
    ({ at }) => ({
      upper: at("keltnerUpper"),
      middle: at("keltnerMiddle"),
      lower: at("keltnerLower"),
    }),
    ({ bars, columns, row }) => keltnerScore(columns, row, bars.close[row]!),
  ),
  donchian: unrated(
    ({ at }) => ({
      upper: at("donchianUpper"),
      middle: at("donchianMiddle"),
      lower: at("donchianLower"),
    }),
    ({ bars, columns, row }) => donchianScore(columns, row, bars.close[row]!),
  ),
  aroon: unrated(
    ({ at }) => ({ up: at("aroonUp"), down: at("aroonDown") }),
    ({ at }) => aroonScore(at("aroonUp"), at("aroonDown")),
  ),
  parabolicSar: line("parabolicSar", (value, { bars, row }) =>
    averageScore(value, bars.close[row]!),
  ),
  mfi: line("mfi14", mfiScore),
  obv: line("obv", (_, { columns, row }) => obvScore(columns.obv, row)),
  roc: line("roc12", rocScore),
  realizedVolatility30d: line("realizedVolatility30d", silentScore),
  drawdownFromHigh: line("drawdownFromHigh", silentScore),
};

type UnratedName = keyof typeof UNRATED;

export const UNRATED_NAMES = Object.keys(UNRATED) as readonly UnratedName[];

export type UnratedScores = Readonly<Record<UnratedName, Score>>;

/** Each indicator's values and signal; null while it lacks the history for any of them. */
export type UnratedReadings = {
  readonly [Name in UnratedName]: Signalled<ReturnType<(typeof UNRATED)[Name]["values"]>>;
};

export function unratedReadings(
  bars: Bars,
  columns: IndicatorColumns,
  row: number,
): UnratedReadings {
  const of = rowOf(bars, columns, row);
  const readings = UNRATED_NAMES.map((name) => {
    const { values, score }: UnratedIndicator<object> = UNRATED[name];
    return [name, signalled(values(of), score(of))] as const;
  });
  return Object.fromEntries(readings) as unknown as UnratedReadings; // one for each name
}

/** The scores alone. */
export function unratedScores(bars: Bars, columns: IndicatorColumns, row: number): UnratedScores {
  const of = rowOf(bars, columns, row);
  const scores = UNRATED_NAMES.map((name) => [name, UNRATED[name].score(of)] as const);
  return Object.fromEntries(scores) as UnratedScores; // one for each name
}

function rowOf(bars: Bars, columns: IndicatorColumns, row: number): Row {
  return { bars, columns, row, at: (column) => columns[column][row]! };
}

function unrated<Values>(
  values: UnratedIndicator<Values>["values"],
  score: UnratedIndicator<Values>["score"],
): UnratedIndicator<Values> {
  return { values, score };
}

/** An indicator of a single column. */
function line(column: IndicatorColumn, score: (value: number, row: Row) => Score) {
  return unrated(
    ({ at }) => ({ value: at(column) }),
    (row) => score(row.at(column), row),
  );
}

/** SuperTrend: buy in its up-trend, sell in its down-trend, never neutral. */
function supertrendScore(direction: number): Score {
  return scoreOf({ buy: direction > 0, sell: direction < 0, needs: [direction] });
}

/** Bollinger: buy on a close at or below the lower band, sell at or above the upper (band touch). */
function bollingerScore(columns: IndicatorColumns, row: number, close: number): Score {
  const upper = columns.bollingerUpper[row]!;
  const lower = columns.bollingerLower[row]!;
  return scoreOf({
    buy: !exceeds(close, lower, close),
    sell: !exceeds(upper, close, close),
    needs: [upper, lower],
  });
}

/** Neutral on every day: how much a price moves says nothing about its direction. */
function silentScore(value: number): Score {
  return scoreOf({ buy: false, sell: false, needs: [value] });
}

/** Keltner: buy on a close above the channel, sell below it (a breakout, unlike Bollinger's touch). */
function keltnerScore(columns: IndicatorColumns, row: number, close: number): Score {
  const upper = columns.keltnerUpper[row]!;
  const lower = columns.keltnerLower[row]!;
  return scoreOf({
    buy: exceeds(close, upper, close),
    sell: exceeds(lower, close, close),
    needs: [upper, lower],
  });
}

/** Donchian: buy on a close above the highest high of the 20 days before, sell below their lowest low. */
function donchianScore(columns: IndicatorColumns, row: number, close: number): Score {
  const upper = valueBack(columns.donchianUpper, row, 1);
  const lower = valueBack(columns.donchianLower, row, 1);
  return scoreOf({ buy: close > upper, sell: close < lower, needs: [upper, lower] });
}

/** Aroon: buy with up above 70 and down below 30, sell the other way round (Chande's trend rule). */
function aroonScore(up: number, down: number): Score {
  return scoreOf({ buy: up > 70 && down < 30, sell: down > 70 && up < 30, needs: [up, down] });
}

/** Money flow: buy below 20 (oversold), sell above 80 (overbought). */
function mfiScore(value: number): Score {
  return scoreOf({
    buy: exceeds(20, value, POINTS),
    sell: exceeds(value, 80, POINTS),
    needs: [value],
  });
}

/** Rate of change: buy above 0, sell below. */
function rocScore(value: number): Score {
  return scoreOf({ buy: value > 0, sell: value < 0, needs: [value] });
}

/** On-balance volume: buy above the average of its last 20 days, sell below; its level means nothing. */
function obvScore(column: Float64Array, row: number): Score {
  const now = column[row]!;
  let excess = 0;
  let size = 0;
  for (let back = 0; back < OBV_AVERAGE_DAYS; back++) {
    const then = valueBack(column, row, back);
    excess += now - then;
    size += Math.abs(then);
  }
  return scoreOf({
    buy: exceeds(excess, 0, size),
    sell: exceeds(0, excess, size),
    needs: [excess],
  });
}
