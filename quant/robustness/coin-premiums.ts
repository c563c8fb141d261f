import type { Bars } from "../bars.ts";
import { DAYS_PER_YEAR } from "../calendar.ts";
import { DOUBLED_COSTS, datasetWindow } from "../dataset/definition.ts";
import { DEFAULT_COSTS } from "../engine/costs.ts";
import { dayReturns } from "../engine/day-returns.ts";
import { gridFills, takeFills } from "../engine/grid-fills.ts";
import { createRunBuffer } from "../engine/simulate.ts";
import { median } from "../sample-statistics.ts";
import { VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";
import { pickOf, premiumOf, type CellSharpes, type Premium } from "./cell-premium.ts";
import { DATASET_SPLIT, TURNOVER_DAYS } from "./definition.ts";
import {
  calmarUntil,
  createTracks,
  cutAt,
  growthBetween,
  sharpeBetween,
  trackOtherCosts,
  trackRun,
  type RunTracks,
} from "./run-track.ts";
import { walkForward } from "./walk-forward.ts";
import {
  quarterWindows,
  splitWindows,
  yearWindows,
  type RunDays,
  type TestWindow,
} from "./windows.ts";

/** The history on which every choice is made. */
export interface PremiumsJob {
  readonly bars: Bars;
  /** Date of the first run day. */
  readonly firstDay: number;
  /** Whether to follow the best variant from quarter to quarter. */
  readonly walks: boolean;
}

export type CoinPremiums = Readonly<ReturnType<typeof coinPremiums>>;

/** What every choice on one coin was worth, one premium per template in catalogue order. */
export function coinPremiums({ bars, firstDay, walks }: PremiumsJob) {
  const window = datasetWindow(bars.day.length);
  const run: RunDays = { firstDay, days: window.to - window.from };
  const quarters = walks ? quarterWindows(run) : [];
  const splits = splitWindows(run);
  const windows = [...splits, ...yearWindows(run)];
  const rows = [...windows, ...quarters].flatMap(({ split, end }) => [split, end]);
  const runs = STUDIED.length * VARIANTS_PER_TEMPLATE;
  const tracks = createTracks(rows, runs);
  const own = splits.find(({ name }) => name === DATASET_SPLIT)!; // one of the splits
  const doubled = createTracks([own.split, own.end], runs);
  const usual = dayReturns(bars, DEFAULT_COSTS);
  const other = dayReturns(bars, DOUBLED_COSTS);
  const fills = gridFills(bars, window, STUDIED);
  const buffer = createRunBuffer(run.days, new Float64Array()); // only its fills are needed
  for (let index = 0; index < runs; index++) {
    takeFills(fills, index, buffer);
    trackRun(tracks, index, { buffer, days: usual, first: window.from });
    trackOtherCosts(doubled, index, { from: tracks, buffer, usual, other, first: window.from });
  }
  const cells = STUDIED.map((_, template) =>
    Array.from({ length: VARIANTS_PER_TEMPLATE }, (_, at) => template * VARIANTS_PER_TEMPLATE + at),
  );
  const bySharpe = (runTracks: RunTracks, at: TestWindow) =>
    cells.map((cell) => {
      const sharpes = sharpesOf(runTracks, cell, at);
      return premiumOf(pickOf(sharpes.inSample), sharpes);
    });
  const sharpes = cells.map((cell) => sharpesOf(tracks, cell, own));
  const split = cutAt(tracks, own.split);
  const byScore = (scoreOf: (run: number) => number) =>
    cells.map((cell, template) => {
      const pick = pickOf(cell.map(scoreOf), sharpes[template]!.inSample);
      return premiumOf(pick, sharpes[template]!);
    });
  return {
    /** By the name of the choice. */
    choices: new Map<string, readonly Premium[]>([
      ...windows.map((at) => [at.name, bySharpe(tracks, at)] as const),
      ["double_costs", bySharpe(doubled, own)],
      ["pick_by_return", byScore((run) => growthBetween(tracks, run, 0, split))],
      ["pick_by_calmar", byScore((run) => calmarUntil(tracks, run, split))],
      ["pick_default", byScore((run) => (run % VARIANTS_PER_TEMPLATE === 0 ? 1 : NaN))],
    ]),
    /** The dataset's own in-sample and out-of-sample Sharpe ratios, by template. */
    sharpes,
    walks: cells.map((cell) => walkForward(tracks, cell, quarters)),
    /** Logarithm per year of holding the coin over the quarters; NaN without any. */
    holdGrowth: holdGrowth(bars, window.from, quarters),
  };
}

function sharpesOf(
  tracks: RunTracks,
  runs: readonly number[],
  { split, end }: TestWindow,
): CellSharpes {
  const [middle, last] = [cutAt(tracks, split), cutAt(tracks, end)];
  return {
    inSample: runs.map((run) => sharpeBetween(tracks, run, 0, middle)),
    outOfSample: runs.map((run) => sharpeBetween(tracks, run, middle, last)),
  };
}

/** From the close before the first quarter to the close of the last. */
function holdGrowth({ close }: Bars, firstRow: number, quarters: readonly TestWindow[]): number {
  const [begin, end] = [quarters[0]?.split, quarters.at(-1)?.end];
  if (begin === undefined || end === undefined) return NaN;
  const growth = close[firstRow + end - 1]! / close[firstRow + begin - 1]!;
  return (Math.log(growth) * DAYS_PER_YEAR) / (end - begin);
}

/** Median daily turnover in dollars over the last year of a history. */
export function turnoverOf({ close, volume }: Bars): number {
  const from = Math.max(0, close.length - TURNOVER_DAYS);
  return median(Array.from(close.subarray(from), (price, row) => price * volume[from + row]!));
}
