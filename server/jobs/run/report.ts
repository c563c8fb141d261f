import { BacktestResult, type Deflation } from "../../../api/backtest-result.ts";
import { FigureOutOfRange, OUT_OF_RANGE } from "../../../api/figure-out-of-range.ts";
import { rowOfDay } from "../../../quant/bars.ts";
import { dateOfDay, DAYS_PER_YEAR } from "../../../quant/calendar.ts";
import { runBacktest, type Backtest } from "../../../quant/engine/backtest.ts";
import { DEFAULT_COSTS } from "../../../quant/engine/costs.ts";
import { holdReturns } from "../../../quant/engine/hold.ts";
import { returnStatistics } from "../../../quant/engine/statistics.ts";
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
import { checkOfRun } from "./check-of-run.ts";
import type { BacktestTask } from "./pool.ts";

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
  return BacktestResult.of({
    strategy: template.name,
    variant: request.variant,
    params,
    coin: request.coin,
    startDay: request.startDay,
    startingCash: request.startingCashUsd,
    run,
    held: returnStatistics(held),
    deflation: deflationOf(run),
    ...checkOfRun(run, { name: request.coin, returns: held }),
    assumptions: {
      ...DEFAULT_COSTS,
      engineVersion: ENGINE_VERSION,
      snapshotId: task.snapshotId,
      periodsPerYear: DAYS_PER_YEAR,
      warmUpDays: from,
    },
  });
}

/** Checked first, because figures computed from an infinite equity may not be numbers at all. */
function assertWithinRange({ days, equity }: Backtest): void {
  const row = equity.indexOf(Infinity);
  if (row < 0) return;
  throw new FigureOutOfRange(
    `at the close of ${dateOfDay(days[row]!)} the equity is ${OUT_OF_RANGE}`,
  );
}

/** The run as if it were the best of its template's variants; no figure if the run has no Sharpe ratio. */
function deflationOf({ statistics }: Backtest): Deflation {
  const { days: observations, skew, kurtosis } = statistics;
  const annualRoot = Math.sqrt(DAYS_PER_YEAR);
  const estimate = { sharpe: statistics.sharpe / annualRoot, observations, skew, kurtosis };
  const trials = VARIANTS_PER_TEMPLATE;
  const deflation = { trials, trialsVariance: nullTrialsVariance(observations) };
  const has = Number.isFinite(statistics.sharpe);
  return {
    trials,
    observations,
    skew,
    kurtosis,
    probabilisticSharpe: has ? probabilisticSharpe(estimate, 0) : NaN,
    luckBar: has ? luckBar(deflation) * annualRoot : NaN,
    deflatedSharpe: has ? deflatedSharpe(estimate, deflation) : NaN,
  };
}
