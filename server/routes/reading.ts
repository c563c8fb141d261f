import { z } from "zod";
import { dateOfDay } from "../../quant/calendar.ts";
import { AVERAGE_PERIODS } from "../../quant/indicators/columns.ts";
import { readingAt, type ReadingIndicators } from "../../quant/signals/reading.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import { percent, significant } from "../../quant/significant-digits.ts";
import { numberOrNull } from "./answer-values.ts";
import { inAnswer } from "./in-answer.ts";
import type { SnapshotData } from "./snapshot-data.ts";

const Signal = z.enum(["buy", "neutral", "sell"]).meta({
  id: "Signal",
  description: "what the indicator says on this day by its own rule",
});

/** An indicator with the named values and its signal; null if there is not enough history. */
function lines(description: string, ...names: readonly string[]) {
  const values = Object.fromEntries(names.map((name) => [name, z.number().nullable()]));
  return z
    .strictObject({ ...values, signal: Signal })
    .nullable()
    .describe(`${description}; null without enough history`);
}

function averages(kind: string) {
  return z.strictObject(
    Object.fromEntries(
      AVERAGE_PERIODS.map((days) => [
        days,
        lines(`${days}-day ${kind} average of the close`, "value"),
      ]),
    ),
  );
}

const Indicators = z.strictObject({
  rsi: lines("relative strength index, 14 days", "value"),
  macd: lines("MACD 12, 26, 9", "line", "signal_line", "histogram"),
  supertrend: z
    .strictObject({
      value: z.number().nullable(),
      direction: z.enum(["up", "down"]),
      signal: Signal,
    })
    .nullable()
    .describe("SuperTrend 10, 3; null without enough history"),
  stochastic: lines("slow stochastic 14, 3, 3", "k", "d"),
  stoch_rsi: lines("stochastic of the RSI 14, 14, 3, 3", "k", "d"),
  cci: lines("commodity channel index, 20 days", "value"),
  adx: lines("directional movement, 14 days", "adx", "plus_di", "minus_di"),
  awesome_oscillator: lines("awesome oscillator 5, 34", "value"),
  momentum: lines("close less the close 10 days before", "value"),
  williams_r: lines("Williams %R, 14 days", "value"),
  bull_bear_power: lines("bull and bear power, 13 days", "bull", "bear"),
  ultimate_oscillator: lines("ultimate oscillator 7, 14, 28", "value"),
  ema: averages("exponential"),
  sma: averages("simple"),
  hull_ma: lines("Hull moving average, 9 days", "value"),
  vwma: lines("volume-weighted average, 20 days", "value"),
  ichimoku: lines(
    "Ichimoku 9, 26, 52: lead1 and lead2 as computed on the day, cloud_lead1 and cloud_lead2 those of 26 days before, where the price is now",
    "conversion",
    "base",
    "lead1",
    "lead2",
    "cloud_lead1",
    "cloud_lead2",
  ),
  bollinger: lines("Bollinger bands 20, 2", "upper", "middle", "lower"),
  atr: lines("average true range, 14 days, dollars", "value"),
  keltner: lines("Keltner channel 20, 10, 2", "upper", "middle", "lower"),
  donchian: lines("Donchian channel, 20 days", "upper", "middle", "lower"),
  aroon: lines("Aroon, 25 days", "up", "down"),
  parabolic_sar: lines("parabolic stop and reverse 0.02, 0.2", "value"),
  mfi: lines("money flow index, 14 days", "value"),
  obv: lines("on-balance volume since the coin's first day, in the coin", "value"),
  roc: lines("rate of change over 12 days, percent", "value"),
  realized_volatility_30d_pct: lines(
    "standard deviation of 30 daily log returns, annualised over 365 days, percent",
    "value",
  ),
  drawdown_from_high_pct: lines("close against the highest close so far, percent", "value"),
});

const rating = {
  rating: z.enum(["strong_sell", "sell", "neutral", "buy", "strong_buy"]).nullable(),
  score: numberOrNull("-1, all sell, to 1, all buy; null while no component has enough history"),
  buy: z.int().describe("components that say buy"),
  neutral: z.int().describe("components that say neither"),
  sell: z.int().describe("components that say sell"),
};
/** Its id is not the name of its member: a generated client may name a type after each. */
const Rating = z.strictObject(rating).meta({ id: "GroupRating" });

export const Reading = z
  .strictObject({
    coin: z.string().describe("ticker"),
    name: z.string().describe("the coin's name"),
    date: z.iso.date().nullable().describe("UTC day; null, like all values, where there is none"),
    stale: z.boolean().describe("the coin's history ends more than 2 days before the snapshot"),
    close_usd: numberOrNull("close of the day"),
    change_1d_pct: numberOrNull("change of the close over 1 day"),
    change_7d_pct: numberOrNull("change of the close over 7 days"),
    change_30d_pct: numberOrNull("change of the close over 30 days"),
    indicators: Indicators,
    summary: z
      .strictObject({ ...rating, moving_averages: Rating, oscillators: Rating })
      .nullable()
      .describe("the technical rating: the mean of its two halves"),
  })
  .meta({ id: "Reading", description: "One coin as it stood at the close of a day." });

type RenderedReading = z.output<typeof Reading>;

/** A coin's reading on a day as JSON. A coin that has no such day is listed without values. */
export function renderReading(
  snapshot: SnapshotData,
  coin: SnapshotCoin,
  day: number,
): RenderedReading {
  const { ticker, name, stale } = coin;
  const bars = snapshot.bars(ticker);
  const columns = snapshot.indicators(ticker);
  if (bars === undefined || columns === undefined) throw new Error(`no tables of ${ticker}`);
  if (day < coin.firstDay || day > coin.lastDay) return { coin: ticker, name, stale, ...NO_DAY };
  const reading = readingAt(bars, columns, day - coin.firstDay);
  return {
    coin: ticker,
    name,
    date: dateOfDay(day),
    stale,
    close_usd: significant(reading.close),
    change_1d_pct: percent(reading.change1d),
    change_7d_pct: percent(reading.change7d),
    change_30d_pct: percent(reading.change30d),
    indicators: indicatorsOf(reading.indicators),
    summary: inAnswer(reading.summary) as RenderedReading["summary"],
  };
}

function indicatorsOf(indicators: ReadingIndicators): z.output<typeof Indicators> {
  const { realized_volatility_30d: volatility, drawdownFromHigh, ...others } = indicators;
  return {
    ...(inAnswer(others) as object),
    realized_volatility_30d_pct: inAnswer(volatility, percent),
    drawdown_from_high_pct: inAnswer(drawdownFromHigh, percent),
  } as z.output<typeof Indicators>; // tests check every answer against the schema
}

/** The members of an object without a value: null, or the same of an object that is always there. */
function nothingIn<Schema extends z.ZodObject>({ shape }: Schema): z.output<Schema> {
  const members = Object.entries(shape).map(([name, schema]) => [
    name,
    schema instanceof z.ZodObject ? nothingIn(schema) : null,
  ]);
  return Object.fromEntries(members) as z.output<Schema>;
}

const NO_DAY = nothingIn(Reading.omit({ coin: true, name: true, stale: true }));
