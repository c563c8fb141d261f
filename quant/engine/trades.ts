import type { Bars } from "../bars.ts";
import { unitCost, unitProceeds, type Costs } from "./costs.ts";
import type { RunBuffer } from "./simulate.ts";

/** One purchase and its sale, net of costs. Days are integers since 1970-01-01, money is dollars. */
export type Trade = Readonly<ReturnType<typeof tradeOf>>;

interface TradeSource {
  readonly bars: Bars;
  /** Row of the start day. */
  readonly from: number;
  readonly costs: Costs;
  /** Equity at each close of the run. */
  readonly equity: Float64Array;
}

/** The trades of a run, oldest first. */
export function tradesOf(run: RunBuffer, source: TradeSource): Trade[] {
  const trades: Trade[] = [];
  for (let index = 0; index < run.fillCount; index += 2) {
    const exit = index + 1 < run.fillCount ? run.fills[index + 1]! : undefined; // still open
    trades.push(tradeOf(run.fills[index]!, exit, source));
  }
  return trades;
}

/** An open trade is valued at the last close, without the costs of a sale. */
function tradeOf(entry: number, exit: number | undefined, source: TradeSource) {
  const { bars, from, costs, equity } = source;
  const { feeRate, slippageRate } = costs;
  const entryOpen = bars.open[from + entry]!;
  const paid = equity[entry - 1]!; // the start day is flat, so every entry has a close before it
  const cost = unitCost(entryOpen, costs);
  const units = paid / cost;
  const entryPrice = entryOpen * (1 + slippageRate);
  const open = exit === undefined;
  const exitPrice = open ? null : bars.open[from + exit]! * (1 - slippageRate);
  const worth = open
    ? bars.close[from + equity.length - 1]!
    : unitProceeds(bars.open[from + exit]!, costs);
  const gain = worth / cost - 1;
  return {
    entryDay: bars.day[from + entry]!,
    /** Fill prices include slippage but not the fee. */
    entryPrice,
    units,
    /** Null while the trade is open, like the price. */
    exitDay: open ? null : bars.day[from + exit]!,
    exitPrice,
    /** As a fraction of what was paid, entry fee included. */
    return: gain,
    profit: paid * gain,
    fees: units * entryPrice * feeRate + units * (exitPrice ?? 0) * feeRate,
    /** Closes at which the position is held: from entry to exit, or through the last day. */
    days: (exit ?? equity.length) - entry,
    open,
  };
}

/** Figures of the closed trades, net of costs; NaN where no trade defines one. */
export function tradeStatistics(trades: readonly Trade[]) {
  const closed = trades.filter((trade) => !trade.open);
  const returns = closed.map((trade) => trade.return);
  const won = sum(closed.map((trade) => Math.max(trade.profit, 0)));
  const lost = sum(closed.map((trade) => Math.max(-trade.profit, 0)));
  const none = closed.length === 0;
  return {
    /** Includes the open one. */
    trades: trades.length,
    closedTrades: closed.length,
    /** Share that made money. Breaking even does not count. */
    winRate: closed.filter((trade) => trade.profit > 0).length / closed.length,
    /** Dollars won / dollars lost. NaN without a losing trade. */
    profitFactor: lost > 0 ? won / lost : NaN,
    /** Mean return per trade. */
    expectancy: sum(returns) / closed.length,
    best: none ? NaN : Math.max(...returns),
    worst: none ? NaN : Math.min(...returns),
    averageDays: sum(closed.map((trade) => trade.days)) / closed.length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
