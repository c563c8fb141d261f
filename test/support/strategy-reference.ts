import type { Bars } from "../../quant/bars.ts";
import {
  aroonOf,
  averageOf,
  averageRangeOf,
  cciOf,
  daily,
  emaOf,
  highestOf,
  lowestOf,
  macdOf,
  mfiOf,
  rsiOf,
  spreadOf,
  stochasticOf,
  supertrendOf,
  volatilityOf,
  williamsOf,
  type Column,
} from "./strategy-indicators.ts";
import type { Talib } from "./talib.ts";

/** Above, as the rules mean it: values closer than 1e-11 of each other are equal. */
const gt = (a: number, b: number) => a - b > 1e-11 * Math.abs(b);

/** What a template says on a day: whether its entry and its exit condition hold. */
type Says = readonly [enter: boolean, exit: boolean];
type Reference = (
  bars: Bars,
  params: Readonly<Record<string, number>>,
  talib: Talib,
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

const times = (values: Column, factor: number) => values.map((value) => value * factor);

/**
 * Each template written a second time, from the words of its entry and exit rule and nothing else.
 * The two indicators with state that no words could tell apart, ADX and SAR, come from TA-Lib itself.
 */
export const REFERENCES: Readonly<Record<string, Reference>> = {
  ma_cross: ({ close }, p) =>
    sides(averageOf([...close], p["fast"]!), averageOf([...close], p["slow"]!)),
  ema_cross: ({ close }, p) => sides(emaOf([...close], p["fast"]!), emaOf([...close], p["slow"]!)),
  triple_ema: ({ close }, p) => {
    const [fast, medium, slow] = [p["fast"]!, p["medium"]!, p["slow"]!].map((count) =>
      emaOf([...close], count),
    );
    return (day) => [
      gt(fast![day]!, medium![day]!) && gt(medium![day]!, slow![day]!),
      gt(medium![day]!, fast![day]!) && gt(slow![day]!, medium![day]!),
    ];
  },
  macd_cross: ({ close }, p) => {
    const { line, signal } = macdOf([...close], p["fast"]!, p["slow"]!, p["signal"]!);
    return sides(line, signal);
  },
  rsi_reversion: ({ close }, p) =>
    reversion(rsiOf([...close], p["period"]!), p["oversold"]!, p["overbought"]!),
  rsi_trend: ({ close }, p) => strength(rsiOf([...close], p["period"]!), p["level"]!),
  stochastic: (bars, p) => {
    const { k, d } = stochasticOf(bars, p["period"]!, p["smoothing"]!, p["signal"]!);
    return (day) => [
      gt(p["oversold"]!, k[day]!) && gt(k[day]!, d[day]!),
      gt(k[day]!, p["overbought"]!) && gt(d[day]!, k[day]!),
    ];
  },
  cci: (bars, p) => strength(cciOf(bars, p["period"]!), p["level"]!),
  williams_r: (bars, p) =>
    reversion(williamsOf(bars, p["period"]!), p["oversold"]!, p["overbought"]!),
  mfi: (bars, p) => reversion(mfiOf(bars, p["period"]!), p["oversold"]!, p["overbought"]!),
  bollinger_reversion: ({ close }, p) => {
    const middle = averageOf([...close], p["period"]!);
    const spread = spreadOf([...close], p["period"]!);
    return (day) => [
      gt(middle[day]! - p["multiplier"]! * spread[day]!, close[day]!),
      gt(close[day]!, middle[day]!),
    ];
  },
  bollinger_breakout: ({ close }, p) => {
    const spread = spreadOf([...close], p["period"]!);
    return breakout(
      [...close],
      averageOf([...close], p["period"]!),
      times(spread, p["multiplier"]!),
    );
  },
  keltner_breakout: (bars, p) => {
    const close = [...bars.close];
    return breakout(
      close,
      emaOf(close, p["period"]!),
      times(averageRangeOf(bars, p["atr"]!), p["multiplier"]!),
    );
  },
  donchian_breakout: ({ high, low, close }, p) => {
    const highest = highestOf([...high], p["entry"]!);
    const lowest = lowestOf([...low], p["exit"]!);
    return (day) => {
      if (day < Math.max(p["entry"]!, p["exit"]!)) return [false, false];
      return [gt(close[day]!, highest[day - 1]!), gt(lowest[day - 1]!, close[day]!)];
    };
  },
  supertrend: (bars, p) => strength(supertrendOf(bars, p["period"]!, p["multiplier"]!), 0),
  adx_trend: ({ high, low, close }, p, talib) => {
    const call = { inputs: [high, low, close], options: [p["period"]!], outputs: 1 };
    const [adx, plus, minus] = ["ADX", "PLUS_DI", "MINUS_DI"].map((name) => talib(name, call)[0]!);
    return (day) => {
      if (Number.isNaN(adx![day])) return [false, false];
      return [
        gt(adx![day]!, p["threshold"]!) && gt(plus![day]!, minus![day]!),
        gt(minus![day]!, plus![day]!),
      ];
    };
  },
  parabolic_sar: ({ high, low, close }, p, talib) => {
    const options = [p["acceleration"]!, p["maximum"]!];
    return sides([...close], [...talib("SAR", { inputs: [high, low], options, outputs: 1 })[0]!]);
  },
  ichimoku: ({ high, low, close, day: days }, p) => {
    const middle = (count: number) => {
      const [top, bottom] = [highestOf([...high], count), lowestOf([...low], count)];
      return daily(days.length, (day) => (top[day]! + bottom[day]!) / 2);
    };
    const [conversion, base, spanB] = [p["conversion"]!, p["base"]!, 2 * p["base"]!].map(middle);
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
  aroon: ({ high, low }, p) => {
    const up = aroonOf([...high], p["period"]!, 1);
    const down = aroonOf([...low], p["period"]!, -1);
    return (day) => [
      gt(up[day]!, p["level"]!) && gt(up[day]!, down[day]!),
      gt(down[day]!, up[day]!),
    ];
  },
  time_series_momentum:
    ({ close }, p) =>
    (day) => [
      gt(close[day]!, close[day - p["lookback"]!]!),
      gt(close[day - p["lookback"]!]!, close[day]!),
    ],
  zscore_reversion: ({ close }, p) => {
    const price = Array.from(close, (value) => Math.log(value));
    const [mean, spread] = [averageOf(price, p["period"]!), spreadOf(price, p["period"]!)];
    return (day) => [
      gt(mean[day]! - p["entry"]! * spread[day]!, price[day]!),
      gt(price[day]!, mean[day]!),
    ];
  },
  volatility_filtered_trend: ({ close }, p) => {
    const average = averageOf([...close], p["trend"]!);
    const volatility = volatilityOf([...close], p["days"]!);
    const norm = averageOf(volatility, p["norm"]!);
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
  const says = REFERENCES[name]!(bars, params, talib);
  return Uint8Array.from(bars.day, (_, day) => {
    const [enter, exit] = says(day);
    return (enter ? 1 : 0) + (exit ? 2 : 0);
  });
}
