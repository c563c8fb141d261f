import { AVERAGE_PERIODS, type AveragePeriod } from "../quant/indicators/columns.ts";
import type { Rating, RatingSummary } from "../quant/signals/rating.ts";
import type { Reading as ReadingFigures, ReadingIndicators } from "../quant/signals/reading.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { date, flag, int, list, number, object, oneOf, percent, text } from "./members.ts";
import { record, type AnswerRecord, type Json, type Members } from "./record.ts";

/** The indicators of a day. A day that the coin does not have has none. */
type Indicated = Partial<ReadingIndicators>;
type Of<Name extends keyof Indicated> = NonNullable<Indicated[Name]>;

const signal = oneOf(["buy", "neutral", "sell"], {
  id: "Signal",
  description: "what the indicator says on this day by its own rule",
})();
/** The indicator's own sentence says what its values are. */
const value = number.orNull();

const ValueOf = record<Of<"rsi">>()({ value, signal });
/** The value is a fraction, written as a percentage. */
const PercentOf = record<Of<"drawdownFromHigh">>()({ value: percent.orNull(), signal });
const KAndD = record<Of<"stochastic">>()({ k: value, d: value, signal });
/** Bands around a price. */
const Band = record<Of<"bollinger">>()({ upper: value, middle: value, lower: value, signal });

/** An indicator: its values and its signal, or null while it lacks the history for any of them. */
const line = <Item, M extends Members<Item>>(description: string, values: AnswerRecord<Item, M>) =>
  object(values).orNull(`${description}; null without enough history`);

type Averages = Partial<ReadingIndicators["ema"]>;

/** Averages of a kind, by their length in days. */
function averages(kind: string) {
  const ofPeriod = (days: AveragePeriod) =>
    object(ValueOf).orNull(
      `${days}-day ${kind} average of the close; null without enough history`,
      (means: Averages) => means[days],
    );
  const members = AVERAGE_PERIODS.map((days) => [days, ofPeriod(days)] as const);
  type ByPeriod = Readonly<Record<AveragePeriod, ReturnType<typeof ofPeriod>>>;
  return object(record<Averages>()(Object.fromEntries(members) as ByPeriod));
}

export const Indicators = record<Indicated>()({
  rsi: line("relative strength index, 14 days", ValueOf),
  macd: line(
    "MACD 12, 26, 9",
    record<Of<"macd">>()({ line: value, signal_line: value, histogram: value, signal }),
  ),
  stochastic: line("slow stochastic 14, 3, 3", KAndD),
  stoch_rsi: line("stochastic of the RSI 14, 14, 3, 3", KAndD),
  cci: line("commodity channel index, 20 days", ValueOf),
  adx: line(
    "directional movement, 14 days",
    record<Of<"adx">>()({ adx: value, plus_di: value, minus_di: value, signal }),
  ),
  awesome_oscillator: line("awesome oscillator 5, 34", ValueOf),
  momentum: line("close less the close 10 days before", ValueOf),
  williams_r: line("Williams %R, 14 days", ValueOf),
  bull_bear_power: line(
    "bull and bear power, 13 days",
    record<Of<"bullBearPower">>()({ bull: value, bear: value, signal }),
  ),
  ultimate_oscillator: line("ultimate oscillator 7, 14, 28", ValueOf),
  ema: averages("exponential")("", (readings) => readings.ema ?? {}),
  sma: averages("simple")("", (readings) => readings.sma ?? {}),
  hull_ma: line("Hull moving average, 9 days", ValueOf),
  vwma: line("volume-weighted average, 20 days", ValueOf),
  ichimoku: line(
    "Ichimoku 9, 26, 52: lead1 and lead2 as computed on the day, cloud_lead1 and cloud_lead2 those of 26 days before, where the price is now",
    record<Of<"ichimoku">>()({
      conversion: value,
      base: value,
      lead1: value,
      lead2: value,
      cloud_lead1: value,
      cloud_lead2: value,
      signal,
    }),
  ),
  supertrend: line(
    "SuperTrend 10, 3",
    record<Of<"supertrend">>()({ value, direction: oneOf(["up", "down"])(), signal }),
  ),
  bollinger: line("Bollinger bands 20, 2", Band),
  atr: line("average true range, 14 days, dollars", ValueOf),
  keltner: line("Keltner channel 20, 10, 2", Band),
  donchian: line("Donchian channel, 20 days", Band),
  aroon: line("Aroon, 25 days", record<Of<"aroon">>()({ up: value, down: value, signal })),
  parabolic_sar: line("parabolic stop and reverse 0.02, 0.2", ValueOf),
  mfi: line("money flow index, 14 days", ValueOf),
  obv: line("on-balance volume since the coin's first day, in the coin", ValueOf),
  roc: line("rate of change over 12 days, percent", ValueOf),
  realized_volatility_30d_pct: line(
    "standard deviation of 30 daily log returns, annualised over 365 days, percent",
    PercentOf,
  ),
  drawdown_from_high_pct: line("close against the highest close so far, percent", PercentOf),
});

const rating = {
  rating: oneOf(["strong_sell", "sell", "neutral", "buy", "strong_buy"]).orNull(),
  score: number.orNull("-1, all sell, to 1, all buy; null while no component has enough history"),
  buy: int("components that say buy"),
  neutral: int("components that say neither"),
  sell: int("components that say sell"),
};
/** The id differs from every member's name, because a generated client may name a type after either. */
const GroupRating = record<Rating>({ id: "GroupRating" })(rating);

const Summary = record<RatingSummary>()({
  ...rating,
  moving_averages: object(GroupRating)(),
  oscillators: object(GroupRating)(),
});

/** A coin, and its reading unless it lacks the day. */
interface CoinReading {
  readonly coin: string;
  readonly name: string;
  readonly stale: boolean;
  readonly reading: ReadingFigures | undefined;
}

export const Reading = record<CoinReading>({
  id: "Reading",
  description: "One coin as it stood at the close of a day.",
})({
  coin: text("ticker"),
  name: text("the coin's name"),
  date: date.orNull(
    "UTC day; null, like all values, where there is none",
    ({ reading }) => reading?.day,
  ),
  stale: flag("the coin's history ends more than 2 days before the snapshot"),
  close_usd: number.orNull("close of the day", ({ reading }) => reading?.close),
  change_1d_pct: percent.orNull(
    "change of the close over 1 day",
    ({ reading }) => reading?.change1d,
  ),
  change_7d_pct: percent.orNull(
    "change of the close over 7 days",
    ({ reading }) => reading?.change7d,
  ),
  change_30d_pct: percent.orNull(
    "change of the close over 30 days",
    ({ reading }) => reading?.change30d,
  ),
  indicators: object(Indicators)("", ({ reading }) => reading?.indicators ?? {}),
  summary: object(Summary).orNull(
    "the technical rating: the mean of its two halves",
    ({ reading }) => reading?.summary,
  ),
});

interface Readings extends Attributed {
  readonly lastDay: number;
  readonly signal?: CoinReading;
  readonly board?: readonly CoinReading[];
}

/** `GET /signals` */
export const Signals = record<Readings>()({
  attribution,
  as_of: date("last complete UTC day: the coin's, or the snapshot's", ({ lastDay }) => lastDay),
  signal: object(Reading).ifAny(),
  board: list(Reading).ifAny("all coins, in board order"),
});

export type Reading = Json<typeof Reading>;
export type Rated = Json<typeof GroupRating>;
