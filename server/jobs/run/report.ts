import { rowOfDay } from "../../../quant/bars.ts";
import { dateOfDay, DAYS_PER_YEAR } from "../../../quant/calendar.ts";
import { runBacktest, type Backtest } from "../../../quant/engine/backtest.ts";
import { DEFAULT_COSTS } from "../../../quant/engine/costs.ts";
import { holdReturns } from "../../../quant/engine/hold.ts";
import { returnStatistics } from "../../../quant/engine/statistics.ts";
import type { Trade } from "../../../quant/engine/trades.ts";
import { ENGINE_VERSION } from "../../../quant/engine/version.ts";
import {
  deflatedSharpe,
  luckBar,
  nullTrialsVariance,
} from "../../../quant/overfitting/deflated-sharpe.ts";
import { probabilisticSharpe } from "../../../quant/overfitting/probabilistic-sharpe.ts";
import { findTemplate, VARIANTS_PER_TEMPLATE } from "../../../quant/strategies/catalogue.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { percent, significant } from "../../../quant/significant-digits.ts";
import { checkOfRun } from "./check-of-run.ts";
import type { BacktestTask } from "./pool.ts";

const METHODOLOGY =
  "Rules are read on daily closes (UTC) of the whole history up to each day, orders fill at the next open, figures are of the equity at each close and net of costs; every formula with its source is under /docs/methods.";

/** The whole result of a job, as `BacktestResult` documents it. The same task gives the same report. */
export function reportOf(task: BacktestTask) {
  const { bars, request } = task;
  const template = findTemplate(request.strategy);
  const params = template?.variants[request.variant - 1];
  const from = rowOfDay(bars, request.startDay);
  if (template === undefined || params === undefined || from < 0) {
    throw new Error("a job was accepted that cannot be run");
  }
  const window = { from, to: bars.day.length };
  const flags = flagsOf(template, createMarket(bars), params);
  const run = runBacktest({ bars, flags, window, startingCash: request.startingCashUsd });
  assertWithinRange(run);
  const held = holdReturns(bars, window);
  return {
    strategy: template.name,
    variant: request.variant,
    params,
    coin: request.coin,
    start_date: dateOfDay(request.startDay),
    end_date: dateOfDay(request.startDay + run.days.length - 1),
    days: run.days.length,
    starting_cash_usd: request.startingCashUsd,
    ...figuresOf(run),
    buy_hold: buyHoldOf(held),
    overfitting: overfittingOf(run),
    ...checkOfRun(run, { name: request.coin, returns: held }),
    equity_curve: equityCurveOf(run),
    trades: run.trades.map(tradeOf),
    assumptions: assumptionsOf(task, from),
    methodology: METHODOLOGY,
  };
}

/**
 * A run that JSON cannot express: its equity, or a figure derived from it, exceeds float64's largest number.
 * Prices may lie between 1e-30 and 1e30, so a rule that buys low and sells high gets there in six good
 * trades.
 */
export class FigureOutOfRange extends Error {}

const OUT_OF_RANGE = "beyond the largest number of float64, 1.8e308";

/** Checked first, because figures computed from an infinite equity may not be numbers at all. */
function assertWithinRange({ days, equity }: Backtest): void {
  const row = equity.indexOf(Infinity);
  if (row < 0) return;
  throw new FigureOutOfRange(
    `at the close of ${dateOfDay(days[row]!)} the equity is ${OUT_OF_RANGE}`,
  );
}

/** A figure of at least one day, so it has a value. `written` is the form that JSON gets. */
function known(value: number, written: number | null): number {
  if (written !== null && Number.isFinite(written)) return written;
  if (Number.isNaN(value)) throw new Error("a figure of a run has no value");
  throw new FigureOutOfRange(`a figure of the run is ${OUT_OF_RANGE}`);
}

function knownSignificant(value: number): number {
  return known(value, significant(value));
}

function knownPercent(fraction: number): number {
  return known(fraction, percent(fraction));
}

function figuresOf(run: Backtest) {
  const { statistics, tradeStatistics: trades } = run;
  return {
    final_equity_usd: knownSignificant(run.finalEquity),
    return_pct: knownPercent(statistics.totalReturn),
    cagr_pct: percent(statistics.cagr),
    volatility_pct: percent(statistics.volatility),
    sharpe: significant(statistics.sharpe),
    sortino: significant(statistics.sortino),
    calmar: significant(statistics.calmar),
    max_drawdown_pct: knownPercent(statistics.maxDrawdown),
    max_drawdown_days: statistics.maxDrawdownDays,
    exposure_pct: knownPercent(run.exposure),
    trades_count: trades.trades,
    win_rate_pct: percent(trades.winRate),
    profit_factor: significant(trades.profitFactor),
    expectancy_pct: percent(trades.expectancy),
    best_trade_pct: percent(trades.best),
    worst_trade_pct: percent(trades.worst),
    average_trade_days: significant(trades.averageDays),
    fees_usd: knownSignificant(run.fees),
  };
}

function buyHoldOf(returns: Float64Array) {
  const held = returnStatistics(returns);
  return {
    return_pct: percent(held.totalReturn),
    cagr_pct: percent(held.cagr),
    sharpe: significant(held.sharpe),
    max_drawdown_pct: percent(held.maxDrawdown),
  };
}

/** The run as if it were the best of its template's variants; no figure if the run has no Sharpe ratio. */
function overfittingOf({ statistics }: Backtest) {
  const { days: observations, skew, kurtosis } = statistics;
  const annualRoot = Math.sqrt(DAYS_PER_YEAR);
  const estimate = { sharpe: statistics.sharpe / annualRoot, observations, skew, kurtosis };
  const deflation = {
    trials: VARIANTS_PER_TEMPLATE,
    trialsVariance: nullTrialsVariance(observations),
  };
  const has = Number.isFinite(statistics.sharpe);
  return {
    n_trials: VARIANTS_PER_TEMPLATE,
    observations,
    skew: significant(skew),
    kurtosis: significant(kurtosis),
    probabilistic_sharpe_ratio: has ? significant(probabilisticSharpe(estimate, 0)) : null,
    expected_max_sharpe: has ? significant(luckBar(deflation) * annualRoot) : null,
    deflated_sharpe_ratio: has ? significant(deflatedSharpe(estimate, deflation)) : null,
  };
}

function equityCurveOf(run: Backtest) {
  return Array.from(run.days, (day, row) => {
    return {
      date: dateOfDay(day),
      equity_usd: knownSignificant(run.equity[row]!),
      drawdown_pct: knownPercent(run.drawdown[row]!),
    };
  });
}

function tradeOf(trade: Trade) {
  const { exitDay, exitPrice } = trade;
  return {
    entry_date: dateOfDay(trade.entryDay),
    entry_price_usd: knownSignificant(trade.entryPrice),
    exit_date: exitDay === null ? null : dateOfDay(exitDay),
    exit_price_usd: exitPrice === null ? null : significant(exitPrice),
    units: knownSignificant(trade.units),
    return_pct: knownPercent(trade.return),
    profit_usd: knownSignificant(trade.profit),
    days: trade.days,
    open: trade.open,
  };
}

function assumptionsOf(task: BacktestTask, from: number) {
  return {
    engine_version: ENGINE_VERSION,
    snapshot: task.snapshotId,
    decision: "on the close of a day, from start_date on; the account starts flat",
    fill_rule: "at the next day's open; a position open at the end is marked at the last close",
    sizing: "all equity, fractional units, long or flat",
    fee_pct: knownPercent(DEFAULT_COSTS.feeRate),
    slippage_pct: knownPercent(DEFAULT_COSTS.slippageRate),
    periods_per_year: DAYS_PER_YEAR,
    risk_free_rate_pct: 0,
    warm_up_days: from,
  };
}
