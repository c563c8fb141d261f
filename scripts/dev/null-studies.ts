import { sliceBars, type Bars } from "../../quant/bars.ts";
import { DEFAULT_COSTS } from "../../quant/engine/costs.ts";
import { seededRandom } from "../../quant/overfitting/seeded-random.ts";
import { findTemplate } from "../../quant/strategies/catalogue.ts";
import { parameterGrid, type AskedValues } from "../../quant/studies/parameter-grid.ts";
import { permutedBars } from "../../quant/studies/permuted-studies.ts";
import { runStudy, type Study } from "../../quant/studies/run-study.ts";
import { foldsOf } from "../../quant/studies/walk-forward.ts";

/** Studies on prices in permuted order, where nothing can be found. */

const WARM_UP = 220;
const DAYS = 800;
const FOLDS = 6;
const RESAMPLES = 500;
/** Differs from the seed of the shufflings within a study. */
const SEED = 46_000;

const GRIDS: readonly (readonly [template: string, asked: AskedValues])[] = [
  ["ma_cross", { fast: [3, 6, 10, 15, 20, 30], slow: [40, 60, 80, 110, 150, 200] }],
  ["rsi_reversion", { period: [5, 9, 14, 21], oversold: [20, 27, 34, 41], overbought: [60, 75] }],
  ["donchian_breakout", { entry: [10, 20, 30, 50, 80], exit: [5, 10, 20, 40] }],
  ["bollinger_breakout", { period: [10, 20, 40, 80], multiplier: [0.5, 1, 1.5, 2] }],
  ["time_series_momentum", { lookback: { from: 10, to: 190, step: 10 } }],
];

interface NullOutcome {
  readonly isSkill: boolean;
  /** Whether the walk forward's lead is above that of all shufflings. */
  readonly isAboveAll: boolean;
}

/** A study of the last days of a coin, in an order of their own. */
export function nullStudy(bars: Bars, draw: number): NullOutcome {
  const length = WARM_UP + DAYS;
  const part = sliceBars(bars, bars.day.length - length);
  const window = { from: WARM_UP, to: length };
  const permuted = permutedBars(part, window, seededRandom(SEED, draw));
  const study = studyOf(permuted, GRIDS[draw % GRIDS.length]!); // one of them
  const { leadAfter } = study.walk!; // it has folds
  return {
    isSkill: study.report?.verdict.value === "skill",
    isAboveAll: study.permuted.every((each) => leadAfter > each.leadAfter),
  };
}

/** A study of bars that have `WARM_UP` rows before its days. */
export function studyOf(
  bars: Bars,
  [name, asked]: readonly [template: string, asked: AskedValues],
): Study {
  const grid = parameterGrid(findTemplate(name)!, asked); // a template of the catalogue
  const window = { from: WARM_UP, to: bars.day.length };
  const folds = foldsOf(FOLDS, window.to - window.from);
  const study = { bars, coin: "coin", window, costs: DEFAULT_COSTS, grid, folds, peers: null };
  return runStudy({ ...study, resamples: RESAMPLES });
}
