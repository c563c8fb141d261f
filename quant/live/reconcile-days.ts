import { correlation } from "../check/coin-returns.ts";
import { mean } from "../sample-statistics.ts";
import { drawnT, type Cause } from "./reconcile.ts";

/** Days that both records have from the first live one on. */
const DAYS_MIN = 20;
const ALIKE_MIN = 0.5;

/**
 * Splits live less backtest where there are no trades, from daily returns of the same days: days on which only one of the
 * two moved, and least squares live = drag + ratio x backtest over the days on which both moved, whose residuals have no
 * sum. Points are percent.
 */
export function reconcileDays(backtest: Float64Array, live: Float64Array) {
  const days = backtest.length;
  if (days < DAYS_MIN) return { reason: "few_days" } as const;
  const shift = shiftOf(backtest, live);
  if (shift !== 0) return { reason: "days_shifted", shift } as const;
  const rows = [...backtest.keys()].filter((row) => backtest[row] !== 0 || live[row] !== 0);
  const both = rows.filter((row) => backtest[row] !== 0 && live[row] !== 0);
  const [x, y] = [backtest, live].map((returns) =>
    Float64Array.from(both, (row) => 100 * returns[row]!),
  ) as [Float64Array, Float64Array];
  if (both.length < DAYS_MIN || !(correlation(x, y) >= ALIKE_MIN))
    return { reason: "not_alike" } as const;
  const { ratio, drag, ratioT, dragT } = line(x, y);
  const only = (returns: Float64Array, other: Float64Array) => {
    const moved = rows.filter((row) => returns[row] !== 0).map((row) => 100 * returns[row]!);
    const alone = rows.filter((row) => other[row] === 0).map((row) => 100 * returns[row]!);
    return { count: alone.length, points: sum(alone), t: drawnT(alone, moved) };
  };
  const [missing, extra] = [only(backtest, live), only(live, backtest)];
  const causes: Cause<"missing" | "extra" | "size" | "drag">[] = [
    { cause: "missing", ...missing, points: 0 - missing.points },
    { cause: "extra", ...extra },
    { cause: "size", count: both.length, points: (ratio - 1) * sum(x), t: ratioT },
    { cause: "drag", count: both.length, points: drag * both.length, t: dragT },
  ];
  return {
    reason: undefined,
    backtestPoints: 100 * sum(backtest),
    livePoints: 100 * sum(live),
    sizeRatio: ratio,
    causes: causes.filter(({ count }) => count > 0),
  };
}

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let row = 0; row < values.length; row++) total += values[row]!;
  return total;
}

/** 1 where live's days are those of the backtest a day later, -1 where they are a day earlier, else 0. */
function shiftOf(backtest: Float64Array, live: Float64Array): number {
  const last = backtest.length - 1;
  const later = correlation(backtest.subarray(0, last), live.subarray(1));
  const earlier = correlation(backtest.subarray(1), live.subarray(0, last));
  const most = later >= earlier || Number.isNaN(earlier) ? later : earlier;
  const isShift = most >= ALIKE_MIN && most - correlation(backtest, live) > 3 / Math.sqrt(last + 1);
  return isShift ? (most === later ? 1 : -1) : 0;
}

/** Least squares y = drag + ratio x, with t of drag against 0 and of ratio against 1. */
function line(x: Float64Array, y: Float64Array) {
  const n = x.length;
  const [mx, my] = [mean(x), mean(y)];
  const xx = sum(x.map((value) => (value - mx) ** 2));
  const ratio = sum(x.map((value, row) => (value - mx) * (y[row]! - my))) / xx;
  const drag = my - ratio * mx;
  const squares = sum(y.map((value, row) => (value - drag - ratio * x[row]!) ** 2)) / (n - 2);
  return {
    ratio,
    drag,
    ratioT: (ratio - 1) / Math.sqrt(squares / xx),
    dragT: drag / Math.sqrt(squares * (1 / n + mx ** 2 / xx)),
  };
}
