import { rowOfDay, type Bars } from "../bars.ts";
import { median } from "../sample-statistics.ts";
import { binomialTail } from "./binomial-tail.ts";
import { dayOf } from "./ordered-rows.ts";
import type { Trade, TradePosition } from "./trade.ts";

/** A share of a day's range: fills this close to its edge are at it. */
const NEAR = 0.02;
const RANGE_MIN = 0.002;
const MIN = 20;
const FOUND_P = 1e-6;
/** The most of the fills that may lie outside their day's range. */
export const OTHER_MAX = 0.2;
/** Share of fills at an edge that no honest rule came near, and of days on which the profit comes before the stop. */
const AT_EDGE = 0.25;
const PROFIT_FIRST = 0.5;

/** A trade beside the prices of its coin. */
export interface TradeAtMarket extends Trade {
  readonly position: TradePosition;
  readonly bars: Bars;
}

/** The fills of trades: how many lie at the edge of a day that suits them, which isn't known before the day is over. */
export function fillTiming(trades: readonly TradeAtMarket[], at: "entry" | "exit") {
  let [fills, tested, near, lows, other] = [0, 0, 0, 0, 0];
  for (const trade of trades) {
    const { entryPrice, exitPrice = NaN, long } = trade.position;
    const price = at === "entry" ? entryPrice : exitPrice;
    const bar = barOf(trade, at);
    if (bar === undefined || Number.isNaN(price)) continue;
    const { open, high, low, close, room } = bar;
    fills++;
    if (high - low < RANGE_MIN * close) continue;
    if (price < low - room || price > high + room) other++;
    else if (Math.min(Math.abs(price - open), Math.abs(price - close)) > room) {
      tested++;
      const isPurchase = long === (at === "entry");
      const isNear = isPurchase ? price <= low + room : price >= high - room;
      if (isNear) near++;
      if (isNear && isPurchase) lows++;
    }
  }
  const isOther = other >= OTHER_MAX * fills;
  const pValue = binomialTail(near, tested, AT_EDGE);
  return {
    status: statusOf(isOther ? 0 : tested, pValue),
    fills,
    tested,
    near,
    lows,
    other,
    pValue,
  };
}

/**
 * Days on which a trade could have reached both its stop and its profit: how often it took the profit. Without drift
 * the nearer of two levels comes first at least as often (optional stopping), and the profit is never the nearer.
 */
export function levelTiming(trades: readonly TradeAtMarket[]) {
  const moves = trades.map(({ position: { long, entryPrice, exitPrice = NaN } }) => {
    return (long ? 1 : -1) * (exitPrice / entryPrice - 1);
  });
  const [wins, losses] = [moves.filter((move) => move > 0), moves.filter((move) => move < 0)];
  const [take, stop] = [median(wins), -median(losses)];
  const isNear = (move: number, level: number) => Math.abs(move - level) <= 0.1 * Math.abs(level);
  const areLevels = [wins, losses].every((some, index) => {
    const level = [take, -stop][index]!;
    return (
      some.length >= 5 && some.filter((move) => isNear(move, level)).length >= 0.6 * some.length
    );
  });
  const taken = trades.flatMap((trade, index) => {
    const move = moves[index]!;
    const isTold = isNear(move, take) || isNear(move, -stop);
    return areLevels && isTold && isOpen(trade, take, stop) ? [isNear(move, take)] : [];
  });
  const profitFirst = taken.filter(Boolean).length;
  const pValue = binomialTail(profitFirst, taken.length, PROFIT_FIRST);
  return {
    status: statusOf(taken.length, pValue),
    tested: taken.length,
    profitFirst,
    take,
    stop,
    pValue,
  };
}

/** Whether a trade's last day reached both levels from a price between them, with the profit no nearer than the stop. */
function isOpen(trade: TradeAtMarket, take: number, stop: number): boolean {
  const { long, entryPrice } = trade.position;
  const bar = barOf(trade, "exit");
  if (bar === undefined) return false;
  const levels = [take, -stop].map((move) => entryPrice * (1 + (long ? move : -move)));
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  const isNew = dayOf(trade.entry) === dayOf(trade.exit);
  const before = isNew ? entryPrice : bar.open;
  const isFair = Math.abs(levels[0]! - before) >= 0.98 * Math.abs(before - levels[1]!);
  const isKnown = Math.abs(before - bar.open) <= bar.room;
  return bar.low <= low && bar.high >= high && low < before && before < high && isFair && isKnown;
}

function barOf(trade: TradeAtMarket, at: "entry" | "exit") {
  const { bars } = trade;
  const row = rowOfDay(bars, dayOf(trade[at]));
  if (row < 0) return undefined;
  const [high, low] = [bars.high[row]!, bars.low[row]!];
  return { open: bars.open[row]!, high, low, close: bars.close[row]!, room: NEAR * (high - low) };
}

function statusOf(tested: number, pValue: number): "found" | "passed" | "not_tested" {
  if (tested < MIN) return "not_tested";
  return pValue <= FOUND_P ? "found" : "passed";
}
