import { mean } from "../../quant/sample-statistics.ts";
import { areSame, differenceOf, levelMoves } from "./moves.ts";
import { OF_STRATEGY, type NameRole } from "./name-role.ts";
import { nameWords } from "./names.ts";
import { ACCOUNTS, type RoledColumn } from "./roles.ts";
import { areReturns, type Units } from "./units.ts";

const isReturnOrGrowth = ({ role }: RoledColumn) => role === "return" || role === "growth";

/**
 * The columns with the markets among them named: a return or a growth that is a close's own, and one beside a column that
 * speaks of the strategy (`Returns` beside `Strategy`). One that repeats the strategy's own is a helper.
 */
export function withMarkets(all: readonly RoledColumn[], units: Units): RoledColumn[] {
  const columns = withoutForecasts(withAssets(all));
  const accounts = columns.filter(({ role }) => ACCOUNTS.includes(role)).map(levelMoves);
  const told = columns.map((column) => {
    const mayBe = isReturnOrGrowth(column) && !column.read.isOfStrategy && units.isClose(column);
    const isOwn = () =>
      accounts.some((moves) => areSame(differenceOf(units.movesOf(column, moves), moves)));
    return mayBe && !isOwn() ? { ...column, role: "market" as const } : column;
  });
  const strategies = told.filter((column) => column.read.isOfStrategy && isReturnOrGrowth(column));
  if (strategies.length === 0) return told;
  const own = strategies.map((column) => units.movesOf(column));
  return told.map((column) => {
    const { isOfStrategy, rest } = column.read;
    if (!isReturnOrGrowth(column) || isOfStrategy || rest.length > 0) return column;
    const isOwn = own.some(
      (moves) => differenceOf(units.movesOf(column, moves), moves).agreeing > 0.9,
    );
    return { ...column, role: isOwn ? ("helper" as const) : ("market" as const) };
  });
}

const TRADED =
  /^(w|wt|wgt|weight|alloc|allocation|pos|position|holding|signal|close|adjclose|price|px|gewicht|peso|poids|权重|仓位|收盘价)s?$/;

/**
 * Names the returns of what was traded: `XLK_ret` beside `w_XLK`, or beside a strategy or an account whose name holds no
 * asset.
 */
function withAssets(columns: readonly RoledColumn[]): readonly RoledColumn[] {
  const asset = ({ name, read }: RoledColumn) => {
    const [part, ...others] = read.rest;
    const isAsset = part?.kind === "ticker" || (part?.kind === "other" && TICKER.test(name));
    return isAsset && others.length === 0 ? part.text : undefined;
  };
  const isOwn = (column: RoledColumn) =>
    OF_STRATEGY.has(column.role as NameRole) && asset(column) === undefined;
  const words = columns.map(({ name }) => nameWords(name));
  const isTraded = (text: string) =>
    words.some((each) => each.includes(text) && each.some((word) => TRADED.test(word)));
  const hasOwn = columns.some(isOwn);
  return columns.map((column) => {
    const word = asset(column) ?? column.read.rest.find(({ kind }) => kind === "other")?.text;
    const isOfAsset =
      isReturnOrGrowth(column) &&
      !column.read.isOfStrategy &&
      word !== undefined &&
      (isTraded(word) || (hasOwn && asset(column) !== undefined));
    return isOfAsset ? { ...column, role: "market" as const } : column;
  });
}

/** Some capitals that aren't a sample, such as `XLK` and `BRK.B`. */
const TICKER = /(?<![A-Za-z])(?!(?:IS|OOS|OS|WF|NET|MY)(?![A-Za-z]))[A-Z][A-Z\d.]{1,5}(?![A-Za-z])/;

const FORECAST =
  /^(yhat|pred|predicted|predictions?|predict|forecast|forecasted|forecasts|expected|fitted|prognose|prognostiziert|vorhersage|erwartet|prevision|previsto|prevista|prevu|prevue|pronostico|predicho|esperado|previsao|previsione|atteso|预测|预测值|预期|予測|予想|прогноз|예측)$/;
const ACTUAL =
  /^(actual|actuals|true|truth|real|realized|realised|observed|target|label|y|ist|tatsachlich|reel|reelle|observe|observado|verdadero|reale|osservato|实际|真实|实际值|実際|実績|факт|실제)$/;

/**
 * What a forecast was of is the market: `actual_return` or a bare `return` beside `predicted_return`, `y_true` beside
 * `y_pred`. An account tells whose returns they are.
 */
function withoutForecasts(columns: readonly RoledColumn[]): readonly RoledColumn[] {
  const says = ({ name }: RoledColumn, words: RegExp) =>
    nameWords(name).some((word) => words.test(word.normalize("NFC")));
  const forecasts = columns.filter((column) => column.isNumeric && says(column, FORECAST));
  if (forecasts.length === 0) return columns;
  const hasAccount = columns.some(({ role }) => ACCOUNTS.includes(role));
  return columns.map((column) => {
    const { isOfStrategy, rest } = column.read;
    if (forecasts.includes(column)) return isOfStrategy ? column : { ...column, role: "helper" };
    const mayBe = isReturnOrGrowth(column) || column.role === "unknown" || column.role === "value";
    const isBare = rest.length === 0 && isReturnOrGrowth(column) && !hasAccount;
    const isActual = mayBe && !isOfStrategy && (isBare || says(column, ACTUAL));
    return isActual ? { ...column, role: "market" as const } : column;
  });
}

/** The returns of holding what a column shows. */
export function marketMoves(column: RoledColumn, units: Units): Float64Array {
  const isReturn = column.role !== "close" && areReturns(column);
  return units.movesOf({ ...column, role: isReturn ? "return" : "growth" }).steps;
}

/** Squared correlations this close are of one market, written twice with other digits. */
const SAME_MARKET = 1e-4;

/** The market that explains the strategy best. Undefined where none does. */
export function marketAmong(
  columns: readonly RoledColumn[],
  judged: readonly Float64Array[],
  units: Units,
): RoledColumn | undefined {
  const found = columns
    .filter((column) => (column.role === "market" || column.role === "close") && isSeries(column))
    .map((column) => ({ column, explained: explained(judged, marketMoves(column, units)) }))
    .filter((each) => each.explained > 0);
  const best = Math.max(...found.map((each) => each.explained));
  const equal = found
    .filter((each) => each.explained >= best - SAME_MARKET)
    .map(({ column }) => column);
  return equal.find(({ role }) => role === "market") ?? equal[0]; // a close and its returns are one market
}

/** A column that explains at least this part of the judged one's variance may be its market. */
const PART_MIN = 0.05;

/** Of the columns that were left out, the one that would be the market. */
export function mayBeMarket(
  columns: readonly RoledColumn[],
  judged: readonly Float64Array[],
  units: Units,
): RoledColumn | undefined {
  return columns
    .filter((column) => column.role === "unknown" && isSeries(column))
    .map((column) => ({ column, part: explained(judged, marketMoves(column, units)) }))
    .filter(({ part }) => part >= PART_MIN)
    .toSorted((a, b) => b.part - a.part)[0]?.column;
}

/** Whether values are a price or returns, and not a signal of 0 and 1. */
function isSeries(column: RoledColumn): boolean {
  const { shape } = column;
  return shape.moves && (areReturns(column) ? shape.most < 1 : shape.least > -1);
}

/** Mean of the squared correlations of all variants with a market, or 0 where there are none. */
function explained(judged: readonly Float64Array[], market: Float64Array): number {
  return mean(judged.map((moves) => correlation(moves, market) ** 2)) || 0;
}

/** Over the rows that both have. */
export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const rows = Array.from(a, (_, row) => row).filter((row) => !Number.isNaN(a[row]! + b[row]!));
  const [meanA, meanB] = [a, b].map((values) => mean(rows.map((row) => values[row]!)));
  let [aa, bb, ab] = [0, 0, 0];
  for (const row of rows) {
    const [fromA, fromB] = [a[row]! - meanA!, b[row]! - meanB!];
    aa += fromA ** 2;
    bb += fromB ** 2;
    ab += fromA * fromB;
  }
  return ab / Math.sqrt(aa * bb);
}

/** A market in the kind of the strategy's rows: its returns, or a curve of them from 1. */
export function marketRows(steps: Float64Array, kind: "returns" | "equity"): Float64Array {
  const returns = steps.map((step) => (Number.isNaN(step) ? 0 : step));
  if (kind === "returns") return returns;
  let level = 1;
  return returns.map((step) => (level *= 1 + step));
}
