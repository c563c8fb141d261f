import type { Bars } from "../bars.ts";
import { RUNS_PER_COIN } from "../dataset/definition.ts";
import { runGrid } from "../engine/grid.ts";
import type { Window } from "../engine/simulate.ts";
import { sharpeRatio } from "../engine/statistics.ts";
import { panelOf, permutedDays, rebuiltBars } from "../overfitting/index-panel.ts";
import { seededRandom } from "../overfitting/seeded-random.ts";
import { quantile } from "../sample-statistics.ts";
import { VARIANTS_PER_TEMPLATE, WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";

/** Constant, so that the same coin and days always have the same bar. */
const SEED = 20_261_129;

/** Annual Sharpe ratios of the 286 runs of a coin over a window, in grid order; NaN for a run that never trades. */
export function gridSharpes(bars: Bars, window: Window): Float64Array {
  const sharpes = new Float64Array(RUNS_PER_COIN);
  let run = 0;
  // The start day is always flat: it is the close before the first day that is compared.
  runGrid({ bars, window, templates: STUDIED }, ({ returns }) => {
    sharpes[run++] = sharpeRatio(returns, 1, returns.length);
  });
  return sharpes;
}

/**
 * The annual Sharpe ratio that luck alone reaches on a coin over some days, for the best of 1, 13 and 286 runs. The days
 * are permuted in blocks of 1 to 5 as for the Crypto Overfitting Index, prices are rebuilt and all rules run again. The
 * days of the warm-up are permuted among themselves, so that holding the coin earns what it did. The bar of one run
 * pools all runs, that of 13 the best of each template, that of 286 the best of all.
 */
export function permutedLuckBar(
  bars: Bars,
  { from, to }: Window,
  draws: number,
  onDraw?: (done: number) => void,
) {
  const days = WARM_UP_DAYS + to - from;
  const panel = panelOf([bars], { lastDay: bars.day[to - 1]!, days });
  const warmUp = WARM_UP_DAYS + 1; // with the close from which the first day's return counts
  const [single, ofTemplate, ofAll]: [number[], number[], number[]] = [[], [], []];
  for (let draw = 0; draw < draws; draw++) {
    const random = seededRandom(SEED, draw);
    const before = permutedDays(warmUp, random);
    const after = permutedDays(days - warmUp, random).map((day) => warmUp + day);
    const rebuilt = rebuiltBars(panel.coins[0]!, Int32Array.of(...before, ...after));
    const sharpes = gridSharpes(rebuilt, { from: WARM_UP_DAYS, to: days });
    for (const sharpe of sharpes) if (!Number.isNaN(sharpe)) single.push(sharpe);
    for (let run = 0; run < sharpes.length; run += VARIANTS_PER_TEMPLATE) {
      ofTemplate.push(bestOf(sharpes.subarray(run, run + VARIANTS_PER_TEMPLATE)));
    }
    ofAll.push(bestOf(sharpes));
    onDraw?.(draw + 1);
  }
  return { n1: barOf(single), n13: barOf(ofTemplate), n286: barOf(ofAll) };
}

/** NaN where none of the runs trades. */
function bestOf(sharpes: Float64Array): number {
  const known = sharpes.filter((sharpe) => !Number.isNaN(sharpe));
  return known.length > 0 ? Math.max(...known) : NaN;
}

function barOf(sharpes: readonly number[]) {
  return { median: quantile(sharpes, 0.5), p95: quantile(sharpes, 0.95) };
}
