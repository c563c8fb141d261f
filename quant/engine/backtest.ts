import type { Bars } from "../bars.ts";
import { DEFAULT_COSTS, type Costs } from "./costs.ts";
import { dayReturns } from "./day-returns.ts";
import { feesPaid } from "./run-counts.ts";
import { assertWindow, createRunBuffer, simulate, type Window } from "./simulate.ts";
import { drawdownFrom, returnStatistics } from "./statistics.ts";
import { tradesOf, tradeStatistics } from "./trades.ts";

interface BacktestJob {
  /** The whole history; `window` and `flags` count its rows. */
  readonly bars: Bars;
  /** The template's flags for every row of the history. */
  readonly flags: Uint8Array;
  readonly window: Window;
  readonly startingCash: number;
  readonly costs?: Costs;
}

/** One run in full. Columns have one row per day of the window; money is in dollars, rates are fractions. */
export type Backtest = Readonly<ReturnType<typeof runBacktest>>;

/** Runs one backtest with all its figures. */
export function runBacktest(job: BacktestJob) {
  const { bars, flags, window, startingCash, costs = DEFAULT_COSTS } = job;
  assertWindow(window, bars.day.length);
  if (flags.length !== bars.day.length) {
    throw new RangeError(`${flags.length} flags for ${bars.day.length} days`);
  }
  if (!(startingCash > 0 && Number.isFinite(startingCash))) {
    throw new RangeError(`starting cash must be positive, got ${startingCash}`);
  }
  const { from, to } = window;
  const run = createRunBuffer(to - from);
  simulate(flags, dayReturns(bars, costs), window, run);
  const { equity, drawdown } = equityOf(run.returns, startingCash);
  const trades = tradesOf(run, { bars, from, costs, equity });
  return {
    days: bars.day.subarray(from, to),
    /** Net daily returns, to the bit those of the grid. */
    returns: run.returns,
    /** Starting cash times the compounded returns, at each close. */
    equity,
    /** Equity relative to its high so far, starting cash included: 0 or negative. */
    drawdown,
    trades,
    statistics: returnStatistics(run.returns),
    tradeStatistics: tradeStatistics(trades),
    /** Share of closes at which a position is held. NaN over no days. */
    exposure: run.positionDays / (to - from),
    fees: startingCash * feesPaid(run, costs.feeRate),
    /** Equity at the last close; the starting cash over no days. */
    finalEquity: equity.at(-1) ?? startingCash,
  };
}

/** Compounds from one dollar, as the statistics do, so that both give the same bits for the same ratio. */
function equityOf(returns: Float64Array, startingCash: number) {
  const equity = new Float64Array(returns.length);
  const drawdown = new Float64Array(returns.length);
  let growth = 1;
  let peak = 1;
  for (let row = 0; row < returns.length; row++) {
    growth *= 1 + returns[row]!;
    if (growth > peak) peak = growth;
    equity[row] = startingCash * growth;
    drawdown[row] = drawdownFrom(peak, growth);
  }
  return { equity, drawdown };
}
