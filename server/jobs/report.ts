import { BacktestResult, type Deflation } from "../../api/backtest-result.ts";
import { FigureOutOfRange, OUT_OF_RANGE } from "../../api/figure-out-of-range.ts";
import { StudyResult } from "../../api/study.ts";
import { rowOfDay } from "../../quant/bars.ts";
import { dateOfDay, DAYS_PER_YEAR } from "../../quant/calendar.ts";
import { runBacktest, type Backtest } from "../../quant/engine/backtest.ts";
import { DEFAULT_COSTS } from "../../quant/engine/costs.ts";
import { holdReturns } from "../../quant/engine/hold.ts";
import { returnStatistics } from "../../quant/engine/statistics.ts";
import { ENGINE_VERSION } from "../../quant/engine/version.ts";
import {
  deflatedSharpe,
  luckBar,
  nullTrialsVariance,
} from "../../quant/overfitting/deflated-sharpe.ts";
import { probabilisticSharpe } from "../../quant/overfitting/probabilistic-sharpe.ts";
import { findTemplate, VARIANTS_PER_TEMPLATE } from "../../quant/strategies/catalogue.ts";
import { createMarket } from "../../quant/strategies/market.ts";
import { flagsOf } from "../../quant/strategies/template.ts";
import { runAskedStudy } from "../../quant/studies/asked-study.ts";
import type { BacktestRequest, StudyRequest } from "../../accounts/jobs/job.ts";
import { checkOfRun } from "./check-of-run.ts";
import type { JobTask } from "./pool.ts";

/** The result of a backtest, as `BacktestResult` documents it. The same task gives the same result. */
export function reportOf(
  task: Pick<JobTask, "bars" | "snapshotId"> & { readonly request: BacktestRequest },
) {
  const { bars, request } = task;
  const { own, variant } = request;
  const template = findTemplate(request.strategy);
  const params = own?.params ?? template?.variants[variant - 1];
  const costs = {
    feeRate: own?.feeRate ?? DEFAULT_COSTS.feeRate,
    slippageRate: own?.slippageRate ?? DEFAULT_COSTS.slippageRate,
  };
  const nTrials = own?.nTrials ?? VARIANTS_PER_TEMPLATE;
  const from = rowOfDay(bars, request.startDay);
  if (template === undefined || params === undefined || from < 0) {
    throw new Error("a job was accepted that cannot be run");
  }
  const to = own?.endDay === undefined ? bars.day.length : rowOfDay(bars, own.endDay) + 1;
  const window = { from, to };
  const flags = flagsOf(template, createMarket(bars), params);
  const run = runBacktest({ bars, flags, window, startingCash: request.startingCashUsd, costs });
  assertWithinRange(run);
  const held = holdReturns(bars, window);
  return BacktestResult.from({
    strategy: template.name,
    variant: own?.params === undefined ? variant : null,
    params,
    coin: request.coin,
    startDay: request.startDay,
    startingCash: request.startingCashUsd,
    run,
    held: returnStatistics(held),
    deflation: {
      ...deflationOf(run, nTrials),
      trialsSource: own && (own.nTrials === undefined ? "assumed" : "declared"),
    },
    ...checkOfRun(run, { name: request.coin, returns: held }, nTrials),
    assumptions: {
      ...costs,
      engineVersion: ENGINE_VERSION,
      snapshotId: task.snapshotId,
      periodsPerYear: DAYS_PER_YEAR,
      warmUpDays: from,
    },
  });
}

/** Must be checked first, because figures computed from an infinite equity may be NaN. */
function assertWithinRange({ days, equity }: Backtest): void {
  const row = equity.indexOf(Infinity);
  if (row < 0) return;
  throw new FigureOutOfRange(
    `at the close of ${dateOfDay(days[row]!)} the equity is ${OUT_OF_RANGE}`,
  );
}

/** The figures of the run as the best of `trials`. They are NaN if the run has no Sharpe ratio. */
function deflationOf({ statistics }: Backtest, trials: number): Deflation {
  const { days: observations, skew, kurtosis } = statistics;
  const annualRoot = Math.sqrt(DAYS_PER_YEAR);
  const estimate = { sharpe: statistics.sharpe / annualRoot, observations, skew, kurtosis };
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

/** The result of a study, as `StudyResult` documents it. The same task gives the same result. */
export function studyResult({
  bars,
  request,
  known,
  snapshotId,
}: Omit<JobTask, "kind" | "request"> & { readonly request: StudyRequest }) {
  const study = runAskedStudy(request, bars, { known: known ?? undefined });
  return StudyResult.from({ ...study, engineVersion: ENGINE_VERSION, snapshotId });
}
