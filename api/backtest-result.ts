import type { VerdictFigures } from "../quant/check/report.ts";
import type { Backtest } from "../quant/engine/backtest.ts";
import type { ReturnStatistics } from "../quant/engine/statistics.ts";
import type { Trade as TradeFigures } from "../quant/engine/trades.ts";
import type { Params } from "../quant/strategies/template.ts";
import { CheckVerdict } from "./check-verdict.ts";
import {
  date,
  finite,
  finitePercent,
  flag,
  int,
  list,
  number,
  numbersByName,
  object,
  oneOf,
  percent,
  text,
} from "./members.ts";
import { record } from "./record.ts";

const Held = record<ReturnStatistics>()({
  return_pct: percent.orNull("first open to last close", (held) => held.totalReturn),
  cagr_pct: percent.orNull("return a year, compounded"),
  sharpe: number.orNull("of its daily returns; null when flat"),
  max_drawdown_pct: percent.orNull("deepest fall of a close below the highest before it"),
});

/** A run taken as the best of so many trials. Figures are NaN for a run without a Sharpe ratio. */
export interface Deflation {
  readonly trials: number;
  readonly trialsSource?: "declared" | "assumed" | undefined;
  readonly observations: number;
  readonly skew: number;
  readonly kurtosis: number;
  readonly probabilisticSharpe: number;
  readonly luckBar: number;
  readonly deflatedSharpe: number;
}

const Overfitting = record<Deflation>()({
  n_trials: int(
    "variants of the template one could have chosen, or as declared",
    (deflation) => deflation.trials,
  ),
  n_trials_source: oneOf(["declared", "assumed"]).ifAny(
    "only of a run of your own",
    (deflation) => deflation.trialsSource,
  ),
  observations: number("daily returns of the run"),
  skew: number.orNull("of the daily returns"),
  kurtosis: number.orNull("of the daily returns; a normal distribution has 3"),
  probabilistic_sharpe_ratio: number.orNull(
    "PSR: 1 less the p-value of no edge, for one try",
    (deflation) => deflation.probabilisticSharpe,
  ),
  expected_max_sharpe: number.orNull(
    "the luck bar: best annual Sharpe of n_trials by luck",
    (deflation) => deflation.luckBar,
  ),
  deflated_sharpe_ratio: number.orNull(
    "DSR: 1 less the p-value of a true Sharpe at the luck bar",
    (deflation) => deflation.deflatedSharpe,
  ),
});

export const EquityPoint = record<ReturnType<typeof closesOf>[number]>({ id: "EquityPoint" })({
  date: date("", (close) => close.day),
  equity_usd: finite("at the close", (close) => close.equity),
  drawdown_pct: finitePercent("against the highest so far, starting cash included"),
});

export const Trade = record<TradeFigures>({ id: "Trade" })({
  entry_date: date("", (trade) => trade.entryDay),
  entry_price_usd: finite("the open, with slippage", (trade) => trade.entryPrice),
  exit_date: date.orNull("null while open", (trade) => trade.exitDay),
  exit_price_usd: number.orNull(
    "the open, less slippage; null while open",
    (trade) => trade.exitPrice,
  ),
  units: finite("of the coin"),
  return_pct: finitePercent("of what was paid, fees included; while open, at the last close"),
  profit_usd: finite("net of fees", (trade) => trade.profit),
  days: number("closes with the position"),
  open: flag("not sold by the end"),
});

/** What the run assumes. Rates are fractions. */
interface RunAssumptions {
  readonly engineVersion: string;
  readonly snapshotId: string;
  readonly feeRate: number;
  readonly slippageRate: number;
  readonly periodsPerYear: number;
  readonly warmUpDays: number;
}

const Assumptions = record<RunAssumptions>({ id: "BacktestAssumptions" })({
  engine_version: text(),
  snapshot: text("whose prices the run was computed on", (assumptions) => assumptions.snapshotId),
  decision: text("", () => "on the close of a day, from start_date on; the account starts flat"),
  fill_rule: text(
    "",
    () => "at the next day's open; a position open at the end is marked at the last close",
  ),
  sizing: text("", () => "all equity, fractional units, long or flat"),
  fee_pct: finitePercent("of the traded value, each fill", (assumptions) => assumptions.feeRate),
  slippage_pct: finitePercent(
    "against the open, each fill",
    (assumptions) => assumptions.slippageRate,
  ),
  periods_per_year: number("for annualising"),
  risk_free_rate_pct: number("a year", () => 0),
  warm_up_days: number("days of history before start_date that the indicators saw"),
});

const METHODOLOGY =
  "Rules are read on daily closes (UTC) of the whole history up to each day, orders fill at the next open, figures are of the equity at each close and net of costs; every formula with its source is under /docs/methods.";

/** A finished run, with the figures it is compared with. */
export interface FinishedRun {
  readonly strategy: string;
  readonly variant: number | null;
  readonly params: Params;
  readonly coin: string;
  readonly startDay: number;
  readonly startingCash: number;
  readonly run: Backtest;
  readonly held: ReturnStatistics;
  readonly deflation: Deflation;
  readonly verdict: VerdictFigures | null;
  readonly verdictReason: string | null;
  readonly assumptions: RunAssumptions;
}

/** `result` of a job that is done. */
export const BacktestResult = record<FinishedRun>({
  id: "BacktestResult",
  description: "A finished backtest. Percentages are percent.",
})({
  strategy: text(),
  variant: number.orNull("1 .. 13; null for parameters of your own"),
  params: numbersByName("the parameters of the run"),
  coin: text(),
  start_date: date("", (run) => run.startDay),
  end_date: date(
    "last day, by default the coin's",
    ({ startDay, run }) => startDay + run.days.length - 1,
  ),
  days: number("of the run", ({ run }) => run.days.length),
  starting_cash_usd: number("at the open of start_date", (run) => run.startingCash),
  final_equity_usd: finite("at the last close", ({ run }) => run.finalEquity),
  return_pct: finitePercent("of the whole run", ({ run }) => run.statistics.totalReturn),
  cagr_pct: percent.orNull("return a year, compounded", ({ run }) => run.statistics.cagr),
  volatility_pct: percent.orNull(
    "standard deviation of the daily returns, a year",
    ({ run }) => run.statistics.volatility,
  ),
  sharpe: number.orNull(
    "a year, no risk-free rate; null for a flat series",
    ({ run }) => run.statistics.sharpe,
  ),
  sortino: number.orNull("a year; null when no day lost", ({ run }) => run.statistics.sortino),
  calmar: number.orNull(
    "CAGR / |max drawdown|; null without a drawdown",
    ({ run }) => run.statistics.calmar,
  ),
  max_drawdown_pct: finitePercent("0 or negative", ({ run }) => run.statistics.maxDrawdown),
  max_drawdown_days: number(
    "of the deepest drawdown, from its peak to recovery or the end",
    ({ run }) => run.statistics.maxDrawdownDays,
  ),
  exposure_pct: finitePercent("share of closes with a position", ({ run }) => run.exposure),
  trades_count: number("an open one included", ({ run }) => run.tradeStatistics.trades),
  win_rate_pct: percent.orNull(
    "share of closed trades that made money",
    ({ run }) => run.tradeStatistics.winRate,
  ),
  profit_factor: number.orNull(
    "won / lost; null without a losing trade",
    ({ run }) => run.tradeStatistics.profitFactor,
  ),
  expectancy_pct: percent.orNull(
    "mean return of a closed trade",
    ({ run }) => run.tradeStatistics.expectancy,
  ),
  best_trade_pct: percent.orNull(
    "return of the best closed trade",
    ({ run }) => run.tradeStatistics.best,
  ),
  worst_trade_pct: percent.orNull(
    "return of the worst closed trade",
    ({ run }) => run.tradeStatistics.worst,
  ),
  average_trade_days: number.orNull(
    "mean days of a closed trade",
    ({ run }) => run.tradeStatistics.averageDays,
  ),
  fees_usd: finite("of all fills", ({ run }) => run.fees),
  buy_hold: object(Held)(
    "Bought at the open of start_date without costs and held over the same days.",
    (run) => run.held,
  ),
  overfitting: object(Overfitting)(
    "The run taken as the best of n_trials (Bailey and Lopez de Prado 2014), with the variance of trials without skill, 1/(T-1).",
    (run) => run.deflation,
  ),
  check: object(CheckVerdict).orNull(
    "the verdict of POST /check on the daily returns, at n_trials, against cash and holding the coin",
    (run) => run.verdict,
  ),
  check_reason: text.orNull("why there is none", (run) => run.verdictReason),
  equity_curve: list(EquityPoint)("one point a day", ({ run }) => closesOf(run)),
  trades: list(Trade)("oldest first", ({ run }) => run.trades),
  assumptions: object(Assumptions)(),
  methodology: text("how the figures are computed, in a sentence", () => METHODOLOGY),
});

function closesOf({ days, equity, drawdown }: Backtest) {
  return Array.from(days, (day, row) => ({
    day,
    equity: equity[row]!,
    drawdown: drawdown[row]!,
  }));
}
