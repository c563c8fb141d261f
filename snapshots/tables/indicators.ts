import type { IndicatorColumns } from "../../quant/indicators/columns.ts";
import type { Table, TableBlock, TableColumn } from "./table.ts";
import { column, doubles } from "./table.ts";

const of = (unit: string) => (name: string, meaning: string) =>
  column([name, "double", unit], meaning);
const points = of("points");
const usd = of("usd");

type Field = keyof IndicatorColumns;

/** Every indicator column in table order: its name, its unit and its meaning. */
const COLUMNS: Readonly<Record<Field, TableColumn>> = {
  rsi14: points("rsi_14", "relative strength index over 14 days, 0 to 100"),
  macdLine: usd("macd_line", "MACD: 12-day less 26-day exponential average of the close"),
  macdSignal: usd("macd_signal", "MACD signal line: 9-day exponential average of macd_line"),
  macdHistogram: usd("macd_histogram", "macd_line less macd_signal"),
  supertrend: usd("supertrend", "SuperTrend line, 10 days and 3 average true ranges"),
  supertrendDirection: of("direction")(
    "supertrend_direction",
    "SuperTrend direction: 1 up-trend, -1 down-trend",
  ),
  stochK: points("stoch_k", "slow stochastic %K, 14 days smoothed over 3, 0 to 100"),
  stochD: points("stoch_d", "slow stochastic %D: 3-day average of stoch_k"),
  stochRsiK: points("stoch_rsi_k", "stochastic %K of the 14-day RSI, 14 days smoothed over 3"),
  stochRsiD: points("stoch_rsi_d", "3-day average of stoch_rsi_k"),
  cci20: points("cci_20", "commodity channel index over 20 days"),
  adx14: points("adx_14", "average directional index over 14 days, 0 to 100"),
  plusDi14: points("plus_di_14", "positive directional indicator over 14 days, 0 to 100"),
  minusDi14: points("minus_di_14", "negative directional indicator over 14 days, 0 to 100"),
  awesomeOscillator: usd(
    "awesome_oscillator",
    "awesome oscillator: 5-day less 34-day average of the middle",
  ),
  momentum10: usd("momentum_10", "close less the close 10 days before"),
  williamsR14: points("williams_r_14", "Williams %R over 14 days, -100 to 0"),
  bullPower13: usd("bull_power_13", "high less 13-day exponential average of the close"),
  bearPower13: usd("bear_power_13", "low less 13-day exponential average of the close"),
  ultimateOscillator: points(
    "ultimate_oscillator",
    "ultimate oscillator over 7, 14 and 28 days, 0 to 100",
  ),
  ema10: usd("ema_10", "exponential average of the close over 10 days"),
  ema20: usd("ema_20", "exponential average of the close over 20 days"),
  ema30: usd("ema_30", "exponential average of the close over 30 days"),
  ema50: usd("ema_50", "exponential average of the close over 50 days"),
  ema100: usd("ema_100", "exponential average of the close over 100 days"),
  ema200: usd("ema_200", "exponential average of the close over 200 days"),
  sma10: usd("sma_10", "simple average of the close over 10 days"),
  sma20: usd("sma_20", "simple average of the close over 20 days"),
  sma30: usd("sma_30", "simple average of the close over 30 days"),
  sma50: usd("sma_50", "simple average of the close over 50 days"),
  sma100: usd("sma_100", "simple average of the close over 100 days"),
  sma200: usd("sma_200", "simple average of the close over 200 days"),
  hullMa9: usd("hull_ma_9", "Hull moving average of the close over 9 days"),
  vwma20: usd("vwma_20", "volume-weighted average of the close over 20 days"),
  ichimokuConversion: usd(
    "ichimoku_conversion",
    "Ichimoku conversion line: middle of the 9-day range",
  ),
  ichimokuBase: usd("ichimoku_base", "Ichimoku base line: middle of the 26-day range"),
  ichimokuLead1: usd(
    "ichimoku_lead1",
    "Ichimoku leading span A as computed that day, not displaced",
  ),
  ichimokuLead2: usd("ichimoku_lead2", "Ichimoku leading span B (52 days) as computed that day"),
  bollingerUpper: usd(
    "bollinger_upper",
    "Bollinger band, 20 days: middle plus 2 standard deviations",
  ),
  bollingerMiddle: usd("bollinger_middle", "Bollinger middle: 20-day simple average of the close"),
  bollingerLower: usd(
    "bollinger_lower",
    "Bollinger band, 20 days: middle less 2 standard deviations",
  ),
  atr14: usd("atr_14", "average true range over 14 days"),
  keltnerUpper: usd(
    "keltner_upper",
    "Keltner channel: middle plus 2 average true ranges of 10 days",
  ),
  keltnerMiddle: usd("keltner_middle", "Keltner middle: 20-day exponential average of the close"),
  keltnerLower: usd(
    "keltner_lower",
    "Keltner channel: middle less 2 average true ranges of 10 days",
  ),
  donchianUpper: usd("donchian_upper", "highest high of 20 days, the day included"),
  donchianMiddle: usd("donchian_middle", "mean of donchian_upper and donchian_lower"),
  donchianLower: usd("donchian_lower", "lowest low of 20 days, the day included"),
  aroonUp: points("aroon_up", "Aroon up over 25 days: 100 on a new high, 0 when it is 25 days old"),
  aroonDown: points(
    "aroon_down",
    "Aroon down over 25 days: 100 on a new low, 0 when it is 25 days old",
  ),
  parabolicSar: usd("parabolic_sar", "parabolic stop and reverse, acceleration 0.02 up to 0.2"),
  mfi14: points("mfi_14", "money flow index over 14 days, 0 to 100"),
  obv: of("coins")("obv", "on-balance volume since the coin's first day"),
  roc12: of("percent")("roc_12", "rate of change of the close over 12 days"),
  realizedVolatility30d: of("percent")(
    "realized_volatility_30d_pct",
    "standard deviation of 30 daily log returns, a year of 365 days",
  ),
  drawdownFromHigh: of("percent")(
    "drawdown_from_high_pct",
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
