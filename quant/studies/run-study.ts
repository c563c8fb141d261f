import { sliceBars, type Bars } from "../bars.ts";
import { DAYS_PER_YEAR } from "../calendar.ts";
import { checkPanel } from "../check/check-panel.ts";
import type { CheckProgress } from "../check/check-progress.ts";
import { distinctColumns } from "../check/distinct-columns.ts";
import { DAY_SECONDS } from "../check/ordered-rows.ts";
import { PanelRefused, type Panel } from "../check/panel.ts";
import type { PeersData } from "../check/peers.ts";
import type { CheckReport } from "../check/report.ts";
import type { Costs } from "../engine/costs.ts";
import { runGrid } from "../engine/grid.ts";
import { holdReturns } from "../engine/hold.ts";
import type { Window } from "../engine/simulate.ts";
import { maxDrawdown, sharpeRatio, totalReturn } from "../engine/statistics.ts";
import { mean } from "../sample-statistics.ts";
import { flatnessOf, type Flatness } from "./flatness.ts";
import { setLabel, singleSet, type ParameterGrid } from "./parameter-grid.ts";
import {
  permutedStudy,
  PERMUTATIONS,
  trackGrid,
  type PermutedStudy,
  type TrackedGrid,
} from "./permuted-studies.ts";
import { followBest, type Fold, type Followed } from "./walk-forward.ts";

/** With fewer days no figure means anything; files have the same limit. */
export const STUDY_DAYS_MIN = 10;
/** Sets times days. */
export const STUDY_CELLS_MAX = 5_000_000;
/** White's and Hansen's p-values are for comparison alone. */
const COMPARISON_RESAMPLES = 500;
const PEER_DRAWS = 25;

export interface StudyJob {
  readonly bars: Bars;
  /** Name of the coin, as the report has it. */
  readonly coin: string;
  readonly window: Window;
  readonly costs: Costs;
  readonly grid: ParameterGrid;
  /** Tests of the walk forward; none if there are none. */
  readonly folds: readonly Fold[];
  /** Sets tried in all, these included, as the caller says. */
  readonly nTrials?: number | undefined;
  /** Distinct sets of this template and coin that are known to have been tried, these included. */
  readonly known?: number | undefined;
  /** The dataset's runs, for what came after runs like the best one; null for no comparison with runs of our own. */
  readonly peers?: PeersData["known"] | null | undefined;
  /** Resamples of the tests; the check's own number by default. */
  readonly resamples?: number | undefined;
  readonly onProgress?: ((progress: StudyProgress) => void) | undefined;
}

export interface StudyProgress extends Omit<CheckProgress, "step"> {
  readonly step: CheckProgress["step"] | "grid" | "shufflings";
}

/** Every set's figures, one element a set. NaN where a set that never moves has none. */
interface StudyRuns {
  readonly sharpe: readonly number[];
  readonly totalReturn: readonly number[];
  readonly maxDrawdown: readonly number[];
  readonly trades: readonly number[];
  /** Share of closes at which a position is held. */
  readonly exposure: readonly number[];
}

interface StudyTrials {
  /** What the verdict holds the best set to. */
  readonly value: number;
  /** Distinct sets of this study that move. */
  readonly measured: number;
  readonly declared: number | null;
  readonly known: number;
}

/** What following the best set led to, day by day: what a dollar became. */
interface StudyWalk extends Followed {
  readonly folds: readonly Fold[];
  /** Row of the study on which the first test begins; the curves begin at the close before. */
  readonly first: number;
  readonly followedEquity: Float64Array;
  readonly holdEquity: Float64Array;
  readonly defaultEquity: Float64Array;
  /** A dollar split evenly among all sets. */
  readonly meanEquity: Float64Array;
}

export interface Study {
  readonly days: Int32Array;
  readonly runs: StudyRuns;
  readonly hold: {
    readonly sharpe: number;
    readonly totalReturn: number;
    readonly maxDrawdown: number;
  };
  readonly flatness: Flatness;
  /** Share of all sets that beat holding the coin. */
  readonly beatHoldSharpe: number;
  readonly beatHoldReturn: number;
  readonly trials: StudyTrials;
  readonly report: CheckReport | null;
  readonly reportReason: string | null;
  readonly permuted: readonly PermutedStudy[];
  readonly walk: StudyWalk | null;
}

/**
 * Runs every set of a grid on a coin, and says how much of the best one may be luck: the check of the whole panel, how
 * lonely the best set is, and what choosing on the past would have led to, each beside shuffled days.
 */
export function runStudy(job: StudyJob): Study {
  const { bars, window, costs, grid, folds, onProgress } = job;
  const days = window.to - window.from;
  const panel = new Float64Array(grid.sets.length * days);
  onProgress?.({ step: "grid", done: 0, total: grid.sets.length });
  const runs = runSets(job, panel);
  const columns = grid.sets.map((_, set) => panel.subarray(set * days, (set + 1) * days));
  const held = holdReturns(bars, window);
  const hold = {
    sharpe: sharpeRatio(held, 0, days),
    totalReturn: totalReturn(held, 0, days),
    maxDrawdown: maxDrawdown(held, 0, days),
  };
  const share = (beats: (set: number) => boolean) =>
    grid.sets.filter((_, set) => beats(set)).length / grid.sets.length;
  const tracked: TrackedGrid = { bars: sliceBars(bars, 0, window.to), window, costs, grid, folds };
  const permuted = Array.from({ length: PERMUTATIONS }, (_, draw) => {
    onProgress?.({ step: "shufflings", done: draw, total: PERMUTATIONS });
    return permutedStudy(tracked, draw);
  });
  return {
    days: bars.day.subarray(window.from, window.to),
    runs,
    hold,
    flatness: flatnessOf(grid, runs.sharpe),
    beatHoldSharpe: share((set) => runs.sharpe[set]! > hold.sharpe),
    beatHoldReturn: share((set) => runs.totalReturn[set]! > hold.totalReturn),
    ...checked(job, columns, held),
    permuted,
    walk: folds.length === 0 ? null : walked(tracked, columns, held),
  };
}

function runSets({ bars, window, costs, grid }: StudyJob, panel: Float64Array): StudyRuns {
  const { template, sets } = grid;
  const days = window.to - window.from;
  const templates = [{ ...template, variants: sets }];
  const runs = {
    sharpe: new Array<number>(),
    totalReturn: new Array<number>(),
    maxDrawdown: new Array<number>(),
    trades: new Array<number>(),
    exposure: new Array<number>(),
  };
  runGrid({ bars, window, costs, templates, panel }, ({ returns, fillCount, positionDays }) => {
    runs.sharpe.push(sharpeRatio(returns, 0, days));
    runs.totalReturn.push(totalReturn(returns, 0, days));
    runs.maxDrawdown.push(maxDrawdown(returns, 0, days));
    runs.trades.push(Math.ceil(fillCount / 2));
    runs.exposure.push(positionDays / days);
  });
  return runs;
}

/** The check of the whole panel, at the largest number of trials that is known of. */
function checked(
  job: StudyJob,
  columns: readonly Float64Array[],
  held: Float64Array,
): Pick<Study, "trials" | "report" | "reportReason"> {
  const { bars, window, grid, coin, nTrials, resamples, onProgress } = job;
  const labels = grid.sets.map((params) => setLabel(grid, params));
  const distinct = distinctColumns(labels, columns);
  const measured = distinct.columns.length;
  // Sets that never move, or that repeat another one, are no tries.
  const known = Math.max(measured, (job.known ?? 0) - (columns.length - measured));
  const trials = {
    value: Math.max(known, nTrials ?? 0),
    measured,
    declared: nTrials ?? null,
    known,
  };
  const instants = Float64Array.from(
    bars.day.subarray(window.from, window.to),
    (day) => day * DAY_SECONDS,
  );
  const panel: Panel = {
    instants,
    names: distinct.names,
    columns: distinct.columns,
    keptNameOf: distinct.keptNameOf,
    barSeconds: DAY_SECONDS,
    periodsPerYear: DAYS_PER_YEAR,
    periodsReason: "daily bars, weekends included",
    filledBars: 0,
    droppedVariants: distinct.dropped,
    duplicateVariants: distinct.duplicates,
    warnings: [],
  };
  const dataset = job.peers === null ? undefined : { known: job.peers ?? [] };
  const peers = dataset && { ...dataset, coin, bars, shift: 0, draws: PEER_DRAWS, onProgress };
  try {
    const report = checkPanel(panel, {
      source: { format: "returns", tool: "hindsight", kind: "returns" },
      nTrials: nTrials !== undefined || trials.value > measured ? trials.value : undefined,
      coin: { name: coin, returns: held },
      peers,
      comparisonResamples: COMPARISON_RESAMPLES,
      onProgress,
      ...(resamples === undefined ? {} : { resamples }),
    });
    return { trials, report, reportReason: null };
  } catch (error) {
    if (!(error instanceof PanelRefused)) throw error;
    return { trials, report: null, reportReason: error.message };
  }
}

function walked(
  tracked: TrackedGrid,
  columns: readonly Float64Array[],
  held: Float64Array,
): StudyWalk {
  const { grid, folds, window } = tracked;
  const tracks = trackGrid(tracked);
  const followed = followBest(tracks, grid.sets.length, folds);
  const first = folds[0]!.split; // a walk has a fold
  const end = folds.at(-1)!.end;
  const cash = new Float64Array(held.length);
  const along = new Float64Array(held.length);
  for (const [fold, { split, end: to }] of folds.entries()) {
    const column = columns[followed.picks[fold]!] ?? cash; // -1 is cash
    along.set(column.subarray(split, to), split);
  }
  const plain = new Float64Array(held.length);
  const single = { ...tracked, grid: singleSet(grid.template, {}) };
  const { template, sets } = single.grid;
  const templates = [{ ...template, variants: sets }];
  runGrid({ ...single, templates, window, panel: plain }, () => {});
  const curve = (returns: Float64Array) => growth(returns, first, end);
  const all = columns.map(curve);
  return {
    ...followed,
    folds,
    first,
    followedEquity: curve(along),
    holdEquity: curve(held),
    defaultEquity: curve(plain),
    meanEquity: curve(along).map((_, row) => mean(all.map((one) => one[row]!))),
  };
}

/** What a dollar became at each close from `from` on. */
function growth(returns: Float64Array, from: number, to: number): Float64Array {
  let value = 1;
  return returns.subarray(from, to).map((change) => (value *= 1 + change));
}
