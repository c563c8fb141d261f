import type { CoinHistory } from "../bars.ts";
import { DEFAULT_COSTS } from "../engine/costs.ts";
import type { GridFills } from "../engine/grid-fills.ts";
import { runGrid } from "../engine/grid.ts";
import { holdReturns } from "../engine/hold.ts";
import { feesPaid } from "../engine/run-counts.ts";
import type { RunBuffer } from "../engine/simulate.ts";
import { maxDrawdown, sharpeRatio, totalReturn } from "../engine/statistics.ts";
import { pboOfRanges } from "../overfitting/pbo-of-ranges.ts";
import { averageRanks, rankCorrelation } from "../overfitting/ranks.ts";
import { templateRanges } from "../overfitting/template-ranges.ts";
import { pickOf } from "../robustness/cell-premium.ts";
import { VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";
import type { Template } from "../strategies/template.ts";
import { blockRecord } from "./block-record.ts";
import {
  CSCV_RUNS_MIN,
  DATASET_CSCV_BLOCKS,
  DOUBLED_COSTS,
  RUNS_PER_COIN,
  datasetWindow,
  inSampleDays,
} from "./definition.ts";
import type { CellRecord, CoinRecord, DoubledRecord, RunRecord } from "./record.ts";
import { bySegment, segmentRecord, segmentSlices } from "./segment.ts";
import { trialsOf } from "./trials-record.ts";

/**
 * All results of one coin: every run at the usual and at doubled costs, and what choosing led to. `panel` is memory to
 * reuse for the returns, and `fills` are those of the same bars where they are known.
 */
export function coinRecord(
  { coin, bars }: CoinHistory,
  input: { panel?: Float64Array; fills?: GridFills | undefined } = {},
): CoinRecord {
  const window = datasetWindow(bars.day.length);
  const days = window.to - window.from;
  const slices = segmentSlices(days, inSampleDays(days));
  const { panel = new Float64Array(RUNS_PER_COIN * days), fills } = input;
  const runs: RunRecord[] = [];
  const grid = { bars, window, panel, otherCosts: DOUBLED_COSTS, fills, templates: STUDIED };
  runGrid(grid, (run, _, variant, doubled) => {
    runs.push({
      variant,
      segments: bySegment(slices, (slice) => segmentRecord(run, slice)),
      fees: feesPaid(run, DEFAULT_COSTS.feeRate),
      doubled: doubledRecord(doubled, days),
    });
  });
  const returns = runs.map((_, run) => panel.subarray(run * days, (run + 1) * days));
  const held = holdReturns(bars, window);
  const pbos = pbosOf(runs, returns);
  const moves = runs.map(({ segments }) => !Number.isNaN(segments.inSample.sharpe));
  const trials = trialsOf(returns, slices.inSample, moves);
  return {
    coin,
    firstDay: bars.day[window.from]!, // a coin of the dataset has 730 days after the warm-up
    splitDay: bars.day[window.from]! + slices.outOfSample.from,
    lastDay: bars.day[window.to - 1]!,
    hold: bySegment(slices, ({ from, to }) => ({
      sharpe: sharpeRatio(held, from, to),
      totalReturn: totalReturn(held, from, to),
      maxDrawdown: maxDrawdown(held, from, to),
    })),
    cells: STUDIED.map((template, index) => ({
      ...cellOf(
        template,
        runs.slice(index * VARIANTS_PER_TEMPLATE, (index + 1) * VARIANTS_PER_TEMPLATE),
      ),
      pbo: pbos.cells[index]!,
      trials: trials.cells[index]!, // one per template
    })),
    pbo: pbos.coin,
    trials: trials.coin,
    blocks: blockRecord(returns, bars.day[window.from]!),
  };
}

function doubledRecord({ returns }: RunBuffer, days: number): DoubledRecord {
  const split = inSampleDays(days);
  return {
    inSampleSharpe: sharpeRatio(returns, 0, split),
    outOfSampleSharpe: sharpeRatio(returns, split, days),
    outOfSampleReturn: totalReturn(returns, split, days),
  };
}

/** What choosing among the 13 runs of a template led to. */
export function cellOf(
  template: Pick<Template, "name" | "family">,
  runs: readonly RunRecord[],
): Omit<CellRecord, "pbo" | "trials"> {
  const inSample = runs.map((run) => run.segments.inSample.sharpe);
  const outOfSample = runs.map((run) => run.segments.outOfSample.sharpe);
  return {
    template: template.name,
    family: template.family,
    runs,
    pick: pickOf(inSample),
    doubledPick: pickOf(runs.map((run) => run.doubled.inSampleSharpe)),
    outOfSampleRanks: ranksFromBest(outOfSample),
    bestOutOfSample: pickOf(outOfSample),
    rankCorrelation: rankCorrelation(inSample, outOfSample),
  };
}

/** Ranks from 1 for the largest. Equal values share the mean of their ranks; NaN has no rank and is not counted. */
export function ranksFromBest(values: readonly number[]): Float64Array {
  const known = [...values.keys()].filter((index) => !Number.isNaN(values[index]));
  const ranks = new Float64Array(values.length).fill(NaN);
  const ascending = averageRanks(known.map((index) => -values[index]!)); // indices of values
  for (const [order, index] of known.entries()) ranks[index] = ascending[order]!;
  return ranks;
}

/**
 * Probability of overfitting of each template's 13 runs, and of all the coin's runs, over the whole run: how the choice
 * does between any two halves of the history, not only between the first 70 % and the rest. Runs that never traded are
 * dropped.
 */
function pbosOf(runs: readonly RunRecord[], returns: readonly Float64Array[]) {
  const moving = [...runs.keys()].filter((run) => !Number.isNaN(runs[run]!.segments.whole.sharpe));
  const ranges = [...templateRanges(moving), { from: 0, to: moving.length }];
  const pbos = pboOfRanges(
    moving.map((run) => returns[run]!),
    DATASET_CSCV_BLOCKS,
    ranges,
  );
  const known = pbos.map((pbo, set) =>
    ranges[set]!.to - ranges[set]!.from < CSCV_RUNS_MIN ? NaN : pbo,
  );
  return { cells: known.subarray(0, STUDIED.length), coin: known[STUDIED.length]! };
}
