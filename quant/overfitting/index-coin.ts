import type { Bars } from "../bars.ts";
import { columnOf, median } from "../sample-statistics.ts";
import { DEFAULT_COSTS } from "../engine/costs.ts";
import type { Costs } from "../engine/costs.ts";
import { runGrid } from "../engine/grid.ts";
import type { GridFills } from "../engine/grid-fills.ts";
import { DAYS_PER_YEAR } from "../calendar.ts";
import { shapeOfReturns, sharpeRatio } from "../engine/statistics.ts";
import { VARIANTS_PER_TEMPLATE, WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";
import { deflatedSharpe, nullTrialsVariance } from "./deflated-sharpe.ts";
import {
  INDEX_CSCV_BLOCKS,
  INDEX_DAYS,
  INDEX_IN_SAMPLE_DAYS,
  INDEX_SET_MIN,
} from "./index-definition.ts";
import type { LayerSums } from "./index-layer.ts";
import { addLayers } from "./index-layer.ts";
import { pboOfRanges } from "./pbo-of-ranges.ts";
import type { Range } from "./pbo-of-ranges.ts";
import { rankCorrelation } from "./ranks.ts";
import { templateRanges } from "./template-ranges.ts";

/** What one coin adds to the index of one month. */
export interface CoinMonth {
  readonly tuning: LayerSums;
  readonly shopping: LayerSums;
  /** Annual Sharpe of the runs that moved in both periods, in grid order. */
  readonly inSample: Float64Array;
  readonly outOfSample: Float64Array;
  /** All runs, including those that did not move. */
  readonly runs: number;
  readonly winners: readonly Winner[];
  /** Sharpe of the default variants; NaN for a flat one. */
  readonly defaultsOutOfSample: readonly number[];
}

/** The best in-sample run of a template, by its annual Sharpe ratios. */
interface Winner {
  readonly inSample: number;
  readonly outOfSample: number;
  /** DSR of at least 0.95 for a choice among 13, with V = 1/(T - 1). */
  readonly significant: boolean;
}

const SIGNIFICANT = 0.95;

/** Daily returns of all runs of a coin. Each is one continuous run from the end of the warm-up. */
interface CoinRuns {
  /** Day of the first row of every column. */
  readonly firstDay: number;
  /** In grid order: templates in catalogue order, then variants in theirs. */
  readonly returns: readonly Float64Array[];
}

/**
 * Runs the whole grid over a history. Nothing in it looks ahead, so a month is a slice of the result,
 * whatever came later. Pass `panel` to reuse memory, and `fills` when those of the same bars are known.
 */
export function coinRuns(
  bars: Bars,
  of: { panel?: Float64Array; costs?: Costs; fills?: GridFills | undefined } = {},
): CoinRuns {
  const { panel, costs = DEFAULT_COSTS, fills } = of;
  const window = { from: WARM_UP_DAYS, to: bars.day.length };
  const days = window.to - window.from;
  const runs = STUDIED.length * VARIANTS_PER_TEMPLATE;
  const into = panel ?? new Float64Array(runs * days);
  runGrid({ bars, window, costs, fills, panel: into, templates: STUDIED }, () => {});
  return {
    firstDay: bars.day[WARM_UP_DAYS]!, // a shorter history is not run
    returns: Array.from({ length: runs }, (_, run) => into.subarray(run * days, (run + 1) * days)),
  };
}

/**
 * One coin's part in the month that ends on `lastDay`; the runs must cover that day and the 1,094 before
 * it.
 */
export function coinMonth({ firstDay, returns }: CoinRuns, lastDay: number): CoinMonth {
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
    inSample: a,
    outOfSample: b,
    runs: returns.length,
    winners: ranges.slice(1).map((range) => {
      const best = bestOf(a, range);
      const window = returns[moving[best]!]!.subarray(from, split); // best is in the range
      return winnerOf({ inSample: a[best]!, outOfSample: b[best]!, window });
    }),
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

interface RankedSet {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly range: Range;
  readonly pbo: number;
}

/**
 * The sums of a single set. Where all strategies of a period are equal there is no ranking to persist: the
 * rank correlation is undefined and counts as 0, as its PBO counts as one half.
 */
function setSums({ a, b, range, pbo }: RankedSet): LayerSums {
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

function winnerOf(of: { inSample: number; outOfSample: number; window: Float64Array }): Winner {
  const { inSample, outOfSample, window } = of;
  const observations = window.length;
  const estimate = {
    sharpe: inSample / Math.sqrt(DAYS_PER_YEAR),
    observations,
    ...shapeOfReturns(window, 0, observations),
  };
  const deflation = {
    trials: VARIANTS_PER_TEMPLATE,
    trialsVariance: nullTrialsVariance(observations),
  };
  return { inSample, outOfSample, significant: deflatedSharpe(estimate, deflation) >= SIGNIFICANT };
}
