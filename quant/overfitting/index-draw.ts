import { DEFAULT_COSTS } from "../engine/costs.ts";
import type { Costs } from "../engine/costs.ts";
import { CATALOGUE, VARIANTS_PER_TEMPLATE, WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { coinMonth, coinRuns } from "./index-coin.ts";
import { INDEX_DAYS } from "./index-definition.ts";
import type { Panel } from "./index-panel.ts";
import { permutedDays, rebuiltBars } from "./index-panel.ts";
import { seededRandom } from "./index-random.ts";
import type { IndexValue } from "./index-value.ts";
import { indexValue } from "./index-value.ts";

/** Days of a panel from which the index can be computed: warm-up and both periods. */
export const PANEL_DAYS = WARM_UP_DAYS + INDEX_DAYS;

const RUNS = CATALOGUE.length * VARIANTS_PER_TEMPLATE;

/** One permutation of a panel. */
export interface IndexDrawJob {
  readonly panel: Panel;
  readonly seed: number;
  readonly draw: number;
  /** Those of every published run, unless the question is what costs do. */
  readonly costs?: Costs;
  /** Likewise the longest block of days that stays together. */
  readonly blockDays?: number;
}

/**
 * The index of one permutation of a panel: what it is where no order of days could have been learnt.
 * The whole way is run again, templates, engine and all. Draw `draw` of a seed is the same in
 * whatever order and on whatever thread it is taken.
 */
export function indexDraw(job: IndexDrawJob): IndexValue {
  const { panel, seed, draw, costs = DEFAULT_COSTS } = job;
  const order = permutedDays(panel.days, seededRandom(seed, draw), job.blockDays);
  const returns = new Float64Array(RUNS * (panel.days - WARM_UP_DAYS)); // one coin behind the other
  const months = panel.coins.map((coin) => {
    const bars = rebuiltBars(coin, order);
    return coinMonth(coinRuns(bars, { panel: returns, costs }), bars.day.length - 1); // days are numbered from 0
  });
  return indexValue(seed, months);
}
