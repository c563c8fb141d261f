import { z } from "zod";
import { CheckVerdict } from "./check-report.ts";
import { dateOrNull, number, numberOrNull } from "./answer-values.ts";

const BuyHold = z
  .strictObject({
    return_pct: numberOrNull("first open to last close"),
    cagr_pct: numberOrNull("return a year, compounded"),
    sharpe: numberOrNull("of its daily returns; null when flat"),
    max_drawdown_pct: numberOrNull("deepest fall of a close below the highest before it"),
  })
  .describe("Bought at the open of start_date without costs and held over the same days.");

const Overfitting = z
  .strictObject({
    n_trials: z.int().describe("variants of the template one could have chosen"),
    observations: number("daily returns of the run"),
    skew: numberOrNull("of the daily returns"),
    kurtosis: numberOrNull("of the daily returns; a normal distribution has 3"),
    probabilistic_sharpe_ratio: numberOrNull("probability that the true Sharpe is above 0"),
    expected_max_sharpe: numberOrNull("the luck bar: best annual Sharpe of 13 trials by luck"),
    deflated_sharpe_ratio: numberOrNull("probability that the true Sharpe is above the luck bar"),
  })
  .describe(
    "The run taken as the best of 13 trials (Bailey and Lopez de Prado 2014), with the variance of trials without skill, 1/(T-1).",
  );

const EquityPoint = z
  .strictObject({
    date: z.iso.date(),
    equity_usd: number("at the close"),
    drawdown_pct: number("against the highest so far, starting cash included"),
  })
  .meta({ id: "EquityPoint" });

const Trade = z
  .strictObject({
    entry_date: z.iso.date(),
    entry_price_usd: number("the open, with slippage"),
    exit_date: dateOrNull("null while open"),
    exit_price_usd: numberOrNull("the open, less slippage; null while open"),
    units: number("of the coin"),
    return_pct: number("of what was paid, fees included; while open, at the last close"),
    profit_usd: number("net of fees"),
    days: number("closes with the position"),
    open: z.boolean().describe("not sold by the end"),
  })
  .meta({ id: "Trade" });

const Assumptions = z
  .strictObject({
    engine_version: z.string(),
    snapshot: z.string().describe("whose prices the run was computed on"),
    decision: z.string(),
    fill_rule: z.string(),
    sizing: z.string(),
    fee_pct: number("of the traded value, each fill"),
    slippage_pct: number("against the open, each fill"),
    periods_per_year: number("for annualising"),
    risk_free_rate_pct: number("a year"),
    warm_up_days: number("days of history before start_date that the indicators saw"),
  })
  .meta({ id: "BacktestAssumptions" });

/** `result` of a job that is done. */
export const BacktestResult = z
  .strictObject({
    strategy: z.string(),
    variant: number("1 .. 13"),
    params: z.record(z.string(), z.number()).describe("the variant's parameters"),
    coin: z.string(),
    start_date: z.iso.date(),
    end_date: z.iso.date().describe("the coin's last day"),
    days: number("of the run"),
    starting_cash_usd: number("at the open of start_date"),
    final_equity_usd: number("at the last close"),
    return_pct: number("of the whole run"),
    cagr_pct: numberOrNull("return a year, compounded"),
    volatility_pct: numberOrNull("standard deviation of the daily returns, a year"),
    sharpe: numberOrNull("a year, no risk-free rate; null for a flat series"),
    sortino: numberOrNull("a year; null when no day lost"),
    calmar: numberOrNull("CAGR / |max drawdown|; null without a drawdown"),
    max_drawdown_pct: number("0 or negative"),
    max_drawdown_days: number("of the deepest drawdown, from its peak to recovery or the end"),
    exposure_pct: number("share of closes with a position"),
    trades_count: number("an open one included"),
    win_rate_pct: numberOrNull("share of closed trades that made money"),
    profit_factor: numberOrNull("won / lost; null without a losing trade"),
    expectancy_pct: numberOrNull("mean return of a closed trade"),
    best_trade_pct: numberOrNull("return of the best closed trade"),
    worst_trade_pct: numberOrNull("return of the worst closed trade"),
    average_trade_days: numberOrNull("mean days of a closed trade"),
    fees_usd: number("of all fills"),
    buy_hold: BuyHold,
    overfitting: Overfitting,
    check: CheckVerdict.nullable().describe(
      "the verdict of POST /check on the daily returns, at 13 trials, against cash and holding the coin",
    ),
    check_reason: z.string().nullable().describe("why there is none"),
    equity_curve: z.array(EquityPoint).describe("one point a day"),
    trades: z.array(Trade).describe("oldest first"),
    assumptions: Assumptions,
    methodology: z.string().describe("how the figures are computed, in a sentence"),
  })
  .meta({ id: "BacktestResult", description: "A finished backtest. Percentages are percent." });
