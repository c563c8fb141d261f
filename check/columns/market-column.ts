import { differenceOf } from "./moves.ts";
import type { RoledColumn } from "./roles.ts";
import { areReturns, type Units } from "./units.ts";

/**
 * The table with its markets told: a return or growth that is the close's own, and one beside a column that speaks of the
 * strategy (`Returns` beside `Strategy`). A growth that is the strategy's own is a helper then.
 */
export function withMarkets(columns: readonly RoledColumn[], units: Units): RoledColumn[] {
  const told = columns.map((column) => {
    const isMoving = column.role === "return" || column.role === "growth";
    return isMoving && units.isClose(column) ? { ...column, role: "market" as const } : column;
  });
  const strategies = told.filter(
    ({ role, read }) => read.isOfStrategy && (role === "return" || role === "growth"),
  );
  if (strategies.length === 0) return told;
  const own = strategies.map((column) => units.movesOf(column));
  return told.map((column) => {
    const isBeside = column.role === "return" || column.role === "growth";
    if (!isBeside || column.read.isOfStrategy || column.read.rest.length > 0) return column;
    const isOwn = own.some((moves) => {
      const difference = differenceOf(units.movesOf(column, moves), moves);
      return difference.rows > 0 && difference.agreeing > 0.9;
    });
    return { ...column, role: isOwn ? ("helper" as const) : ("market" as const) };
  });
}

/** The returns of holding what a column says. */
export function marketMoves(column: RoledColumn, units: Units): Float64Array {
  const isReturn = column.role !== "close" && areReturns(column);
  const role = isReturn ? ("return" as const) : ("growth" as const);
  return units.movesOf({ ...column, role }).steps;
}

/** Squared correlations of one market, written twice with other digits. */
const SAME_MARKET = 1e-4;

/** Of several markets the one that explains the strategy best. */
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
  const as = found
    .filter((each) => each.explained >= best - SAME_MARKET)
    .map(({ column }) => column);
  return as.find(({ role }) => role === "market") ?? as[0]; // a close and its returns are one market
}

/** Whether values are a price or returns; those of a signal are 0 and 1. */
function isSeries(column: RoledColumn): boolean {
  const { shape } = column;
  return shape.moves && (areReturns(column) ? shape.most < 1 : shape.least > -1);
}

/** Mean squared correlation of the rows that both have. */
function explained(judged: readonly Float64Array[], market: Float64Array): number {
  const all = judged
    .map((moves) => correlation(moves, market) ** 2)
    .filter((r) => !Number.isNaN(r));
  return all.length === 0 ? 0 : all.reduce((sum, each) => sum + each, 0) / all.length;
}

function correlation(a: Float64Array, b: Float64Array): number {
  const rows = [...a.keys()].filter((row) => !Number.isNaN(a[row]! + b[row]!));
  const meanOf = (of: Float64Array) => rows.reduce((sum, row) => sum + of[row]!, 0) / rows.length;
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  let [aa, bb, ab] = [0, 0, 0];
  for (const row of rows) {
    aa += (a[row]! - meanA) ** 2;
    bb += (b[row]! - meanB) ** 2;
    ab += (a[row]! - meanA) * (b[row]! - meanB);
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
