import type { Bars } from "../bars.ts";
import { DAYS_PER_YEAR } from "../calendar.ts";
import { DEFAULT_COSTS, type Costs } from "../engine/costs.ts";
import type { GridFills } from "../engine/grid-fills.ts";
import { runGrid } from "../engine/grid.ts";
import { shapeOfReturns, sharpeRatio } from "../engine/statistics.ts";
import { columnOf, median } from "../sample-statistics.ts";
import { VARIANTS_PER_TEMPLATE, WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";
import { deflatedSharpe, nullTrialsVariance } from "./deflated-sharpe.ts";
import {
  INDEX_CSCV_BLOCKS,
  INDEX_DAYS,
  INDEX_IN_SAMPLE_DAYS,
  INDEX_SET_MIN,
} from "./index-definition.ts";
import { addLayers, type LayerSums } from "./index-layer.ts";
import { pboOfRanges, type Range } from "./pbo-of-ranges.ts";
import { CONFIDENCE } from "./probabilistic-sharpe.ts";
import { rankCorrelation } from "./ranks.ts";
import { templateRanges } from "./template-ranges.ts";

export type CoinMonth = ReturnType<typeof coinMonth>;

/**
 * Daily returns of all runs of a coin in grid order (templates in catalogue order, then variants in theirs), each
 * one continuous run from the end of the warm-up. Nothing in a run looks ahead, so a month is a slice of it,
 * whatever came later. Pass `panel` to reuse memory, and `fills` when those of the same bars are known.
 */
export function coinRuns(
  bars: Bars,
  input: { panel?: Float64Array; costs?: Costs; fills?: GridFills | undefined } = {},
) {
  const window = { from: WARM_UP_DAYS, to: bars.day.length };
  const days = window.to - window.from;
  const runs = STUDIED.length * VARIANTS_PER_TEMPLATE;
  const { panel = new Float64Array(runs * days), costs = DEFAULT_COSTS, fills } = input;
  runGrid({ bars, window, costs, fills, panel, templates: STUDIED }, () => {});
  return {
    firstDay: bars.day[WARM_UP_DAYS]!, // a shorter history is not run
    returns: Array.from({ length: runs }, (_, run) => panel.subarray(run * days, (run + 1) * days)),
  };
}

/**
 * What one coin adds to the index of the month that ends on `lastDay`; the runs must cover that day and the
 * 1,094 before it. Sharpe ratios are annual.
 */
export function coinMonth({ firstDay, returns }: ReturnType<typeof coinRuns>, lastDay: number) {
  const to = lastDay - firstDay + 1;
  const from = to - INDEX_DAYS;
  const split = from + INDEX_IN_SAMPLE_DAYS;
  const inSample = columnOf(returns, (run) => sharpeRatio(run, from, split));
  const outOfSample = columnOf(returns, (run) => sharpeRatio(run, split, to));
  const moving = [...returns.keys()].filter(
    (run) => !Number.isNaN(inSample[run]!) && !Number.isNaN(outOfSample[run]!), // one value per run
  );
  const a = columnOf(moving, (run) => inSample[run]!);
  const b = columnOf(moving, (run) => outOfSample[run]!);
  const ranges = setsOf(moving);
  const pbos = pboOfRanges(
    moving.map((run) => returns[run]!.subarray(from, to)),
    INDEX_CSCV_BLOCKS,
    ranges,
  );
  const sums = ranges.map((range, set) => setSums({ a, b, range, pbo: pbos[set]! }));
  return {
    shopping: addLayers(sums.slice(0, 1)),
    tuning: addLayers(sums.slice(1)),
    /** Of the runs that moved in both periods, in grid order. */
    inSample: a,
    outOfSample: b,
    /** All runs, including those that did not move. */
    runs: returns.length,
    /** The best in-sample run of each template. */
    winners: ranges.slice(1).map((range) => {
      const best = bestOf(a, range);
      const window = returns[moving[best]!]!.subarray(from, split); // best is in the range
      return {
        inSample: a[best]!,
        outOfSample: b[best]!,
        significant: isSignificant(a[best]!, window),
      };
    }),
    /** Of the default variants; NaN for a flat one. */
    defaultsOutOfSample: STUDIED.map((_, set) => outOfSample[set * VARIANTS_PER_TEMPLATE]!),
  };
}

/**
 * The sets as ranges of the runs that moved: first all of them, then those of each template. Sets of fewer
 * than 5 are left out.
 */
function setsOf(moving: readonly number[]): Range[] {
  const ranges = [{ from: 0, to: moving.length }, ...templateRanges(moving)];
  return ranges.filter(({ from, to }) => to - from >= INDEX_SET_MIN);
}

/**
 * The sums of a single set. Where all strategies of a period are equal there is no ranking to persist, and the
 * undefined rank correlation counts as 0, just as the PBO is one half.
 */
function setSums(input: {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly range: Range;
  readonly pbo: number;
}): LayerSums {
  const { a, b, range, pbo } = input;
  const inSample = a.subarray(range.from, range.to);
  const outOfSample = b.subarray(range.from, range.to);
  const best = bestOf(a, range);
  const correlation = rankCorrelation(inSample, outOfSample);
  return {
    sets: 1,
    pbo,
    rankCorrelation: Number.isNaN(correlation) ? 0 : correlation,
    premiumInSample: a[best]! - median(inSample), // best is in the range
    premiumOutOfSample: b[best]! - median(outOfSample),
  };
}

/** Row of the largest value, the first one on a tie. */
function bestOf(values: Float64Array, { from, to }: Range): number {
  let best = from;
  for (let row = from + 1; row < to; row++) if (values[row]! > values[best]!) best = row;
  return best;
}

/** Whether the DSR of a choice among 13, with V = 1 / (T - 1), is at least 0.95. */
function isSignificant(annualSharpe: number, returns: Float64Array): boolean {
  const observations = returns.length;
  const estimate = {
    sharpe: annualSharpe / Math.sqrt(DAYS_PER_YEAR),
    observations,
    ...shapeOfReturns(returns, 0, observations),
  };
  const trialsVariance = nullTrialsVariance(observations);
  return deflatedSharpe(estimate, { trials: VARIANTS_PER_TEMPLATE, trialsVariance }) >= CONFIDENCE;
}
