/** A row of the table `signals` as the JSON of a reading. */
import { significant } from "../../../quant/significant-digits.ts";
import type { Row } from "./database.ts";

/** JSON name of an indicator: its signal's column, and its values by JSON name and column. */
type Indicator = readonly [signal: string, values: Readonly<Record<string, string>>];

const value = (column: string, signal: string): Indicator => [signal, { value: column }];

const INDICATORS: Readonly<Record<string, Indicator>> = {
  rsi: value("rsi_14", "rsi"),
  macd: ["macd", { line: "macd_line", signal_line: "macd_signal", histogram: "macd_histogram" }],
  stochastic: ["stochastic", { k: "stoch_k", d: "stoch_d" }],
  stoch_rsi: ["stoch_rsi", { k: "stoch_rsi_k", d: "stoch_rsi_d" }],
  cci: value("cci_20", "cci"),
  adx: ["adx", { adx: "adx_14", plus_di: "plus_di_14", minus_di: "minus_di_14" }],
  awesome_oscillator: value("awesome_oscillator", "awesome_oscillator"),
  momentum: value("momentum_10", "momentum"),
  williams_r: value("williams_r_14", "williams_r"),
  bull_bear_power: ["bull_bear_power", { bull: "bull_power_13", bear: "bear_power_13" }],
  ultimate_oscillator: value("ultimate_oscillator", "ultimate_oscillator"),
  hull_ma: value("hull_ma_9", "hull_ma"),
  vwma: value("vwma_20", "vwma"),
  ichimoku: [
    "ichimoku",
    {
      conversion: "ichimoku_conversion",
      base: "ichimoku_base",
      lead1: "ichimoku_lead1",
      lead2: "ichimoku_lead2",
      cloud_lead1: "cloud_lead1",
      cloud_lead2: "cloud_lead2",
    },
  ],
  bollinger: [
    "bollinger",
    { upper: "bollinger_upper", middle: "bollinger_middle", lower: "bollinger_lower" },
  ],
  atr: value("atr_14", "atr"),
  keltner: [
    "keltner",
    { upper: "keltner_upper", middle: "keltner_middle", lower: "keltner_lower" },
  ],
  donchian: [
    "donchian",
    { upper: "donchian_upper", middle: "donchian_middle", lower: "donchian_lower" },
  ],
  aroon: ["aroon", { up: "aroon_up", down: "aroon_down" }],
  parabolic_sar: value("parabolic_sar", "parabolic_sar"),
  mfi: value("mfi_14", "mfi"),
  obv: value("obv", "obv"),
  roc: value("roc_12", "roc"),
  realized_volatility_30d_pct: value("realized_volatility_30d_pct", "realized_volatility_30d"),
  drawdown_from_high_pct: value("drawdown_from_high_pct", "drawdown_from_high"),
};

const PERIODS = ["10", "20", "30", "50", "100", "200"];

/** The cloud around a day's price comes from Ichimoku's spans of 26 days earlier. */
export const READINGS_SQL = `
SELECT s.*, s.day::VARCHAR AS date, i.ichimoku_lead1 AS cloud_lead1, i.ichimoku_lead2 AS cloud_lead2
FROM signals s LEFT JOIN indicators i ON i.coin = s.coin AND i.day = s.day - 26`;

export function readingJson(row: Row): object {
  const indicators: Record<string, unknown> = {};
  for (const [name, indicator] of Object.entries(INDICATORS)) {
    indicators[name] = indicatorJson(row, indicator);
  }
  for (const kind of ["ema", "sma"]) {
    indicators[kind] = Object.fromEntries(
      PERIODS.map((days) => [
        days,
        indicatorJson(row, value(`${kind}_${days}`, `${kind}_${days}`)),
      ]),
    );
  }
  const supertrend = indicatorJson(row, value("supertrend", "supertrend"));
  const direction = Number(row["supertrend_direction"]) > 0 ? "up" : "down";
  indicators["supertrend"] = supertrend === null ? null : { ...supertrend, direction };
  return {
    coin: row["coin"],
    name: row["name"],
    date: row["date"],
    stale: row["stale"],
    close_usd: numberJson(row, "close"),
    change_1d_pct: numberJson(row, "change_1d_pct"),
    change_7d_pct: numberJson(row, "change_7d_pct"),
    change_30d_pct: numberJson(row, "change_30d_pct"),
    indicators,
    summary: {
      ...ratingJson(row, "rating"),
      moving_averages: ratingJson(row, "moving_averages"),
      oscillators: ratingJson(row, "oscillators"),
    },
  };
}

/** At most 10 significant digits; null where the table has no number. */
export function numberJson(row: Row, name: string): number | null {
  const found = row[name];
  return typeof found === "number" ? significant(found) : null;
}

/** A fraction of the table as a percentage. */
export function percentJson(row: Row, name: string): number | null {
  const found = row[name];
  return typeof found === "number" ? significant(found * 100) : null;
}

function indicatorJson(row: Row, [signal, values]: Indicator): object | null {
  const said = row[`signal_${signal}`];
  if (said === null || said === undefined) return null;
  const names = Object.entries(values).map(([name, column]) => [name, numberJson(row, column)]);
  return { ...Object.fromEntries(names), signal: said } as object;
}

function ratingJson(row: Row, name: string): object {
  return {
    rating: row[name],
    score: numberJson(row, `${name}_score`),
    buy: row[`${name}_buy`],
    neutral: row[`${name}_neutral`],
    sell: row[`${name}_sell`],
  };
}
