import type { IndicatorColumns } from "../../quant/indicators/columns.ts";
import type { Table, TableBlock, TableColumn } from "./table.ts";
import { column, doubles } from "./table.ts";

const POINTS = "points";
const USD = "usd";

type Field = keyof IndicatorColumns;

/** Every indicator column in table order: its name, its unit and its meaning. */
const COLUMNS: Readonly<Record<Field, TableColumn>> = {
  rsi14: indicator(["rsi_14", POINTS], "relative strength index over 14 days, 0 to 100"),
  macdLine: indicator(
    ["macd_line", USD],
    "MACD: 12-day less 26-day exponential average of the close",
  ),
  macdSignal: indicator(
    ["macd_signal", USD],
    "MACD signal line: 9-day exponential average of macd_line",
  ),
  macdHistogram: indicator(["macd_histogram", USD], "macd_line less macd_signal"),
  supertrend: indicator(["supertrend", USD], "SuperTrend line, 10 days and 3 average true ranges"),
  supertrendDirection: indicator(
    ["supertrend_direction", "direction"],
    "SuperTrend direction: 1 up-trend, -1 down-trend",
  ),
  stochK: indicator(["stoch_k", POINTS], "slow stochastic %K, 14 days smoothed over 3, 0 to 100"),
  stochD: indicator(["stoch_d", POINTS], "slow stochastic %D: 3-day average of stoch_k"),
  stochRsiK: indicator(
    ["stoch_rsi_k", POINTS],
    "stochastic %K of the 14-day RSI, 14 days smoothed over 3",
  ),
  stochRsiD: indicator(["stoch_rsi_d", POINTS], "3-day average of stoch_rsi_k"),
  cci20: indicator(["cci_20", POINTS], "commodity channel index over 20 days"),
  adx14: indicator(["adx_14", POINTS], "average directional index over 14 days, 0 to 100"),
  plusDi14: indicator(
    ["plus_di_14", POINTS],
    "positive directional indicator over 14 days, 0 to 100",
  ),
  minusDi14: indicator(
    ["minus_di_14", POINTS],
    "negative directional indicator over 14 days, 0 to 100",
  ),
  awesomeOscillator: indicator(
    ["awesome_oscillator", USD],
    "awesome oscillator: 5-day less 34-day average of the middle",
  ),
  momentum10: indicator(["momentum_10", USD], "close less the close 10 days before"),
  williamsR14: indicator(["williams_r_14", POINTS], "Williams %R over 14 days, -100 to 0"),
  bullPower13: indicator(
    ["bull_power_13", USD],
    "high less 13-day exponential average of the close",
  ),
  bearPower13: indicator(
    ["bear_power_13", USD],
    "low less 13-day exponential average of the close",
  ),
  ultimateOscillator: indicator(
    ["ultimate_oscillator", POINTS],
    "ultimate oscillator over 7, 14 and 28 days, 0 to 100",
  ),
  ema10: indicator(["ema_10", USD], "exponential average of the close over 10 days"),
  ema20: indicator(["ema_20", USD], "exponential average of the close over 20 days"),
  ema30: indicator(["ema_30", USD], "exponential average of the close over 30 days"),
  ema50: indicator(["ema_50", USD], "exponential average of the close over 50 days"),
  ema100: indicator(["ema_100", USD], "exponential average of the close over 100 days"),
  ema200: indicator(["ema_200", USD], "exponential average of the close over 200 days"),
  sma10: indicator(["sma_10", USD], "simple average of the close over 10 days"),
  sma20: indicator(["sma_20", USD], "simple average of the close over 20 days"),
  sma30: indicator(["sma_30", USD], "simple average of the close over 30 days"),
  sma50: indicator(["sma_50", USD], "simple average of the close over 50 days"),
  sma100: indicator(["sma_100", USD], "simple average of the close over 100 days"),
  sma200: indicator(["sma_200", USD], "simple average of the close over 200 days"),
  hullMa9: indicator(["hull_ma_9", USD], "Hull moving average of the close over 9 days"),
  vwma20: indicator(["vwma_20", USD], "volume-weighted average of the close over 20 days"),
  ichimokuConversion: indicator(
    ["ichimoku_conversion", USD],
    "Ichimoku conversion line: middle of the 9-day range",
  ),
  ichimokuBase: indicator(["ichimoku_base", USD], "Ichimoku base line: middle of the 26-day range"),
  ichimokuLead1: indicator(
    ["ichimoku_lead1", USD],
    "Ichimoku leading span A as computed that day, not displaced",
  ),
  ichimokuLead2: indicator(
    ["ichimoku_lead2", USD],
    "Ichimoku leading span B (52 days) as computed that day",
  ),
  bollingerUpper: indicator(
    ["bollinger_upper", USD],
    "Bollinger band, 20 days: middle plus 2 standard deviations",
  ),
  bollingerMiddle: indicator(
    ["bollinger_middle", USD],
    "Bollinger middle: 20-day simple average of the close",
  ),
  bollingerLower: indicator(
    ["bollinger_lower", USD],
    "Bollinger band, 20 days: middle less 2 standard deviations",
  ),
  atr14: indicator(["atr_14", USD], "average true range over 14 days"),
  keltnerUpper: indicator(
    ["keltner_upper", USD],
    "Keltner channel: middle plus 2 average true ranges of 10 days",
  ),
  keltnerMiddle: indicator(
    ["keltner_middle", USD],
    "Keltner middle: 20-day exponential average of the close",
  ),
  keltnerLower: indicator(
    ["keltner_lower", USD],
    "Keltner channel: middle less 2 average true ranges of 10 days",
  ),
  donchianUpper: indicator(["donchian_upper", USD], "highest high of 20 days, the day included"),
  donchianMiddle: indicator(["donchian_middle", USD], "mean of donchian_upper and donchian_lower"),
  donchianLower: indicator(["donchian_lower", USD], "lowest low of 20 days, the day included"),
  aroonUp: indicator(
    ["aroon_up", POINTS],
    "Aroon up over 25 days: 100 on a new high, 0 when it is 25 days old",
  ),
  aroonDown: indicator(
    ["aroon_down", POINTS],
    "Aroon down over 25 days: 100 on a new low, 0 when it is 25 days old",
  ),
  parabolicSar: indicator(
    ["parabolic_sar", USD],
    "parabolic stop and reverse, acceleration 0.02 up to 0.2",
  ),
  mfi14: indicator(["mfi_14", POINTS], "money flow index over 14 days, 0 to 100"),
  obv: indicator(["obv", "coins"], "on-balance volume since the coin's first day"),
  roc12: indicator(["roc_12", "percent"], "rate of change of the close over 12 days"),
  realizedVolatility30d: indicator(
    ["realized_volatility_30d_pct", "percent"],
    "standard deviation of 30 daily log returns, a year of 365 days",
  ),
  drawdownFromHigh: indicator(
    ["drawdown_from_high_pct", "percent"],
    "close against the highest close so far, 0 or below",
  ),
};

/** Fractions in `quant/`, percent in the table. */
const FRACTIONS: ReadonlySet<Field> = new Set(["realizedVolatility30d", "drawdownFromHigh"]);

const FIELDS = Object.keys(COLUMNS) as readonly Field[];

export const INDICATOR_COLUMNS: readonly TableColumn[] = Object.values(COLUMNS);

export const INDICATORS: Table = {
  name: "indicators",
  description:
    "Every indicator of every coin and UTC day, as of the day's close; NULL in the warm-up, where the lookback is not filled.",
  key: ["coin", "day"],
  arrow: true,
  columns: [
    column(["coin", "text"], "lower-case ticker"),
    column(["day", "date"], "UTC day, 00:00 to 24:00"),
    ...INDICATOR_COLUMNS,
  ],
};

function indicator([name, unit]: readonly [name: string, unit: string], meaning: string) {
  return column([name, "double", unit], meaning);
}

/** The columns of the table by name, in its units. What has these units already is not copied. */
export function tableColumnsOf(
  indicators: IndicatorColumns,
): Readonly<Record<string, Float64Array>> {
  const percent = (fractions: Float64Array) => fractions.map((fraction) => fraction * 100);
  const columns = FIELDS.map((field) => {
    const values = indicators[field];
    return [COLUMNS[field].name, FRACTIONS.has(field) ? percent(values) : values] as const;
  });
  return Object.fromEntries(columns);
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
  return Object.fromEntries(values.map(([name, column]) => [name, column[row]!] as const)); // one of the days
}

/** The indicators of a block: views, but for those in percent. */
export function indicatorColumnsOf(block: TableBlock): IndicatorColumns {
  const columns = FIELDS.map((field) => {
    const values = doubles(block, COLUMNS[field].name);
    return [field, FRACTIONS.has(field) ? values.map((percent) => percent / 100) : values] as const;
  });
  return Object.fromEntries(columns) as unknown as IndicatorColumns;
}
