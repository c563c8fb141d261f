import { mean } from "../../quant/sample-statistics.ts";
import { differenceOf } from "./moves.ts";
import type { RoledColumn } from "./roles.ts";
import { areReturns, type Units } from "./units.ts";

const isReturnOrGrowth = ({ role }: RoledColumn) => role === "return" || role === "growth";

/**
 * The columns with the markets among them named: a return or a growth that is a close's own, and one beside a column that
 * speaks of the strategy (`Returns` beside `Strategy`). One that repeats the strategy's own is a helper.
 */
export function withMarkets(columns: readonly RoledColumn[], units: Units): RoledColumn[] {
  const told = columns.map((column) => {
    const isMarket = isReturnOrGrowth(column) && units.isClose(column);
    return isMarket ? { ...column, role: "market" as const } : column;
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
function correlation(a: Float64Array, b: Float64Array): number {
  const rows = [...a.keys()].filter((row) => !Number.isNaN(a[row]! + b[row]!));
  const [meanA, meanB] = [a, b].map((of) => mean(rows.map((row) => of[row]!)));
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
