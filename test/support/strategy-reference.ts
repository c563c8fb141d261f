import type { Bars } from "../../quant/bars.ts";
import { rma } from "../../quant/indicators/rma.ts";
import { trueRange } from "../../quant/indicators/true-range.ts";
import { pineSupertrend } from "./pine-supertrend.ts";
import { enlarged, reduced, settledPrices } from "./talib-scale.ts";
import type { Talib } from "./talib.ts";

type Column = ArrayLike<number>;

/** Above, as the rules mean it: values closer than 1e-11 of each other are equal. */
const gt = (a: number, b: number) => a - b > 1e-11 * Math.abs(b);

/** What a template says on a day: whether its entry and its exit condition hold. */
type Says = readonly [enter: boolean, exit: boolean];
type Reference = (
  bars: Bars,
  params: Readonly<Record<string, number>>,
  talib: { readonly talib: Talib; readonly of: OfTalib },
) => (day: number) => Says;

/** Above the line: in. Below: out. */
const sides =
  (value: Column, line: Column) =>
  (day: number): Says => [gt(value[day]!, line[day]!), gt(line[day]!, value[day]!)];

const reversion =
  (value: Column, low: number, high: number) =>
  (day: number): Says => [gt(low, value[day]!), gt(value[day]!, high)];

const strength =
  (value: Column, level: number) =>
  (day: number): Says => [gt(value[day]!, level), gt(level, value[day]!)];

/** Above middle plus width: in. Below middle: out. Nothing before both are there. */
const breakout =
  (close: Column, middle: Column, width: Column) =>
  (day: number): Says => {
    if (Number.isNaN(middle[day]! + width[day]!)) return [false, false];
    return [gt(close[day]!, middle[day]! + width[day]!), gt(middle[day]!, close[day]!)];
  };

/** A function of TA-Lib with one output. */
type OfTalib = (
  name: string,
  inputs: readonly Float64Array[],
  ...options: number[]
) => Float64Array;

/** TA-Lib's deviation, without its threshold in dollars. */
const spreadOf = (of: OfTalib, values: Float64Array, count: number) =>
  reduced(of("STDDEV", [enlarged(values)], count, 1));

/**
 * Each template written a second time, from the words of its entry and exit rule and nothing else, on the
 * indicators of TA-Lib. SuperTrend, which it lacks, is TradingView's text.
 */
export const REFERENCES: Readonly<Record<string, Reference>> = {
  ma_cross: ({ close }, p, { of }) =>
    sides(of("SMA", [close], p["fast"]!), of("SMA", [close], p["slow"]!)),
  ema_cross: ({ close }, p, { of }) =>
    sides(of("EMA", [close], p["fast"]!), of("EMA", [close], p["slow"]!)),
  triple_ema: ({ close }, p, { of }) => {
    const [fast, medium, slow] = [p["fast"]!, p["medium"]!, p["slow"]!].map((count) =>
      of("EMA", [close], count),
    );
    return (day) => [
      gt(fast![day]!, medium![day]!) && gt(medium![day]!, slow![day]!),
      gt(medium![day]!, fast![day]!) && gt(slow![day]!, medium![day]!),
    ];
  },
  macd_cross: ({ close }, p, { talib }) => {
    const options = [p["fast"]!, p["slow"]!, p["signal"]!];
    const [line, signal] = talib("MACD", { inputs: [close], options, outputs: 3 });
    return sides(line!, signal!);
  },
  rsi_reversion: ({ close }, p, { of }) =>
    reversion(of("RSI", [close], p["period"]!), p["oversold"]!, p["overbought"]!),
  rsi_trend: ({ close }, p, { of }) => strength(of("RSI", [close], p["period"]!), p["level"]!),
  stochastic: ({ high, low, close }, p, { talib }) => {
    const options = [p["period"]!, p["smoothing"]!, 0, p["signal"]!, 0];
    const [k, d] = talib("STOCH", { inputs: [high, low, close], options, outputs: 2 });
    return (day) => [
      gt(p["oversold"]!, k![day]!) && gt(k![day]!, d![day]!),
      gt(k![day]!, p["overbought"]!) && gt(d![day]!, k![day]!),
    ];
  },
  cci: (bars, p, { of }) => {
    const prices = settledPrices(bars);
    return strength(of("CCI", [prices, prices, prices], p["period"]!), p["level"]!);
  },
  williams_r: ({ high, low, close }, p, { of }) =>
    reversion(of("WILLR", [high, low, close], p["period"]!), p["oversold"]!, p["overbought"]!),
  mfi: (bars, p, { of }) => {
    const prices = settledPrices(bars);
    const flow = of("MFI", [prices, prices, prices, bars.volume], p["period"]!);
    return reversion(flow, p["oversold"]!, p["overbought"]!);
  },
  bollinger_reversion: ({ close }, p, { of }) => {
    const middle = of("SMA", [close], p["period"]!);
    const spread = spreadOf(of, close, p["period"]!);
    return (day) => [
      gt(middle[day]! - p["multiplier"]! * spread[day]!, close[day]!),
      gt(close[day]!, middle[day]!),
    ];
  },
  bollinger_breakout: ({ close }, p, { of }) => {
    const width = spreadOf(of, close, p["period"]!).map((spread) => p["multiplier"]! * spread);
    return breakout(close, of("SMA", [close], p["period"]!), width);
  },
  keltner_breakout: ({ high, low, close }, p, { of }) => {
    const range = rma(trueRange({ high, low, close }), p["atr"]!); // as TradingView's, from the first day on
    const width = range.map((value) => p["multiplier"]! * value);
    return breakout(close, of("EMA", [close], p["period"]!), width);
  },
  donchian_breakout: ({ high, low, close }, p, { of }) => {
    const highest = of("MAX", [high], p["entry"]!);
    const lowest = of("MIN", [low], p["exit"]!);
    return (day) => {
      if (day < Math.max(p["entry"]!, p["exit"]!)) return [false, false];
      return [gt(close[day]!, highest[day - 1]!), gt(lowest[day - 1]!, close[day]!)];
    };
  },
  supertrend: (bars, p) =>
    strength(pineSupertrend(bars, p["period"]!, p["multiplier"]!).direction, 0),
  adx_trend: ({ high, low, close }, p, { of }) => {
    const [adx, plus, minus] = ["ADX", "PLUS_DI", "MINUS_DI"].map((name) =>
      of(name, [high, low, close], p["period"]!),
    );
    return (day) => {
      if (Number.isNaN(adx![day])) return [false, false];
      return [
        gt(adx![day]!, p["threshold"]!) && gt(plus![day]!, minus![day]!),
        gt(minus![day]!, plus![day]!),
      ];
    };
  },
  parabolic_sar: ({ high, low, close }, p, { of }) =>
    sides(close, of("SAR", [high, low], p["acceleration"]!, p["maximum"]!)),
  ichimoku: ({ high, low, close }, p, { of }) => {
    const [conversion, base, spanB] = [p["conversion"]!, p["base"]!, 2 * p["base"]!].map((count) =>
      of("MIDPRICE", [high, low], count),
    );
    return (day) => {
      const then = day - p["base"]!;
      const spans = [(conversion![then]! + base![then]!) / 2, spanB![then]!];
      const rising = gt(conversion![day]!, base![day]!);
      return [
        rising && spans.every((span) => gt(close[day]!, span)),
        spans.every((span) => gt(span, close[day]!)),
      ];
    };
  },
  aroon: ({ high, low }, p, { talib }) => {
    const call = { inputs: [high, low], options: [p["period"]!], outputs: 2 };
    const [down, up] = talib("AROON", call);
    return (day) => [
      gt(up![day]!, p["level"]!) && gt(up![day]!, down![day]!),
      gt(down![day]!, up![day]!),
    ];
  },
  time_series_momentum:
    ({ close }, p) =>
    (day) => [
      gt(close[day]!, close[day - p["lookback"]!]!),
      gt(close[day - p["lookback"]!]!, close[day]!),
    ],
  zscore_reversion: ({ close }, p, { of }) => {
    const price = close.map((value) => Math.log(value));
    const [mean, spread] = [of("SMA", [price], p["period"]!), spreadOf(of, price, p["period"]!)];
    return (day) => [
      gt(mean[day]! - p["entry"]! * spread[day]!, price[day]!),
      gt(price[day]!, mean[day]!),
    ];
  },
  volatility_filtered_trend: ({ close }, p, { of }) => {
    const average = of("SMA", [close], p["trend"]!);
    const logReturns = close.map((value, day) => Math.log(value / close[day - 1]!));
    // Sample or population, a day or a year: a factor that both sides have.
    const volatility = spreadOf(of, logReturns, p["days"]!);
    const norm = of("SMA", [volatility], p["norm"]!);
    return (day) => {
      if (Number.isNaN(average[day]! + norm[day]!)) return [false, false];
      const limit = p["ratio"]! * norm[day]!;
      const calm = gt(limit, volatility[day]!);
      const stormy = gt(volatility[day]!, limit);
      return [gt(close[day]!, average[day]!) && calm, gt(average[day]!, close[day]!) || stormy];
    };
  },
};

export function referenceFlags(
  name: string,
  bars: Bars,
  params: Readonly<Record<string, number>>,
  talib: Talib,
): Uint8Array {
  const of: OfTalib = (called, inputs, ...options) =>
    talib(called, { inputs, options, outputs: 1 })[0]!;
  const says = REFERENCES[name]!(bars, params, { talib, of });
  return Uint8Array.from(bars.day, (_, day) => {
    const [enter, exit] = says(day);
    return (enter ? 1 : 0) + (exit ? 2 : 0);
  });
}
