import type { IndicatorColumns } from "../../quant/indicators/columns.ts";
import { arraysIn, arraysOf, coins, columnsOf, date, double, listed } from "./columns.ts";
import { percent, points, text, usd } from "./columns.ts";
import type { Table, TableBlock } from "./table.ts";

/** Every indicator, in the order of the table. */
const COLUMNS = columnsOf<IndicatorColumns>()({
  rsi_14: points("relative strength index over 14 days, 0 to 100"),
  macd_line: usd("MACD: 12-day less 26-day exponential average of the close"),
  macd_signal: usd("MACD signal line: 9-day exponential average of macd_line"),
  macd_histogram: usd("macd_line less macd_signal"),
  supertrend: usd("SuperTrend line, 10 days and 3 average true ranges"),
  supertrend_direction: double("direction")("SuperTrend direction: 1 up-trend, -1 down-trend"),
  stoch_k: points("slow stochastic %K, 14 days smoothed over 3, 0 to 100"),
  stoch_d: points("slow stochastic %D: 3-day average of stoch_k"),
  stoch_rsi_k: points("stochastic %K of the 14-day RSI, 14 days smoothed over 3"),
  stoch_rsi_d: points("3-day average of stoch_rsi_k"),
  cci_20: points("commodity channel index over 20 days"),
  adx_14: points("average directional index over 14 days, 0 to 100"),
  plus_di_14: points("positive directional indicator over 14 days, 0 to 100"),
  minus_di_14: points("negative directional indicator over 14 days, 0 to 100"),
  awesome_oscillator: usd("awesome oscillator: 5-day less 34-day average of the middle"),
  momentum_10: usd("close less the close 10 days before"),
  williams_r_14: points("Williams %R over 14 days, -100 to 0"),
  bull_power_13: usd("high less 13-day exponential average of the close"),
  bear_power_13: usd("low less 13-day exponential average of the close"),
  ultimate_oscillator: points("ultimate oscillator over 7, 14 and 28 days, 0 to 100"),
  ema_10: usd("exponential average of the close over 10 days"),
  ema_20: usd("exponential average of the close over 20 days"),
  ema_30: usd("exponential average of the close over 30 days"),
  ema_50: usd("exponential average of the close over 50 days"),
  ema_100: usd("exponential average of the close over 100 days"),
  ema_200: usd("exponential average of the close over 200 days"),
  sma_10: usd("simple average of the close over 10 days"),
  sma_20: usd("simple average of the close over 20 days"),
  sma_30: usd("simple average of the close over 30 days"),
  sma_50: usd("simple average of the close over 50 days"),
  sma_100: usd("simple average of the close over 100 days"),
  sma_200: usd("simple average of the close over 200 days"),
  hull_ma_9: usd("Hull moving average of the close over 9 days"),
  vwma_20: usd("volume-weighted average of the close over 20 days"),
  ichimoku_conversion: usd("Ichimoku conversion line: middle of the 9-day range"),
  ichimoku_base: usd("Ichimoku base line: middle of the 26-day range"),
  ichimoku_lead1: usd("Ichimoku leading span A as computed that day, not displaced"),
  ichimoku_lead2: usd("Ichimoku leading span B (52 days) as computed that day"),
  bollinger_upper: usd("Bollinger band, 20 days: middle plus 2 standard deviations"),
  bollinger_middle: usd("Bollinger middle: 20-day simple average of the close"),
  bollinger_lower: usd("Bollinger band, 20 days: middle less 2 standard deviations"),
  atr_14: usd("average true range over 14 days"),
  keltner_upper: usd("Keltner channel: middle plus 2 average true ranges of 10 days"),
  keltner_middle: usd("Keltner middle: 20-day exponential average of the close"),
  keltner_lower: usd("Keltner channel: middle less 2 average true ranges of 10 days"),
  donchian_upper: usd("highest high of 20 days, the day included"),
  donchian_middle: usd("mean of donchian_upper and donchian_lower"),
  donchian_lower: usd("lowest low of 20 days, the day included"),
  aroon_up: points("Aroon up over 25 days: 100 on a new high, 0 when it is 25 days old"),
  aroon_down: points("Aroon down over 25 days: 100 on a new low, 0 when it is 25 days old"),
  parabolic_sar: usd("parabolic stop and reverse, acceleration 0.02 up to 0.2"),
  mfi_14: points("money flow index over 14 days, 0 to 100"),
  obv: coins("on-balance volume since the coin's first day"),
  roc_12: double("percent")("rate of change of the close over 12 days"),
  realized_volatility_30d_pct: percent(
    "standard deviation of 30 daily log returns, a year of 365 days",
  ),
  drawdown_from_high_pct: percent("close against the highest close so far, 0 or below"),
});

export const INDICATOR_COLUMNS = listed(COLUMNS);

export const INDICATORS: Table = {
  name: "indicators",
  description:
    "Every indicator of every coin and UTC day, as of the day's close; NULL in the warm-up, where the lookback is not filled.",
  key: ["coin", "day"],
  arrow: true,
  hasPrices: true,
  columns: listed({
    coin: text("lower-case ticker"),
    day: date("UTC day, 00:00 to 24:00"),
    ...COLUMNS,
  }),
};

/** The columns of the table by name, in its units. What has these units already is not copied. */
export function tableColumnsOf(
  indicators: IndicatorColumns,
): Readonly<Record<string, Float64Array>> {
  return arraysIn(COLUMNS, indicators) as Record<string, Float64Array>; // each one is of doubles
}

/** One coin's indicators as rows of the table. */
export function indicatorBlock(
  coin: string,
  day: Int32Array,
  indicators: IndicatorColumns,
): TableBlock {
  return { rows: day.length, columns: { coin, day, ...tableColumnsOf(indicators) } };
}

/** The indicators of one day by column, in the table's units. */
export function indicatorValuesAt(
  indicators: IndicatorColumns,
  row: number,
): Readonly<Record<string, number>> {
  const values = Object.entries(tableColumnsOf(indicators));
  return Object.fromEntries(values.map(([name, column]) => [name, column[row]!])); // one of the days
}

/** The indicators of a block: views, except for those that the table has in percent. */
export function indicatorColumnsOf(block: TableBlock): IndicatorColumns {
  return arraysOf(COLUMNS, block);
}
