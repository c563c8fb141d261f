import { sliceBars } from "../bars.ts";
import { DAYS_PER_YEAR } from "../calendar.ts";
import { checkPanel } from "../check/check-panel.ts";
import type { CheckProgress } from "../check/check-progress.ts";
import { distinctColumns } from "../check/distinct-columns.ts";
import { DAY_SECONDS } from "../check/ordered-rows.ts";
import { PanelRefused, type Panel } from "../check/panel.ts";
import type { PeersData } from "../check/peers.ts";
import { runGrid } from "../engine/grid.ts";
import { holdReturns } from "../engine/hold.ts";
import { maxDrawdown, sharpeRatio, totalReturn } from "../engine/statistics.ts";
import { mean } from "../sample-statistics.ts";
import { completed } from "../strategies/legal.ts";
import { flatnessOf, setLabel } from "./parameter-grid.ts";
import { permutedStudy, PERMUTATIONS, trackGrid, type TrackedGrid } from "./permuted-studies.ts";
import { followBest } from "./walk-forward.ts";

/** With fewer days no figure means anything; files have the same limit. */
export const STUDY_DAYS_MIN = 10;
/** Most sets times days. */
export const STUDY_CELLS_MAX = 5_000_000;
/** Few, since White's and Hansen's p-values are for comparison alone. */
const COMPARISON_RESAMPLES = 500;
const PEER_DRAWS = 25;

export interface StudyJob extends TrackedGrid {
  /** Name of the coin in the report. */
  readonly coin: string;
  /** Sets tried in all, these included, as declared by the caller. */
  readonly nTrials?: number | undefined;
  /** Distinct sets of this template known to have been tried on this coin, these included. */
  readonly known?: number | undefined;
  /** The dataset's runs, from which the report says what came after runs like the best one; null for no peers. */
  readonly peers?: PeersData["known"] | null | undefined;
  /** Resamples of the tests; the check's own number by default. */
  readonly resamples?: number | undefined;
  readonly onProgress?: ((progress: StudyProgress) => void) | undefined;
}

export interface StudyProgress extends Omit<CheckProgress, "step"> {
  readonly step: CheckProgress["step"] | "grid" | "shufflings";
}

export type Study = ReturnType<typeof runStudy>;

/**
 * How much of the best set of a grid may be luck: every set's run on a coin, the check of all of them as one panel, how
 * far the best one stands above its neighbours, and what choosing on the past would have led to, each beside the same
 * on permuted days.
 */
export function runStudy(job: StudyJob) {
  const { bars, window, costs, grid, folds, onProgress } = job;
  const days = window.to - window.from;
  const panel = new Float64Array(grid.sets.length * days);
  onProgress?.({ step: "grid", done: 0, total: grid.sets.length });
  const runs = runSets(job, panel);
  const columns = grid.sets.map((_, set) => panel.subarray(set * days, (set + 1) * days));
  const held = holdReturns(bars, window);
  const hold = returnFigures(held);
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
    /** Share of all sets that beat holding the coin. */
    beatHoldSharpe: share((set) => runs.sharpe[set]! > hold.sharpe),
    beatHoldReturn: share((set) => runs.totalReturn[set]! > hold.totalReturn),
    ...checked(job, columns, held),
    permuted,
    walk: folds.length === 0 ? null : walked(tracked, columns, held),
  };
}

/** Every set's figures, one element per set. A set that never moves has a Sharpe ratio of NaN. */
function runSets({ bars, window, costs, grid }: StudyJob, panel: Float64Array) {
  const { template, sets } = grid;
  const days = window.to - window.from;
  const templates = [{ ...template, variants: sets }];
  const figures: (ReturnType<typeof returnFigures> & { trades: number; exposure: number })[] = [];
  runGrid({ bars, window, costs, templates, panel }, ({ returns, fillCount, positionDays }) => {
    figures.push({
      ...returnFigures(returns),
      trades: Math.ceil(fillCount / 2),
      exposure: positionDays / days,
    });
  });
  return {
    sharpe: figures.map(({ sharpe }) => sharpe),
    totalReturn: figures.map((run) => run.totalReturn),
    maxDrawdown: figures.map((run) => run.maxDrawdown),
    trades: figures.map(({ trades }) => trades),
    /** Share of closes at which a position is held. */
    exposure: figures.map(({ exposure }) => exposure),
  };
}

function returnFigures(returns: Float64Array) {
  return {
    sharpe: sharpeRatio(returns, 0, returns.length),
    totalReturn: totalReturn(returns, 0, returns.length),
    maxDrawdown: maxDrawdown(returns, 0, returns.length),
  };
}

/** The check of the whole panel, at the largest number of trials that is known. */
function checked(job: StudyJob, columns: readonly Float64Array[], held: Float64Array) {
  const { bars, window, grid, coin, nTrials, resamples, onProgress } = job;
  const labels = grid.sets.map((params) => setLabel(grid, params));
  const distinct = distinctColumns(labels, columns);
  const measured = distinct.columns.length;
  // Sets that never move, or that repeat another one, are not trials.
  const known = Math.max(measured, (job.known ?? 0) - (columns.length - measured));
  const trials = {
    /** What the verdict holds the best set to. */
    value: Math.max(known, nTrials ?? 0),
    /** Distinct sets of this study that move. */
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

/** What following the best set led to: what a dollar became at each close from the one before the first test. */
function walked(tracked: TrackedGrid, columns: readonly Float64Array[], held: Float64Array) {
  const { bars, costs, grid, folds, window } = tracked;
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
  const templates = [{ ...grid.template, variants: [completed(grid.template, {})] }];
  runGrid({ bars, costs, templates, window, panel: plain }, () => {});
  const curve = (returns: Float64Array) => growth(returns, first, end);
  const all = columns.map(curve);
  return {
    ...followed,
    folds,
    /** Row of the study on which the first test begins. */
    first,
    followedEquity: curve(along),
    holdEquity: curve(held),
    defaultEquity: curve(plain),
    /** A dollar split evenly among all sets. */
    meanEquity: curve(along).map((_, row) => mean(all.map((one) => one[row]!))),
  };
}

/** What a dollar became at each close from `from` on. */
function growth(returns: Float64Array, from: number, to: number): Float64Array {
  let value = 1;
  return returns.subarray(from, to).map((change) => (value *= 1 + change));
}
