import { findTemplate } from "./catalogue.ts";
import type { Template } from "./template.ts";

/** The definition of the dataset and of the index: which templates they run, in their order. */
const NAMES = [
  "ma_cross",
  "ema_cross",
  "triple_ema",
  "macd_cross",
  "rsi_reversion",
  "rsi_trend",
  "stochastic",
  "cci",
  "williams_r",
  "mfi",
  "bollinger_reversion",
  "bollinger_breakout",
  "keltner_breakout",
  "donchian_breakout",
  "supertrend",
  "adx_trend",
  "parabolic_sar",
  "ichimoku",
  "aroon",
  "time_series_momentum",
  "zscore_reversion",
  "volatility_filtered_trend",
];

/**
 * The 22 templates of the dataset and the index. Frozen with their variants: a template that is added to the
 * catalogue can be backtested, but changes no published figure.
 */
export const STUDIED: readonly Template[] = NAMES.map((name) => {
  const template = findTemplate(name);
  if (template === undefined) throw new Error(`the catalogue has no template "${name}"`);
  return template;
});
