import { describe, expect, test } from "vitest";
import { adx } from "../../../quant/indicators/adx.ts";
import { bollinger } from "../../../quant/indicators/bollinger.ts";
import { cci } from "../../../quant/indicators/cci.ts";
import { mfi } from "../../../quant/indicators/mfi.ts";
import { rsi } from "../../../quant/indicators/rsi.ts";
import { standardDeviation } from "../../../quant/indicators/standard-deviation.ts";
import { stochRsi } from "../../../quant/indicators/stoch-rsi.ts";
import { stochastic } from "../../../quant/indicators/stochastic.ts";
import { isTalibZero } from "../../../quant/indicators/talib-zero.ts";
import { ultimateOscillator } from "../../../quant/indicators/ultimate-oscillator.ts";
import { williamsR } from "../../../quant/indicators/williams-r.ts";

/**
 * Eleven made-up days. The values below are those of the Python package TA-Lib 0.8.2 (C library 0.8.1) for
 * these numbers times 2 ** -40, volumes included. The other tests compare with a build of 0.6, which takes
 * prices of a trillionth of a dollar for zero.
 */
const HIGH = [10, 12, 13, 12, 15, 17, 16, 18, 21, 20, 19];
const LOW = [8, 9, 11, 10, 11, 14, 13, 15, 17, 17, 16];
const CLOSE = [9, 12, 11, 11, 15, 15, 14, 18, 19, 17, 18];
const VOLUME = [3, 5, 2, 4, 6, 1, 7, 2, 8, 3, 5];

const UNITS = [2 ** -40, 1, 2 ** 40];

describe.each(UNITS)("in units of %d dollars, the last three days as TA-Lib 0.8.2", (unit) => {
  const inUnits = (values: readonly number[]) => Float64Array.from(values, (each) => each * unit);
  const close = inUnits(CLOSE);
  const bars = { high: inUnits(HIGH), low: inUnits(LOW), close, volume: inUnits(VOLUME) };
  const { adx: strength, plusDi, minusDi } = adx(bars, 3);
  const inPrices = (column: Float64Array) => column.map((value) => value / unit);
  const spread = inPrices(standardDeviation(close, 3));
  const upper = inPrices(bollinger(close, 3, 2).upper);
  const ultimate = ultimateOscillator(bars, 1, 2, 3);
  const { k } = stochastic(bars, 3, 1, 1);
  const { k: kOfRsi } = stochRsi(close, 3, 3, 1, 1);

  test.each<[string, Float64Array, readonly number[]]>([
    ["RSI(3)", rsi(close, 3), [89.38589840788477, 57.568359375, 66.50929762019463]],
    ["STDDEV(3)", spread, [2.1602468994692847, 0.8164965809277203, 0.8164965809277203]],
    ["BBANDS(3, 2, 2), upper", upper, [21.32049379893857, 19.632993161855442, 19.632993161855442]],
    ["ADX(3)", strength, [67.03834226615633, 71.98456906201146, 59.435471841109916]],
    ["PLUS_DI(3)", plusDi, [55.69503171247357, 38.85329769092502, 26.729235696054033]],
    ["MINUS_DI(3)", minusDi, [5.549682875264271, 3.8715029727612116, 13.064984067092599]],
    ["ULTOSC(1, 2, 3)", ultimate, [59.09090909090909, 15.95547309833024, 53.333333333333336]],
    ["CCI(3)", cci(bars, 3), [90.9090909090909, 0, -71.42857142857156]],
    ["STOCH(3, 1, 0, 1, 0), %K", k, [75, 33.33333333333333, 40]],
    ["STOCHRSI(3, 3, 1, 0), fast %K", kOfRsi, [100, 0, 28.100659312317628]],
    ["WILLR(3)", williamsR(bars, 3), [-25, -66.66666666666666, -60]],
    ["MFI(3)", mfi(bars, 3), [64.9592549476135, 77.5, 51.64212910532275]],
  ])("%s", (_, column, wanted) => {
    for (const [index, value] of column.subarray(-3).entries()) {
      expect(value).toBeCloseTo(wanted[index]!, 11);
    }
  });
});

/**
 * For TA-Lib 0.8.2, prices that differ by one part in 2 ** 46 are equal; by one part in 2 ** 45 they are
 * not.
 */
describe.each(UNITS)("where rounding ends, at a price of %d", (price) => {
  const answers = (apart: number) => {
    const fallen = price * (1 - apart);
    const closes = Float64Array.of(price / 2, price, fallen);
    const top = new Float64Array(3).fill(price);
    const bottom = new Float64Array(3).fill(fallen);
    const last = closes.subarray(1);
    const still = (column: Float64Array) => ({ high: column, low: column, close: column });
    const range = (close: Float64Array) => ({ high: top, low: bottom, close });
    return {
      mfi: mfi({ ...still(closes), volume: new Float64Array(3).fill(1) }, 2)[2],
      williamsR: williamsR(range(Float64Array.of(price, price, fallen)), 2)[2],
      stochastic: stochastic(range(top), 2, 1, 1).k[2],
      cci: cci(still(last), 2)[1],
      deviation: standardDeviation(last, 2)[1]! / (price * apart),
      rsi: rsi(closes, 2)[2],
    };
  };

  test("a part in 2 ** 46 is no move", () => {
    expect(answers(2 ** -46)).toEqual({
      mfi: 100,
      williamsR: 0,
      stochastic: 0,
      cci: 0,
      // These two compare exactly: a spread has no minimum size, and any loss counts.
      deviation: 0.5,
      rsi: expect.closeTo(99.99999999999716, 13),
    });
  });

  test("a part in 2 ** 45 is one", () => {
    expect(answers(2 ** -45)).toEqual({
      mfi: expect.closeTo(50.00000000000071, 13),
      williamsR: -100,
      stochastic: 100,
      cci: expect.closeTo(-66.66666666666667, 11),
      deviation: 0.5,
      rsi: expect.closeTo(99.99999999999432, 13),
    });
  });
});

/** Values of the Python package TA-Lib 0.8.2, as above. */
describe("what TA-Lib 0.8.2 makes of a market", () => {
  test.each(UNITS)(
    "CCI at %d dollars: 0 where either the distance or the deviation is rounding",
    (unit) => {
      const last = (values: readonly number[]) => {
        const prices = Float64Array.from(values, (value) => value * unit);
        return cci({ high: prices, low: prices, close: prices }, 20)[19];
      };
      const still = Array<number>(19).fill(100);
      expect(last([...still, 100 * (1 + 2 ** -43)])).toBeCloseTo(666.6666666666667, 9);
      expect(last([...still, 100 * (1 + 2 ** -44)]), "a deviation of 5.4e-15 of the mean").toBe(0);
      const wild = Array.from({ length: 19 }, (_, day) => [90, 110][day % 2]!);
      wild[18] = 100;
      expect(last([...wild, 100 * (1 + 2 ** -46)]), "far from it").toBeGreaterThan(0);
      expect(last([...wild, 100 * (1 + 2 ** -48)]), "a distance of 3.4e-15 of the mean").toBe(0);
    },
  );

  test.each(UNITS)(
    "ADX at %d dollars: no movement where the directions sum to 1e-14 points",
    (unit) => {
      const answer = (low: number) => {
        const bottom = new Float64Array(40).fill(low * unit);
        const high = new Float64Array(40).fill(unit);
        high[39]! *= 1 + Number.EPSILON;
        const { adx: index, plusDi } = adx({ high, low: bottom, close: bottom }, 3);
        return { adx: index[39], sum: plusDi[39]! * 1e15 };
      };
      expect(answer(0.1)).toEqual({ adx: 0, sum: expect.closeTo(8.22387509319978, 12) });
      expect(answer(0.5)).toEqual({
        adx: expect.closeTo(33.33333333333333, 12),
        sum: expect.closeTo(14.8029751677596, 12),
      });
    },
  );

  test("ADX keeps its value on days with a range and without movement", () => {
    const long = (values: readonly number[]) =>
      Float64Array.of(...values, ...Array<number>(400).fill(values.at(-1)!));
    const { adx: index } = adx({ high: long(HIGH), low: long(LOW), close: long(CLOSE) }, 3);
    expect(index[10]).toBeCloseTo(59.43547184, 8);
    for (const row of [100, 120, 200, 410]) expect(index[row]).toBeCloseTo(34.3372774, 7);
  });

  test("Williams %R stays within 0 to -100 where a close lies outside its own day's range", () => {
    const highs = Float64Array.of(5, 4, 3, 2.5, 2, 3, 3.2);
    const lows = highs.map((price) => price - 1);
    const at = (offset: number) => {
      const closes = lows.map((price) => price + offset);
      return [...williamsR({ high: highs, low: lows, close: closes }, 3)]
        .slice(2)
        .map((value) => value.toFixed(4));
    };
    expect(at(-0.05)).toEqual(["-100.0000", "-100.0000", "-100.0000", "-52.5000", "-47.7273"]);
    expect(at(1.05)).toEqual(["-65.0000", "-58.0000", "-47.5000", "0.0000", "0.0000"]);
  });
});

test("isTalibZero counts the bound itself as zero, and zero relative to zero", () => {
  expect(isTalibZero(1e-14, 1)).toBe(true);
  expect(isTalibZero(-1.01e-14, 1)).toBe(false);
  expect(isTalibZero(0, 0)).toBe(true);
});
