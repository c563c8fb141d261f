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
import { withPrices } from "../../support/made-up-bars.ts";
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
  let high = 0;
  const squares = close.map((price) => (high = Math.max(high, price)) ** 2);
  return (row) => squares[row]!;
};

type Columns = readonly Float64Array[];

/** A function of TA-Lib, its inputs and options, and our columns in the order of its outputs. */
type Comparison = readonly [
  name: string,
  unit: Unit,
  inputs: (bars: Bars) => Columns,
  options: readonly number[],
  ours: (bars: Bars) => Columns,
];

const ofClose = ({ close }: Bars) => [close];
const ofRange = ({ high, low }: Bars) => [high, low];
const ofBars = ({ high, low, close }: Bars) => [high, low, close];
const ofVolume = ({ close, volume }: Bars) => [close, volume];
const ofSettled = (bars: Bars) => Array<Float64Array>(3).fill(settledPrices(bars));

const varianceOf = ({ close }: Bars, days: number) =>
  standardDeviation(close, days).map((deviation) => deviation ** 2);

/** Indicators with one period, compared at several periods including the shortest that TA-Lib accepts. */
const perPeriod = [2, 10, 14, 20, 50, 200].flatMap((period): Comparison[] => [
  ["SMA", dollars, ofClose, [period], ({ close }) => [sma(close, period)]],
  ["EMA", dollars, ofClose, [period], ({ close }) => [ema(close, period)]],
  ["WMA", dollars, ofClose, [period], ({ close }) => [wma(close, period)]],
  ["SUM", dollars, ofClose, [period], ({ close }) => [slidingSum(close, period)]],
  ["MAX", exact, ({ high }) => [high], [period], (bars) => [donchian(bars, period).upper]],
  ["MIN", exact, ({ low }) => [low], [period], (bars) => [donchian(bars, period).lower]],
  [
    "MIDPRICE",
    dollars,
    ofRange,
    [period],
    (bars) => [ichimoku(bars, period, period, period).lead2],
  ],
  ["RSI", points, ofClose, [period], ({ close }) => [rsi(close, period)]],
  ["ATR", dollars, ofBars, [period], (bars) => [atr(bars, period)]],
  ["CCI", points, ofSettled, [period], (bars) => [cci(bars, period)]],
  ["ADX", points, ofBars, [period], (bars) => [adx(bars, period).adx]],
  ["PLUS_DI", points, ofBars, [period], (bars) => [adx(bars, period).plusDi]],
  ["MINUS_DI", points, ofBars, [period], (bars) => [adx(bars, period).minusDi]],
  ["MOM", dollars, ofClose, [period], ({ close }) => [momentum(close, period)]],
  ["ROC", points, ofClose, [period], ({ close }) => [roc(close, period)]],
  ["WILLR", points, ofBars, [period], (bars) => [williamsR(bars, period)]],
  [
    "AROON",
    points,
    ofRange,
    [period],
    (bars) => {
      const { up, down } = aroon(bars, period);
      return [down, up];
    },
  ],
  [
    "MFI",
    points,
    // Behind days without volume its sums hold rounding, which it takes for nothing below a dollar.
    (bars) => [...ofSettled(bars).map(reduced), bars.volume],
    [period],
    (bars) => {
      const values = mfi(bars, period);
      // The stated exception: after the warm-up it has no value only where nothing was traded, and TA-Lib is 0.
      return [values.map((value, row) => (row >= period && Number.isNaN(value) ? 0 : value))];
    },
  ],
]);

/** Over two closes TA-Lib's variance has too few digits left for a comparison. */
const spreads = [10, 14, 20, 50, 200].flatMap((period): Comparison[] => [
  ["VAR", squaredHigh, ofClose, [period, 1], (bars) => [varianceOf(bars, period)]],
  [
    "BBANDS",
    dollars,
    ofClose,
    [period, 2, 2, 0],
    ({ close }) => Object.values(bollinger(close, period, 2)),
  ],
]);

const averages = [
  [12, 26, 9],
  [5, 35, 5],
  [2, 3, 2],
].map(([fast, slow, smoothing]): Comparison => [
  "MACD",
  dollars,
  ofClose,
  [fast!, slow!, smoothing!],
  ({ close }) => Object.values(macd(close, fast!, slow!, smoothing!)),
]);

const stochastics = [
  [14, 3, 3],
  [5, 1, 4],
].map(([days, ofK, ofD]): Comparison => [
  "STOCH",
  points,
  ofBars,
  [days!, ofK!, 0, ofD!, 0],
  (bars) => Object.values(stochastic(bars, days!, ofK!, ofD!)),
]);

const others: readonly Comparison[] = [
  [
    "STOCH of RSI",
    points,
    ({ close }) => Array<Float64Array>(3).fill(rsi(close, 14)),
    [14, 3, 0, 3, 0],
    ({ close }) => Object.values(stochRsi(close, 14, 14, 3, 3)),
  ],
  ["ULTOSC", points, ofBars, [7, 14, 28], (bars) => [ultimateOscillator(bars, 7, 14, 28)]],
  ["SAR", dollars, ofRange, [0.02, 0.2], (bars) => [parabolicSar(bars, 0.02, 0.2)]],
  ["SAR", dollars, ofRange, [0.3, 0.1], (bars) => [parabolicSar(bars, 0.3, 0.1)]],
  ["OBV", exact, ofVolume, [], (bars) => [obv(bars)]],
  ["TRANGE", dollars, ofBars, [], (bars) => [trueRange(bars)]],
  ["TYPPRICE", dollars, ofBars, [], (bars) => [typicalPrice(bars)]],
];

describe("against TA-Lib on every day of every coin", () => {
  let talib: Talib;
  let market: readonly { ticker: string; bars: Bars }[] = [];

  beforeAll(async () => {
    talib = await startTalib();
    market = testTickers().map((ticker) => ({
      ticker,
      bars: withPrices(testBars(ticker), enlarged),
    }));
  });

  test.each([...perPeriod, ...spreads, ...averages, ...stochastics, ...others])(
    "%s $3",
    (name, unit, inputs, options, ours) => {
      const differences: Record<string, number> = {};
      for (const { ticker, bars } of market) {
        const columns = ours(bars);
        const call = { inputs: inputs(bars), options, outputs: columns.length };
        const wanted = talib(name.split(" ")[0]!, call);
        for (const [index, column] of columns.entries()) {
          const difference = largestDifference(column, wanted[index]!, unit(bars));
          if (difference > TOLERANCE) differences[`${ticker} output ${index}`] = difference;
        }
      }
      expect(differences).toEqual({});
    },
  );
});
