import { adxTrend } from "./adx-trend.ts";
import { aroonTrend } from "./aroon.ts";
import { bollingerBreakout } from "./bollinger-breakout.ts";
import { bollingerReversion } from "./bollinger-reversion.ts";
import { cciStrength } from "./cci.ts";
import { donchianBreakout } from "./donchian-breakout.ts";
import { emaCross } from "./ema-cross.ts";
import { ichimokuCloud } from "./ichimoku.ts";
import { keltnerBreakout } from "./keltner-breakout.ts";
import { maCross } from "./ma-cross.ts";
import { macdCross } from "./macd-cross.ts";
import { mfiReversion } from "./mfi.ts";
import { parabolicSarFollow } from "./parabolic-sar.ts";
import { rsiReversion } from "./rsi-reversion.ts";
import { rsiTrend } from "./rsi-trend.ts";
import { stochasticTurn } from "./stochastic.ts";
import { supertrendFollow } from "./supertrend.ts";
import type { Template } from "./template.ts";
import { timeSeriesMomentum } from "./time-series-momentum.ts";
import { tripleEma } from "./triple-ema.ts";
import { volatilityFilteredTrend } from "./volatility-filtered-trend.ts";
import { williamsReversion } from "./williams-r.ts";
import { zscoreReversion } from "./zscore-reversion.ts";

export const VARIANTS_PER_TEMPLATE = 13;

/** Rows of history that every variant needs before it may trade; the first row to trade has this index. */
export const WARM_UP_DAYS = 200;

/**
 * The templates, in the order of every list of them. Which of them the dataset and the index run is in
 * `studied.ts`; no template is added or removed, and no variant changed, for its effect on either.
 */
export const CATALOGUE: readonly Template[] = [
  maCross,
  emaCross,
  tripleEma,
  macdCross,
  rsiReversion,
  rsiTrend,
  stochasticTurn,
  cciStrength,
  williamsReversion,
  mfiReversion,
  bollingerReversion,
  bollingerBreakout,
  keltnerBreakout,
  donchianBreakout,
  supertrendFollow,
  adxTrend,
  parabolicSarFollow,
  ichimokuCloud,
  aroonTrend,
  timeSeriesMomentum,
  zscoreReversion,
  volatilityFilteredTrend,
];

/** The template of that name, or undefined. */
export function findTemplate(name: string): Template | undefined {
  return CATALOGUE.find((template) => template.name === name);
}
