/**
 * The list of indicator columns. It is separate from `columns.ts`, which computes them, because readers
 * need only the list.
 */

const POINTS = "points";
const USD = "usd";

/** Periods of the simple and the exponential moving averages of a reading, in days. */
export const AVERAGE_PERIODS = [10, 20, 30, 50, 100, 200] as const;

/** Name, unit and meaning of every indicator column, in table order. */
export const INDICATOR_COLUMNS = [
  column("rsi_14", POINTS, "relative strength index over 14 days, 0 to 100"),
  column("macd_line", USD, "MACD: 12-day less 26-day exponential average of the close"),
  column("macd_signal", USD, "MACD signal line: 9-day exponential average of macd_line"),
  column("macd_histogram", USD, "macd_line less macd_signal"),
  column("supertrend", USD, "SuperTrend line, 10 days and 3 average true ranges"),
  column("supertrend_direction", "direction", "SuperTrend direction: 1 up-trend, -1 down-trend"),
  column("stoch_k", POINTS, "slow stochastic %K, 14 days smoothed over 3, 0 to 100"),
  column("stoch_d", POINTS, "slow stochastic %D: 3-day average of stoch_k"),
  column("stoch_rsi_k", POINTS, "stochastic %K of the 14-day RSI, 14 days smoothed over 3"),
  column("stoch_rsi_d", POINTS, "3-day average of stoch_rsi_k"),
  column("cci_20", POINTS, "commodity channel index over 20 days"),
  column("adx_14", POINTS, "average directional index over 14 days, 0 to 100"),
  column("plus_di_14", POINTS, "positive directional indicator over 14 days, 0 to 100"),
  column("minus_di_14", POINTS, "negative directional indicator over 14 days, 0 to 100"),
  column("awesome_oscillator", USD, "awesome oscillator: 5-day less 34-day average of the middle"),
  column("momentum_10", USD, "close less the close 10 days before"),
  column("williams_r_14", POINTS, "Williams %R over 14 days, -100 to 0"),
  column("bull_power_13", USD, "high less 13-day exponential average of the close"),
  column("bear_power_13", USD, "low less 13-day exponential average of the close"),
  column("ultimate_oscillator", POINTS, "ultimate oscillator over 7, 14 and 28 days, 0 to 100"),
  column("ema_10", USD, "exponential average of the close over 10 days"),
  column("ema_20", USD, "exponential average of the close over 20 days"),
  column("ema_30", USD, "exponential average of the close over 30 days"),
  column("ema_50", USD, "exponential average of the close over 50 days"),
  column("ema_100", USD, "exponential average of the close over 100 days"),
  column("ema_200", USD, "exponential average of the close over 200 days"),
  column("sma_10", USD, "simple average of the close over 10 days"),
  column("sma_20", USD, "simple average of the close over 20 days"),
  column("sma_30", USD, "simple average of the close over 30 days"),
  column("sma_50", USD, "simple average of the close over 50 days"),
  column("sma_100", USD, "simple average of the close over 100 days"),
  column("sma_200", USD, "simple average of the close over 200 days"),
  column("hull_ma_9", USD, "Hull moving average of the close over 9 days"),
  column("vwma_20", USD, "volume-weighted average of the close over 20 days"),
  column("ichimoku_conversion", USD, "Ichimoku conversion line: middle of the 9-day range"),
  column("ichimoku_base", USD, "Ichimoku base line: middle of the 26-day range"),
  column("ichimoku_lead1", USD, "Ichimoku leading span A as computed that day, not displaced"),
  column("ichimoku_lead2", USD, "Ichimoku leading span B (52 days) as computed that day"),
  column("bollinger_upper", USD, "Bollinger band, 20 days: middle plus 2 standard deviations"),
  column("bollinger_middle", USD, "Bollinger middle: 20-day simple average of the close"),
  column("bollinger_lower", USD, "Bollinger band, 20 days: middle less 2 standard deviations"),
  column("atr_14", USD, "average true range over 14 days"),
  column("keltner_upper", USD, "Keltner channel: middle plus 2 average true ranges of 10 days"),
  column("keltner_middle", USD, "Keltner middle: 20-day exponential average of the close"),
  column("keltner_lower", USD, "Keltner channel: middle less 2 average true ranges of 10 days"),
  column("donchian_upper", USD, "highest high of 20 days, the day included"),
  column("donchian_middle", USD, "mean of donchian_upper and donchian_lower"),
  column("donchian_lower", USD, "lowest low of 20 days, the day included"),
  column("aroon_up", POINTS, "Aroon up over 25 days: 100 on a new high, 0 when it is 25 days old"),
  column(
    "aroon_down",
    POINTS,
    "Aroon down over 25 days: 100 on a new low, 0 when it is 25 days old",
  ),
  column("parabolic_sar", USD, "parabolic stop and reverse, acceleration 0.02 up to 0.2"),
  column("mfi_14", POINTS, "money flow index over 14 days, 0 to 100"),
  column("obv", "coins", "on-balance volume since the coin's first day"),
  column("roc_12", "percent", "rate of change of the close over 12 days"),
  column(
    "realized_volatility_30d_pct",
    "percent",
    "standard deviation of 30 daily log returns, a year of 365 days",
  ),
  column("drawdown_from_high_pct", "percent", "close against the highest close so far, 0 or below"),
] as const;

export type IndicatorColumn = (typeof INDICATOR_COLUMNS)[number]["name"];

/** One coin's indicators, each as long as its bars, NaN in its warm-up. */
export type IndicatorColumns = Readonly<Record<IndicatorColumn, Float64Array>>;

function column<Name extends string>(name: Name, unit: string, description: string) {
  return { name, unit, description };
}
