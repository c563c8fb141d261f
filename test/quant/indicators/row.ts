import type { Bars } from "../../../quant/bars.ts";
import { computeIndicators, type IndicatorColumn } from "../../../quant/indicators/columns.ts";

type Inputs = (bars: Bars) => readonly Float64Array[];

/** An output of a function of TA-Lib. */
export interface OfTalib {
  readonly name: string;
  readonly inputs: Inputs;
  readonly options: readonly number[];
  readonly at: number;
}

/** What a column has to be: an output of TA-Lib, or a function of ours that other tests compare. */
export type Source = ((bars: Bars) => Float64Array) | OfTalib;

/** What is true of a column. */
export interface Output {
  /** Rows of NaN before the first value. */
  readonly warmUp: number;
  /** Power of the unit of prices in which it is: 1 where it is in dollars, 0 where it is in points. */
  readonly ofPrice: 0 | 1;
  readonly ofVolume?: 1;
  /** The value on a market that does not move. */
  readonly flat: (market: { price: number; volume: number }) => number;
  /** Of the columns in the table. */
  readonly source?: Source | undefined;
}

type Values = Partial<Record<IndicatorColumn, number>>;

/** The score that values make: those of the last day, and of the day before. */
export type Scored = readonly [today: Values, score: number, yesterday?: Values];

/** Everything that the tests of all indicators need to know about one. */
export interface IndicatorRow {
  readonly columns: Partial<Readonly<Record<IndicatorColumn, Output>>>;
  /** First row of a reading: values, and the days back and the trend that its signal needs. */
  readonly firstReading: number;
  /** Refuse anything but whole days from 1 on. */
  readonly periods?: readonly ((period: number) => unknown)[];
  /** Refuse a single day, too. */
  readonly periodsFrom2?: readonly ((period: number) => unknown)[];
  /** Refuse anything but finite numbers above 0. */
  readonly factors?: readonly ((factor: number) => unknown)[];
  /** Have a shorter period above a longer one. */
  readonly disordered?: readonly (() => unknown)[];
  /** The signal of an indicator outside the rating, on `SCORED_BARS`. */
  readonly scores?: readonly Scored[];
}

export function price(warmUp: number, source?: Source): Output {
  return { warmUp, ofPrice: 1, flat: (market) => market.price, source };
}
export function dollars(warmUp: number, source?: Source): Output {
  return { warmUp, ofPrice: 1, flat: () => 0, source };
}
export function points(warmUp: number, source?: Source): Output {
  return { warmUp, ofPrice: 0, flat: () => 0, source };
}
export function volume(warmUp: number, days: number, source?: Source): Output {
  return { warmUp, ofPrice: 0, ofVolume: 1, flat: (market) => days * market.volume, source };
}

export const CLOSE: Inputs = ({ close }) => [close];
export const RANGE: Inputs = ({ high, low }) => [high, low];
export const BAR: Inputs = ({ high, low, close }) => [high, low, close];

export function talib(name: string, inputs: Inputs, options: readonly number[], at = 0): Source {
  return { name, inputs, options, at };
}

export function middleOf(one: IndicatorColumn, other: IndicatorColumn): Source {
  return (bars) => {
    const columns = computeIndicators(bars);
    return columns[one].map((value, row) => (value + columns[other][row]!) / 2);
  };
}
