import { beforeAll, describe, expect, test } from "vitest";
import type { Bars } from "../../../quant/bars.ts";
import { adx } from "../../../quant/indicators/adx.ts";
import { aroon } from "../../../quant/indicators/aroon.ts";
import { atr } from "../../../quant/indicators/atr.ts";
import { bollinger } from "../../../quant/indicators/bollinger.ts";
import { cci } from "../../../quant/indicators/cci.ts";
import { donchian } from "../../../quant/indicators/donchian.ts";
import { ema } from "../../../quant/indicators/ema.ts";
import { ichimoku } from "../../../quant/indicators/ichimoku.ts";
import { macd } from "../../../quant/indicators/macd.ts";
import { mfi } from "../../../quant/indicators/mfi.ts";
import { momentum } from "../../../quant/indicators/momentum.ts";
import { obv } from "../../../quant/indicators/obv.ts";
import { parabolicSar } from "../../../quant/indicators/parabolic-sar.ts";
import { rollingMax } from "../../../quant/indicators/rolling-extreme.ts";
import { roc } from "../../../quant/indicators/roc.ts";
import { rsi } from "../../../quant/indicators/rsi.ts";
import { slidingSum } from "../../../quant/indicators/sliding-sum.ts";
import { sma } from "../../../quant/indicators/sma.ts";
import { standardDeviation } from "../../../quant/indicators/standard-deviation.ts";
import { stochRsi } from "../../../quant/indicators/stoch-rsi.ts";
import { stochastic } from "../../../quant/indicators/stochastic.ts";
import { trueRange } from "../../../quant/indicators/true-range.ts";
import { typicalPrice } from "../../../quant/indicators/typical-price.ts";
import { ultimateOscillator } from "../../../quant/indicators/ultimate-oscillator.ts";
import { williamsR } from "../../../quant/indicators/williams-r.ts";
import { wma } from "../../../quant/indicators/wma.ts";
import { testBars, testTickers } from "../../support/real-prices.ts";
import { enlarged, reduced, settledPrices } from "../../support/talib-scale.ts";
import { largestDifference, startTalib, type Talib } from "../../support/talib.ts";

const TOLERANCE = 1e-9;

/** The unit of an output: points of 0 to 100, dollars, or a volume that must be exact. */
type Unit = (bars: Bars) => (row: number) => number;
const points: Unit = () => () => 100;
const dollars: Unit =
  ({ close }) =>
  (row) =>
    close[row]!;
const exact: Unit = () => () => 0;

/**
 * TA-Lib computes a variance as the difference of two running sums over the whole history, so its own error
 * is proportional to the square of the highest price so far.
 */
const squaredHigh: Unit = ({ close }) => {
  const highest = rollingMax(close, 1);
  for (let row = 1; row < highest.length; row++) {
    highest[row] = Math.max(highest[row]!, highest[row - 1]!);
  }
  return (row) => highest[row]! ** 2;
};

type Columns = readonly Float64Array[];

interface Comparison {
  readonly unit: Unit;
  readonly ours: (bars: Bars) => Columns;
  readonly reference: (talib: Talib, bars: Bars) => Columns;
}

/** Indicators with one period, compared at several periods including the shortest that TA-Lib accepts. */
const perPeriod = (period: number): Readonly<Record<string, Comparison>> => ({
  SMA: {
    unit: dollars,
    ours: ({ close }) => [sma(close, period)],
    reference: (talib, { close }) => one(talib, "SMA", [close], [period]),
  },
  EMA: {
    unit: dollars,
    ours: ({ close }) => [ema(close, period)],
    reference: (talib, { close }) => one(talib, "EMA", [close], [period]),
  },
  WMA: {
    unit: dollars,
    ours: ({ close }) => [wma(close, period)],
    reference: (talib, { close }) => one(talib, "WMA", [close], [period]),
  },
  SUM: {
    unit: dollars,
    ours: ({ close }) => [slidingSum(close, period)],
    reference: (talib, { close }) => one(talib, "SUM", [close], [period]),
  },
  "MAX and MIN (Donchian)": {
    unit: exact,
    ours: ({ high, low }) => {
      const { upper, lower } = donchian(high, low, period);
      return [upper, lower];
    },
    reference: (talib, { high, low }) => [
      ...one(talib, "MAX", [high], [period]),
      ...one(talib, "MIN", [low], [period]),
    ],
  },
  "MIDPRICE (Ichimoku)": {
    unit: dollars,
    ours: ({ high, low }) => [
      ichimoku(high, low, { conversion: period, base: period, spanB: period }).lead2,
    ],
    reference: (talib, { high, low }) => one(talib, "MIDPRICE", [high, low], [period]),
  },
  RSI: {
    unit: points,
    ours: ({ close }) => [rsi(close, period)],
    reference: (talib, { close }) => one(talib, "RSI", [close], [period]),
  },
  ATR: {
    unit: dollars,
    ours: ({ high, low, close }) => [atr(high, low, close, period)],
    reference: (talib, { high, low, close }) => one(talib, "ATR", [high, low, close], [period]),
  },
  CCI: {
    unit: points,
    ours: ({ high, low, close }) => [cci(high, low, close, period)],
    reference: (talib, bars) => {
      const prices = settledPrices(bars);
      return one(talib, "CCI", [prices, prices, prices], [period]);
    },
  },
  "ADX, PLUS_DI and MINUS_DI": {
    unit: points,
    ours: ({ high, low, close }) => {
      const columns = adx(high, low, close, period);
      return [columns.adx, columns.plusDi, columns.minusDi];
    },
    reference: (talib, { high, low, close }) => [
      ...one(talib, "ADX", [high, low, close], [period]),
      ...one(talib, "PLUS_DI", [high, low, close], [period]),
      ...one(talib, "MINUS_DI", [high, low, close], [period]),
    ],
  },
  MOM: {
    unit: dollars,
    ours: ({ close }) => [momentum(close, period)],
    reference: (talib, { close }) => one(talib, "MOM", [close], [period]),
  },
  ROC: {
    unit: points,
    ours: ({ close }) => [roc(close, period)],
    reference: (talib, { close }) => one(talib, "ROC", [close], [period]),
  },
  WILLR: {
    unit: points,
    ours: ({ high, low, close }) => [williamsR(high, low, close, period)],
    reference: (talib, { high, low, close }) => one(talib, "WILLR", [high, low, close], [period]),
  },
  AROON: {
    unit: points,
    ours: ({ high, low }) => {
      const { up, down } = aroon(high, low, period);
      return [down, up];
    },
    reference: (talib, { high, low }) =>
      talib("AROON", { inputs: [high, low], options: [period], outputs: 2 }),
  },
  MFI: {
    unit: points,
    ours: ({ high, low, close, volume }) => [mfi(high, low, close, volume, period)],
    reference: (talib, bars) => {
      const prices = settledPrices(bars);
      return one(talib, "MFI", [prices, prices, prices, bars.volume], [period]);
    },
  },
});

/** Over two closes TA-Lib's variance has too few digits left for a comparison. */
const spreads = (period: number): Readonly<Record<string, Comparison>> => ({
  STDDEV: {
    unit: squaredHigh,
    ours: ({ close }) => [squares(standardDeviation(close, period))],
    reference: (talib, { close }) =>
      one(talib, "STDDEV", [enlarged(close)], [period, 1])
        .map(reduced)
        .map(squares),
  },
  BBANDS: {
    unit: dollars,
    ours: ({ close }) => {
      const { upper, middle, lower } = bollinger(close, period, 2);
      return [upper, middle, lower];
    },
    reference: (talib, { close }) =>
      talib("BBANDS", { inputs: [enlarged(close)], options: [period, 2, 2, 0], outputs: 3 }).map(
        reduced,
      ),
  },
});

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  ...atPeriods([2, 10, 14, 20, 50, 200], perPeriod),
  ...atPeriods([10, 14, 20, 50, 200], spreads),
  ...macdComparison(12, 26, 9),
  ...macdComparison(5, 35, 5),
  ...macdComparison(2, 3, 2),
  ...stochasticComparison({ kPeriod: 14, kSmoothing: 3, dSmoothing: 3 }),
  ...stochasticComparison({ kPeriod: 5, kSmoothing: 1, dSmoothing: 4 }),
  "STOCH of RSI 14,14,3,3": {
    unit: points,
    ours: ({ close }) => {
      const periods = { rsiPeriod: 14, stochPeriod: 14, kSmoothing: 3, dSmoothing: 3 };
      const { k, d } = stochRsi(close, periods);
      return [k, d];
    },
    reference: (talib, { close }) => {
      // TA-Lib accepts no NaN: the RSI goes in without its warm-up, which is put back afterwards.
      const strength = one(talib, "RSI", [close], [14])[0]!.subarray(14);
      const inputs = [strength, strength, strength];
      const lines = talib("STOCH", { inputs, options: [14, 3, 0, 3, 0], outputs: 2 });
      return lines.map((line) =>
        Float64Array.of(...Array.from({ length: 14 }, () => NaN), ...line),
      );
    },
  },
  "ULTOSC 7,14,28": {
    unit: points,
    ours: ({ high, low, close }) => [
      ultimateOscillator(high, low, close, { short: 7, medium: 14, long: 28 }),
    ],
    reference: (talib, { high, low, close }) =>
      one(talib, "ULTOSC", [high, low, close], [7, 14, 28]),
  },
  "SAR 0.02,0.2": {
    unit: dollars,
    ours: ({ high, low }) => [parabolicSar(high, low, 0.02, 0.2)],
    reference: (talib, { high, low }) => one(talib, "SAR", [high, low], [0.02, 0.2]),
  },
  "SAR 0.3,0.1": {
    unit: dollars,
    ours: ({ high, low }) => [parabolicSar(high, low, 0.3, 0.1)],
    reference: (talib, { high, low }) => one(talib, "SAR", [high, low], [0.3, 0.1]),
  },
  OBV: {
    unit: exact,
    ours: ({ close, volume }) => [obv(close, volume)],
    reference: (talib, { close, volume }) => one(talib, "OBV", [close, volume], []),
  },
  TRANGE: {
    unit: dollars,
    ours: ({ high, low, close }) => [trueRange(high, low, close)],
    reference: (talib, { high, low, close }) => one(talib, "TRANGE", [high, low, close], []),
  },
  TYPPRICE: {
    unit: dollars,
    ours: ({ high, low, close }) => [typicalPrice(high, low, close)],
    reference: (talib, { high, low, close }) => one(talib, "TYPPRICE", [high, low, close], []),
  },
};

function squares(column: Float64Array): Float64Array {
  return column.map((value) => value * value);
}

function one(talib: Talib, name: string, inputs: Columns, options: readonly number[]): Columns {
  return talib(name, { inputs, options, outputs: 1 });
}

function atPeriods(
  periods: readonly number[],
  comparisons: (period: number) => Readonly<Record<string, Comparison>>,
): Record<string, Comparison> {
  const named = periods.flatMap((period) =>
    Object.entries(comparisons(period)).map(([name, each]) => [`${name} ${period}`, each] as const),
  );
  return Object.fromEntries(named);
}

function macdComparison(fast: number, slow: number, smoothing: number) {
  const comparison: Comparison = {
    unit: dollars,
    ours: ({ close }) => {
      const { line, signal, histogram } = macd(close, fast, slow, smoothing);
      return [line, signal, histogram];
    },
    reference: (talib, { close }) =>
      talib("MACD", { inputs: [close], options: [fast, slow, smoothing], outputs: 3 }),
  };
  return { [`MACD ${fast},${slow},${smoothing}`]: comparison };
}

function stochasticComparison(periods: {
  kPeriod: number;
  kSmoothing: number;
  dSmoothing: number;
}) {
  const { kPeriod, kSmoothing, dSmoothing } = periods;
  const options = [kPeriod, kSmoothing, 0, dSmoothing, 0];
  const comparison: Comparison = {
    unit: points,
    ours: ({ high, low, close }) => {
      const { k, d } = stochastic(high, low, close, periods);
      return [k, d];
    },
    reference: (talib, { high, low, close }) =>
      talib("STOCH", { inputs: [high, low, close], options, outputs: 2 }),
  };
  return { [`STOCH ${kPeriod},${kSmoothing},${dSmoothing}`]: comparison };
}

describe("against TA-Lib on every day of every coin", () => {
  let talib: Talib;
  let market: readonly { ticker: string; bars: Bars }[] = [];

  beforeAll(async () => {
    talib = await startTalib();
    market = testTickers().map((ticker) => ({ ticker, bars: testBars(ticker) }));
  });

  test.each(Object.entries(COMPARISONS))("%s", (_, { unit, ours, reference }) => {
    const differences: Record<string, number> = {};
    for (const { ticker, bars } of market) {
      const wanted = reference(talib, bars);
      for (const [index, column] of ours(bars).entries()) {
        const difference = largestDifference(column, wanted[index]!, unit(bars));
        if (difference > TOLERANCE) differences[`${ticker} output ${index}`] = difference;
      }
    }
    expect(differences).toEqual({});
  });
});
