import type { CheckWarning, Observations } from "../../quant/check/panel.ts";
import { medianSpacing } from "../../quant/check/bar-frequency.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import { FileRefused, type ReadExport } from "./export.ts";
import { isObject, listMember, member, numberMember, type Json } from "./json.ts";

const TOOL = "QuantConnect";
/** Charts have at most 4,000 points: a short test has several a day. */
const DAILY_SECONDS = 0.9 * DAY_SECONDS;
const SPARSE_SECONDS = 1.5 * DAY_SECONDS;

/** Members in which the web API and older downloads put the result. */
const WRAPPERS = ["backtest", "result", "results"];

const STATED_REASON =
  "QuantConnect subtracts a risk-free rate and counts the year's trading days its own way";

/** A result of LEAN: the chart "Strategy Equity", of candles since 2023 and of single values before. */
export function readQuantConnect(json: Json): ReadExport | undefined {
  const wrapped = WRAPPERS.map((name) => member(json, name));
  const result = [json, ...wrapped].find((value) => member(value, "charts") !== undefined);
  const chart = member(member(result, "charts"), "Strategy Equity");
  if (!isObject(chart)) return undefined;
  const points = listMember(member(member(chart, "series"), "Equity"), "values");
  if (points === undefined) {
    throw new FileRefused('the chart "Strategy Equity" has no series "Equity" with values');
  }
  const pairs = points.filter(hasValue).map(pointOf);
  const times = pairs.map(([time]) => time);
  const spacing = medianSpacing(Float64Array.from(times));
  const shift = stampShift(spacing, times[0] ?? 0);
  const rows: Observations = {
    kind: "equity",
    instants: Float64Array.from(pairs, ([time]) => time - shift),
    lines: new Int32Array(pairs.length),
    names: ["Equity"],
    columns: [Float64Array.from(pairs, ([, value]) => value)],
  };
  const stated = statedOf(result);
  const warnings = sparseWarning(spacing);
  return { format: "quantconnect", tool: TOOL, kind: "equity", rows, ...stated, warnings };
}

/**
 * A daily point closes the day before its stamp, which is midnight in the algorithm's time zone. The first point is at
 * such a midnight; an hour more allows for a change of the clocks, and a few orders at the open stay on their day. Of
 * several points a day only the one at midnight closes the day before.
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

/** The file that ends in -summary.json: other than the result it names no orders, and has a few points only. */
export function isLeanSummary(json: Json): boolean {
  if (member(json, "totalPerformance") === undefined || member(json, "orders") !== undefined)
    return false;
  const chart = member(member(json, "charts"), "Strategy Equity");
  const points = listMember(member(member(chart, "series"), "Equity"), "values") ?? [];
  const times = points.map((point) =>
    Array.isArray(point) ? numberItem(point[0]) : (numberMember(point, "x") ?? NaN),
  );
  return points.length < 2 || medianSpacing(Float64Array.from(times)) > SPARSE_SECONDS;
}

/** LEAN writes null for a candle without a value. */
function hasValue(point: Json): boolean {
  return !Array.isArray(point) || point.length < 2 || point.at(-1) !== null;
}

/** `[time, open, high, low, close]`, `[time, value]` or `{x, y}`. */
function pointOf(point: Json, place: number): readonly [time: number, value: number] {
  const pair = Array.isArray(point)
    ? [numberItem(point[0]), numberItem(point.at(-1))]
    : [numberMember(point, "x") ?? NaN, numberMember(point, "y") ?? NaN];
  const [time, value] = pair as [number, number];
  if (Number.isFinite(time) && Number.isFinite(value)) return [time, value];
  throw new FileRefused(`point ${place + 1} of the equity chart has no time or no value`);
}

function numberItem(item: unknown): number {
  return typeof item === "number" ? item : NaN;
}

function statedOf(json: Json | undefined): Pick<ReadExport, "stated" | "statedReason"> {
  const sharpe = numberMember(member(json, "statistics"), "Sharpe Ratio");
  return sharpe === undefined ? {} : { stated: { sharpe }, statedReason: STATED_REASON };
}
