import { INDICATOR_COLUMNS } from "../../quant/indicators/column-list.ts";
import { AVERAGE_PERIODS } from "../../quant/indicators/columns.ts";
import type { IndicatorColumns } from "../../quant/indicators/column-list.ts";
import type { Rating } from "../../quant/signals/rating.ts";
import type { Reading, ReadingIndicators } from "../../quant/signals/reading.ts";
import type { Signal } from "../../quant/signals/signal.ts";
import type { Table, TableBlock, TableColumn } from "./table.ts";

/** An indicator that has a signal, by its name in the table. */
type Signalled = readonly [
  name: string,
  of: (indicators: ReadingIndicators) => { readonly signal: Signal } | null,
];

const SIGNALLED: readonly Signalled[] = [
  ["rsi", ({ rsi }) => rsi],
  ["macd", ({ macd }) => macd],
  ["supertrend", ({ supertrend }) => supertrend],
  ["stochastic", ({ stochastic }) => stochastic],
  ["stoch_rsi", ({ stochRsi }) => stochRsi],
  ["cci", ({ cci }) => cci],
  ["adx", ({ adx }) => adx],
  ["awesome_oscillator", ({ awesomeOscillator }) => awesomeOscillator],
  ["momentum", ({ momentum }) => momentum],
  ["williams_r", ({ williamsR }) => williamsR],
  ["bull_bear_power", ({ bullBearPower }) => bullBearPower],
  ["ultimate_oscillator", ({ ultimateOscillator }) => ultimateOscillator],
  ...AVERAGE_PERIODS.map((days): Signalled => [`ema_${days}`, ({ ema }) => ema[days]]),
  ...AVERAGE_PERIODS.map((days): Signalled => [`sma_${days}`, ({ sma }) => sma[days]]),
  ["hull_ma", ({ hullMa }) => hullMa],
  ["vwma", ({ vwma }) => vwma],
  ["ichimoku", ({ ichimoku }) => ichimoku],
  ["bollinger", ({ bollinger }) => bollinger],
  ["atr", ({ atr }) => atr],
  ["keltner", ({ keltner }) => keltner],
  ["donchian", ({ donchian }) => donchian],
  ["aroon", ({ aroon }) => aroon],
  ["parabolic_sar", ({ parabolicSar }) => parabolicSar],
  ["mfi", ({ mfi }) => mfi],
  ["obv", ({ obv }) => obv],
  ["roc", ({ roc }) => roc],
  ["realized_volatility_30d", ({ realizedVolatility30d }) => realizedVolatility30d],
  ["drawdown_from_high", ({ drawdownFromHigh }) => drawdownFromHigh],
];

const RATINGS = [
  ["rating", "the technical rating", (reading: Reading): Rating => reading.summary],
  ["moving_averages", "its moving averages", (reading: Reading) => reading.summary.movingAverages],
  ["oscillators", "its oscillators", (reading: Reading) => reading.summary.oscillators],
] as const;

function ratingColumns(name: string, title: string): TableColumn[] {
  return [
    {
      name,
      type: "text",
      unit: "",
      description: `${title}: strong_sell, sell, neutral, buy or strong_buy`,
    },
    {
      name: `${name}_score`,
      type: "double",
      unit: "fraction",
      description: `score of ${title}, -1 all sell to 1 all buy`,
    },
    ...(["buy", "neutral", "sell"] as const).map((signal) => ({
      name: `${name}_${signal}`,
      type: "integer" as const,
      unit: "",
      description: `how many components of ${title} say ${signal}`,
    })),
  ];
}

export const SIGNALS: Table = {
  name: "signals",
  description:
    "The latest reading of every coin: its rating, what each indicator says, and the indicators' values on the coin's last day.",
  key: ["coin"],
  arrow: false,
  columns: [
    { name: "coin", type: "text", unit: "", description: "lower-case ticker" },
    { name: "name", type: "text", unit: "", description: "the coin's name" },
    { name: "day", type: "date", unit: "", description: "the coin's last day" },
    {
      name: "stale",
      type: "boolean",
      unit: "",
      description: "that day is more than 2 days before the snapshot's",
    },
    { name: "close", type: "double", unit: "usd", description: "close of the day" },
    ...[1, 7, 30].map((days) => ({
      name: `change_${days}d_pct`,
      type: "double" as const,
      unit: "percent",
      description: `change of the close over ${days} days`,
    })),
    ...RATINGS.flatMap(([name, title]) => ratingColumns(name, title)),
    ...SIGNALLED.map(([name]) => ({
      name: `signal_${name}`,
      type: "text" as const,
      unit: "",
      description: `what ${name} says: buy, neutral or sell; NULL in its warm-up`,
    })),
    ...INDICATOR_COLUMNS.map((column) => ({ ...column, type: "double" as const })),
  ],
};

/** The input of one row of the table. */
export interface SignalsRow {
  readonly coin: string;
  readonly name: string;
  readonly stale: boolean;
  readonly reading: Reading;
  /** The indicators on the day of the reading, by column; NaN in the warm-up. */
  readonly values: Readonly<Record<keyof IndicatorColumns, number>>;
}

export function signalsBlock(rows: readonly SignalsRow[]): TableBlock {
  const columns: Record<string, (string | number | boolean | null)[]> = {
    coin: rows.map(({ coin }) => coin),
    name: rows.map(({ name }) => name),
    day: rows.map(({ reading }) => reading.day),
    stale: rows.map(({ stale }) => stale),
    close: rows.map(({ reading }) => reading.close),
    change_1d_pct: rows.map(({ reading }) => reading.change1d * 100),
    change_7d_pct: rows.map(({ reading }) => reading.change7d * 100),
    change_30d_pct: rows.map(({ reading }) => reading.change30d * 100),
  };
  for (const [name, , of] of RATINGS) {
    const ratings = rows.map(({ reading }) => of(reading));
    columns[name] = ratings.map(({ rating }) => rating);
    columns[`${name}_score`] = ratings.map(({ score }) => score);
    for (const signal of ["buy", "neutral", "sell"] as const) {
      columns[`${name}_${signal}`] = ratings.map((rating) => rating[signal]);
    }
  }
  for (const [name, of] of SIGNALLED) {
    columns[`signal_${name}`] = rows.map(({ reading }) => of(reading.indicators)?.signal ?? null);
  }
  for (const { name } of INDICATOR_COLUMNS) {
    columns[name] = rows.map(({ values }) => values[name]);
  }
  return { rows: rows.length, columns };
}
