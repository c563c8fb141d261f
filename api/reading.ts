import { AVERAGE_PERIODS, type AveragePeriod } from "../quant/indicators/columns.ts";
import type { Rating, RatingSummary } from "../quant/signals/rating.ts";
import type { Reading as ReadingFigures, ReadingIndicators } from "../quant/signals/reading.ts";
import type { Signal } from "../quant/signals/signal.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { date, flag, int, list, number, object, oneOf, percent, text } from "./members.ts";
import { record, type Json, type Members } from "./record.ts";

/** The indicators of a day; none on a day that the coin does not have. */
type Indicated = Partial<ReadingIndicators>;

/** What every indicator has. */
interface Line {
  readonly signal: Signal;
}

interface ValueLine extends Line {
  readonly value: number;
}

const signal = oneOf(["buy", "neutral", "sell"], {
  id: "Signal",
  description: "what the indicator says on this day by its own rule",
})("", (line: Line) => line.signal);

type Of<Name extends keyof Indicated> = NonNullable<Indicated[Name]>;
type ValueName = {
  [Name in keyof Indicated]-?: Of<Name> extends ValueLine ? Name : never;
}[keyof Indicated];

/** A value of an indicator. The indicator's own sentence says what it is. */
const value = <Line>(source: (line: Line) => number) => number.orNull("", source);

const reason = "null without enough history";

/** An indicator with several values and its signal. */
function lines<Name extends keyof Indicated, Values extends Members<Of<Name>>>(
  name: Name,
  description: string,
  values: Values,
) {
  const Lines = record<Of<Name> & Line>()({ ...values, signal }, ...([] as never)); // each has a source
  const source = (of: Indicated) => of[name] as Of<Name> & Line; // null, too
  return object(Lines).orNull(`${description}; ${reason}`, source);
}

const ValueOf = record<ValueLine>()({ value: value((line) => line.value), signal });
/** Of a fraction. */
const PercentOf = record<ValueLine>()({
  value: percent.orNull(),
  signal,
});

/** An indicator of one value. */
function line(name: ValueName, description: string, values = ValueOf) {
  return object(values).orNull(`${description}; ${reason}`, (of: Indicated) => of[name]);
}

type Averages = Partial<ReadingIndicators["ema"]>;

/** Averages of a kind, by their length in days. */
function averages(kind: string) {
  const ofPeriod = (days: AveragePeriod) =>
    object(ValueOf).orNull(
      `${days}-day ${kind} average of the close; ${reason}`,
      (of: Averages) => of[days],
    );
  const members = AVERAGE_PERIODS.map((days) => [days, ofPeriod(days)] as const);
  type ByPeriod = Readonly<Record<AveragePeriod, ReturnType<typeof ofPeriod>>>;
  return object(record<Averages>()(Object.fromEntries(members) as ByPeriod));
}

export const Indicators = record<Indicated>()({
  rsi: line("rsi", "relative strength index, 14 days"),
  macd: lines("macd", "MACD 12, 26, 9", {
    line: value((macd) => macd.line),
    signal_line: value((macd) => macd.signalLine),
    histogram: value((macd) => macd.histogram),
  }),
  stochastic: lines("stochastic", "slow stochastic 14, 3, 3", {
    k: value((stochastic) => stochastic.k),
    d: value((stochastic) => stochastic.d),
  }),
  stoch_rsi: lines("stochRsi", "stochastic of the RSI 14, 14, 3, 3", {
    k: value((stochastic) => stochastic.k),
    d: value((stochastic) => stochastic.d),
  }),
  cci: line("cci", "commodity channel index, 20 days"),
  adx: lines("adx", "directional movement, 14 days", {
    adx: value(({ adx }) => adx),
    plus_di: value(({ plusDi }) => plusDi),
    minus_di: value(({ minusDi }) => minusDi),
  }),
  awesome_oscillator: line("awesomeOscillator", "awesome oscillator 5, 34"),
  momentum: line("momentum", "close less the close 10 days before"),
  williams_r: line("williamsR", "Williams %R, 14 days"),
  bull_bear_power: lines("bullBearPower", "bull and bear power, 13 days", {
    bull: value((power) => power.bull),
    bear: value((power) => power.bear),
  }),
  ultimate_oscillator: line("ultimateOscillator", "ultimate oscillator 7, 14, 28"),
  ema: averages("exponential")("", (of) => of.ema ?? {}),
  sma: averages("simple")("", (of) => of.sma ?? {}),
  hull_ma: line("hullMa", "Hull moving average, 9 days"),
  vwma: line("vwma", "volume-weighted average, 20 days"),
  ichimoku: lines(
    "ichimoku",
    "Ichimoku 9, 26, 52: lead1 and lead2 as computed on the day, cloud_lead1 and cloud_lead2 those of 26 days before, where the price is now",
    {
      conversion: value((cloud) => cloud.conversion),
      base: value((cloud) => cloud.base),
      lead1: value((cloud) => cloud.lead1),
      lead2: value((cloud) => cloud.lead2),
      cloud_lead1: value((cloud) => cloud.cloudLead1),
      cloud_lead2: value((cloud) => cloud.cloudLead2),
    },
  ),
  supertrend: lines("supertrend", "SuperTrend 10, 3", {
    value: value((trend) => trend.value),
    direction: oneOf(["up", "down"])(),
  }),
  bollinger: band("bollinger", "Bollinger bands 20, 2"),
  atr: line("atr", "average true range, 14 days, dollars"),
  keltner: band("keltner", "Keltner channel 20, 10, 2"),
  donchian: band("donchian", "Donchian channel, 20 days"),
  aroon: lines("aroon", "Aroon, 25 days", {
    up: value((aroon) => aroon.up),
    down: value((aroon) => aroon.down),
  }),
  parabolic_sar: line("parabolicSar", "parabolic stop and reverse 0.02, 0.2"),
  mfi: line("mfi", "money flow index, 14 days"),
  obv: line("obv", "on-balance volume since the coin's first day, in the coin"),
  roc: line("roc", "rate of change over 12 days, percent"),
  realized_volatility_30d_pct: line(
    "realizedVolatility30d",
    "standard deviation of 30 daily log returns, annualised over 365 days, percent",
    PercentOf,
  ),
  drawdown_from_high_pct: line(
    "drawdownFromHigh",
    "close against the highest close so far, percent",
    PercentOf,
  ),
});

/** Bands around a price. */
function band(name: "bollinger" | "keltner" | "donchian", description: string) {
  return lines(name, description, {
    upper: value((band) => band.upper),
    middle: value((band) => band.middle),
    lower: value((band) => band.lower),
  });
}

const rating = {
  rating: oneOf(["strong_sell", "sell", "neutral", "buy", "strong_buy"]).orNull(),
  score: number.orNull("-1, all sell, to 1, all buy; null while no component has enough history"),
  buy: int("components that say buy"),
  neutral: int("components that say neither"),
  sell: int("components that say sell"),
};
/** Its id is not the name of its member: a generated client may name a type after each. */
const GroupRating = record<Rating>({ id: "GroupRating" })(rating);

const Summary = record<RatingSummary>()({
  ...rating,
  moving_averages: object(GroupRating)(),
  oscillators: object(GroupRating)(),
});

/** A coin, and its reading if it has the day. */
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
