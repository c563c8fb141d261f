import { FileRefused } from "../../files/refused.ts";
import { medianSpacing } from "../../quant/check/bar-frequency.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import type { CheckWarning } from "../../quant/check/panel.ts";
import { type ReadExport } from "./export.ts";
import { isObject, listMember, member, numberMember, type Json } from "../../files/json.ts";
import { curveRows, statedSharpe } from "./table-format.ts";

/** Charts have at most 4,000 points, so a short test has several a day. */
const DAILY_SECONDS = 0.9 * DAY_SECONDS;
const SPARSE_SECONDS = 1.5 * DAY_SECONDS;

/** Members in which the web API and older downloads put the result. */
const WRAPPERS = ["backtest", "result", "results"];

const STATED_REASON =
  "QuantConnect subtracts a risk-free rate and counts the year's trading days its own way";

/** The chart "Strategy Equity" in a result of LEAN, of candles since 2023 and of single values before. */
export function readQuantConnect(json: Json): ReadExport | undefined {
  const wrapped = WRAPPERS.map((name) => member(json, name));
  const result = [json, ...wrapped].find((value) => member(value, "charts") !== undefined);
  if (!isObject(chartOf(result))) return undefined;
  const points = pointsOf(result);
  if (points === undefined)
    throw new FileRefused('the chart "Strategy Equity" has no series "Equity" with values');
  const pairs = points.filter(hasValue).map(pairOf);
  const wrong = pairs.findIndex((pair) => !pair.every(Number.isFinite));
  if (wrong >= 0)
    throw new FileRefused(`point ${wrong + 1} of the equity chart has no time or no value`);
  const spacing = medianSpacing(Float64Array.from(pairs, ([time]) => time));
  const shift = stampShift(spacing, pairs[0]?.[0] ?? 0);
  return {
    format: "quantconnect",
    tool: "QuantConnect",
    kind: "equity",
    rows: curveRows(
      "Equity",
      pairs.map(([time, value]) => [time - shift, value]),
    ),
    ...statedSharpe(numberMember(member(result, "statistics"), "Sharpe Ratio"), STATED_REASON),
    warnings: sparseWarning(spacing),
  };
}

function chartOf(result: Json | undefined): Json | undefined {
  return member(member(result, "charts"), "Strategy Equity");
}

function pointsOf(result: Json | undefined): readonly Json[] | undefined {
  return listMember(member(member(chartOf(result), "series"), "Equity"), "values");
}

/** LEAN writes null for a candle without a value. */
function hasValue(point: Json): boolean {
  return !Array.isArray(point) || point.length < 2 || point.at(-1) !== null;
}

/** A point is `[time, open, high, low, close]`, `[time, value]` or `{x, y}`. */
function pairOf(point: Json): readonly [time: number, value: number] {
  const numberAt = (item: unknown) => (typeof item === "number" ? item : NaN);
  return Array.isArray(point)
    ? [numberAt(point[0]), numberAt(point.at(-1))]
    : [numberMember(point, "x") ?? NaN, numberMember(point, "y") ?? NaN];
}

/**
 * By how many seconds a point is stamped late. A daily point closes the day before its stamp, which is midnight in the
 * zone of the algorithm, as that of the first point is. An hour more allows for summer time, and a few orders at the open
 * stay on their day. Of several points a day, only the one at midnight closes the day before.
 */
function stampShift(spacing: number, first: number): number {
  if (spacing < DAILY_SECONDS) return 1;
  if (spacing > SPARSE_SECONDS) return DAY_SECONDS;
  const ofDay = first % DAY_SECONDS;
  const west = ofDay > DAY_SECONDS / 2 ? ofDay - DAY_SECONDS : ofDay;
  return west === 0 ? 1 : west + 3601;
}

/** The summary that LEAN writes beside the result has a few dozen points. */
function sparseWarning(spacing: number): CheckWarning[] {
  if (!(spacing > SPARSE_SECONDS)) return [];
  const days = Number((spacing / DAY_SECONDS).toFixed(1));
  const message =
    `the equity chart has a point every ${days} days: if this is the file that ends in -summary.json, the result ` +
    "beside it has every day";
  return [{ code: "sparse_chart", message }];
}

/** Whether JSON is the file that ends in -summary.json, which has no orders and only a few points. */
export function isLeanSummary(json: Json): boolean {
  if (member(json, "totalPerformance") === undefined || member(json, "orders") !== undefined)
    return false;
  const times = (pointsOf(json) ?? []).map((point) => pairOf(point)[0]);
  return times.length < 2 || medianSpacing(Float64Array.from(times)) > SPARSE_SECONDS;
}
