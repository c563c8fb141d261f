import { DEFAULT_COSTS, type Costs } from "../engine/costs.ts";
import { VARIANTS_PER_TEMPLATE, WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";
import { coinMonth, coinRuns } from "./index-coin.ts";
import { permutedDays, rebuiltBars, type Panel } from "./index-panel.ts";
import { indexValue, type IndexValue } from "./index-value.ts";
import { seededRandom } from "./seeded-random.ts";

const RUNS = STUDIED.length * VARIANTS_PER_TEMPLATE;

/** One permutation of a panel. */
export interface IndexDrawJob {
  readonly panel: Panel;
  readonly seed: number;
  readonly draw: number;
  /** By default, those of every published run; set to study the effect of costs. */
  readonly costs?: Costs;
  /** The longest block of days that stays together; set to study the effect of block length. */
  readonly blockDays?: number;
}

/**
 * The index of one permutation of a panel: its value in a market whose order of days teaches nothing.
 * Everything is run again, including templates and engine. Draw `draw` of a seed is the same in any order
 * and on any thread. Each coin in turn uses `returns`; pass it to reuse memory.
 */
export function indexDraw(
  job: IndexDrawJob,
  returns: Float64Array = new Float64Array(RUNS * (job.panel.days - WARM_UP_DAYS)),
): IndexValue {
  const { panel, seed, draw, costs = DEFAULT_COSTS } = job;
  const order = permutedDays(panel.days, seededRandom(seed, draw), job.blockDays);
  const months = panel.coins.map((coin) => {
    const bars = rebuiltBars(coin, order);
    // Days of rebuilt bars are numbered from 0.
    return coinMonth(coinRuns(bars, { panel: returns, costs }), bars.day.length - 1);
  });
  return indexValue(seed, months);
}
