import type { Bars } from "../bars.ts";
import { unitCost, unitProceeds } from "./costs.ts";
import type { Costs } from "./costs.ts";
import type { RunBuffer } from "./simulate.ts";

/** One purchase and its sale, net of costs. Days are integers since 1970-01-01, money is dollars. */
export interface Trade {
  readonly entryDay: number;
  /** Fill prices include slippage but not the fee. */
  readonly entryPrice: number;
  /** Null while the trade is open. An open trade is valued at the last close, without the costs of a sale. */
  readonly exitDay: number | null;
  readonly exitPrice: number | null;
  readonly units: number;
  /** As a fraction of what was paid, entry fee included. */
  readonly return: number;
  readonly profit: number;
  readonly fees: number;
  /** Closes at which the position is held: from entry to exit, or through the last day. */
  readonly days: number;
  readonly open: boolean;
}

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
    // An index below fillCount, or none at all when the trade is open.
    const exit = index + 1 < run.fillCount ? run.fills[index + 1]! : undefined;
    trades.push(tradeOf(run.fills[index]!, exit, source));
  }
  return trades;
}

function tradeOf(entry: number, exit: number | undefined, source: TradeSource): Trade {
  const { bars, from, costs, equity } = source;
  const { feeRate, slippageRate } = costs;
  const entryOpen = bars.open[from + entry]!;
  // The start day is flat, so every entry has a close before it.
  const paid = equity[entry - 1]!;
  const cost = unitCost(entryOpen, costs);
  const units = paid / cost;
  const entryPrice = entryOpen * (1 + slippageRate);
  const entryFee = units * entryPrice * feeRate;
  const bought = { entryDay: bars.day[from + entry]!, entryPrice, units };
  if (exit === undefined) {
    const last = equity.length - 1;
    const gain = bars.close[from + last]! / cost - 1;
    const marked = { return: gain, profit: paid * gain, fees: entryFee, days: last - entry + 1 };
    return { ...bought, exitDay: null, exitPrice: null, ...marked, open: true };
  }
  const exitOpen = bars.open[from + exit]!;
  const exitPrice = exitOpen * (1 - slippageRate);
  const gain = unitProceeds(exitOpen, costs) / cost - 1;
  const fees = entryFee + units * exitPrice * feeRate;
  const closed = { return: gain, profit: paid * gain, fees, days: exit - entry };
  return { ...bought, exitDay: bars.day[from + exit]!, exitPrice, ...closed, open: false };
}

/** Figures of the closed trades, net of costs; NaN where no trade defines one. */
export interface TradeStatistics {
  /** Includes the open one. */
  readonly trades: number;
  readonly closedTrades: number;
  /** Share that made money. Breaking even does not count. */
  readonly winRate: number;
  /** Dollars won / dollars lost. NaN without a losing trade. */
  readonly profitFactor: number;
  /** Mean return per trade. */
  readonly expectancy: number;
  readonly best: number;
  readonly worst: number;
  readonly averageDays: number;
}

export function tradeStatistics(trades: readonly Trade[]): TradeStatistics {
  const closed = trades.filter((trade) => !trade.open);
  const returns = closed.map((trade) => trade.return);
  const won = sum(closed.map((trade) => Math.max(trade.profit, 0)));
  const lost = sum(closed.map((trade) => Math.max(-trade.profit, 0)));
  const none = closed.length === 0;
  return {
    trades: trades.length,
    closedTrades: closed.length,
    winRate: closed.filter((trade) => trade.profit > 0).length / closed.length,
    profitFactor: lost > 0 ? won / lost : NaN,
    expectancy: sum(returns) / closed.length,
    best: none ? NaN : Math.max(...returns),
    worst: none ? NaN : Math.min(...returns),
    averageDays: sum(closed.map((trade) => trade.days)) / closed.length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
