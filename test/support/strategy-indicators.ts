import type { Bars } from "../../quant/bars.ts";

/**
 * The indicators that templates read, each from its textbook definition in the plainest way: windows
 * are cut out and gone over anew every day. Slow, and independent of quant/indicators. NaN = no value yet.
 */
export type Column = readonly number[];

export const daily = (days: number, value: (day: number) => number): Column =>
  Array.from({ length: days }, (_, day) => value(day));

const total = (values: Column) => values.reduce((sum, value) => sum + value, 0);
const mean = (values: Column) => total(values) / values.length;

/** The last `count` values up to and including `day`; undefined while there are fewer. NaN only leads. */
function last(values: Column, day: number, count: number): Column | undefined {
  const window = values.slice(Math.max(0, day - count + 1), day + 1);
  return window.length === count && !Number.isNaN(window[0]) ? window : undefined;
}

function rolling(values: Column, count: number, statistic: (window: Column) => number): Column {
  return daily(values.length, (day) => {
    const window = last(values, day, count);
    return window === undefined ? NaN : statistic(window);
  });
}

export const averageOf = (values: Column, count: number) => rolling(values, count, mean);
export const highestOf = (values: Column, count: number) =>
  rolling(values, count, (window) => Math.max(...window));
export const lowestOf = (values: Column, count: number) =>
  rolling(values, count, (window) => Math.min(...window));

export const spreadOf = (values: Column, count: number) =>
  rolling(values, count, (window) => {
    const centre = mean(window);
    return Math.sqrt(mean(window.map((value) => (value - centre) ** 2)));
  });

/** Smoothing with a weight, from a seed: the mean of `count` values that end on `seedDay`. */
function smooth(values: Column, count: number, weight: number, seedDay: number): Column {
  const out: number[] = [];
  for (let day = 0; day < values.length; day++) {
    if (day < seedDay) out.push(NaN);
    else if (day === seedDay) out.push(mean(last(values, day, count) ?? [NaN]));
    else out.push(values[day]! * weight + out[day - 1]! * (1 - weight));
  }
  return out;
}

const firstDay = (values: Column) => values.findIndex((value) => !Number.isNaN(value));

export const emaOf = (values: Column, count: number, seedDay = firstDay(values) + count - 1) =>
  smooth(values, count, 2 / (count + 1), seedDay);

const wilderOf = (values: Column, count: number) =>
  smooth(values, count, 1 / count, firstDay(values) + count - 1);

export function macdOf(close: Column, fast: number, slow: number, signal: number) {
  const short = emaOf(close, fast, slow - 1);
  const long = emaOf(close, slow, slow - 1);
  const line = daily(close.length, (day) => short[day]! - long[day]!);
  return { line, signal: emaOf(line, signal) };
}

export function rsiOf(close: Column, count: number): Column {
  const change = daily(close.length, (day) => close[day]! - (close[day - 1] ?? NaN));
  const gain = wilderOf(
    change.map((value) => (value < 0 ? 0 : value)),
    count,
  );
  const loss = wilderOf(
    change.map((value) => (value > 0 ? 0 : -value)),
    count,
  );
  return daily(close.length, (day) => {
    const both = gain[day]! + loss[day]!;
    return both === 0 ? 0 : (100 * gain[day]!) / both;
  });
}

export function stochasticOf(bars: Bars, count: number, smoothing: number, signal: number) {
  const highest = highestOf([...bars.high], count);
  const lowest = lowestOf([...bars.low], count);
  const raw = daily(bars.day.length, (day) => {
    const range = highest[day]! - lowest[day]!;
    return range === 0 ? 0 : (100 * (bars.close[day]! - lowest[day]!)) / range;
  });
  const k = averageOf(raw, smoothing);
  return { k, d: averageOf(k, signal) };
}

const typical = ({ high, low, close, day }: Bars) =>
  daily(day.length, (row) => (high[row]! + low[row]! + close[row]!) / 3);

export function cciOf(bars: Bars, count: number): Column {
  return rolling(typical(bars), count, (window) => {
    const centre = mean(window);
    const deviation = mean(window.map((price) => Math.abs(price - centre)));
    return deviation === 0 ? 0 : (window.at(-1)! - centre) / (0.015 * deviation);
  });
}

export function williamsOf({ high, low, close, day }: Bars, count: number): Column {
  const highest = highestOf([...high], count);
  const lowest = lowestOf([...low], count);
  return daily(day.length, (row) => {
    const range = highest[row]! - lowest[row]!;
    return range === 0 ? 0 : (-100 * (highest[row]! - close[row]!)) / range;
  });
}

export function mfiOf(bars: Bars, count: number): Column {
  const price = typical(bars);
  const flow = (sign: number) =>
    daily(price.length, (day) => {
      if (day === 0) return NaN;
      const [before, today] = [price[day - 1]!, price[day]!];
      const noise = 1e-14 * (before + today); // TA-Lib: a change by rounding is none
      return (today - before) * sign > noise ? today * bars.volume[day]! : 0;
    });
  const up = rolling(flow(1), count, total);
  const down = rolling(flow(-1), count, total);
  return daily(price.length, (day) => {
    const both = up[day]! + down[day]!;
    return both === 0 ? 0 : (100 * up[day]!) / both;
  });
}

export function averageRangeOf({ high, low, close, day }: Bars, count: number): Column {
  const ranges = daily(day.length, (row) => {
    const before = row === 0 ? NaN : close[row - 1]!;
    const stretched = [
      high[row]! - low[row]!,
      Math.abs(high[row]! - before),
      Math.abs(low[row]! - before),
    ];
    return Math.max(...stretched.filter((range) => !Number.isNaN(range)));
  });
  return wilderOf(ranges, count);
}

/** +1 up, -1 down, as the words of the template tell it: two bands that only tighten until crossed. */
export function supertrendOf(bars: Bars, count: number, multiplier: number): Column {
  const range = averageRangeOf(bars, count);
  let side = -1;
  let lower = 0;
  let upper = Infinity;
  return daily(bars.day.length, (day) => {
    if (Number.isNaN(range[day]!)) return NaN;
    const before = bars.close[day - 1] ?? NaN;
    const close = bars.close[day]!;
    const middle = (bars.high[day]! + bars.low[day]!) / 2;
    const isFirst = upper === Infinity;
    const freshLower = middle - multiplier * range[day]!;
    const freshUpper = middle + multiplier * range[day]!;
    lower = before < lower ? freshLower : Math.max(lower, freshLower);
    upper = before > upper ? freshUpper : Math.min(upper, freshUpper);
    if (!isFirst && side === -1 && close > upper) side = 1;
    else if (side === 1 && close < lower) side = -1;
    return side;
  });
}

/** Days since the last highest (sign 1) or lowest (sign -1) value of count + 1 days, as points of 100. */
export function aroonOf(values: Column, count: number, sign: 1 | -1): Column {
  return rolling(values, count + 1, (window) => {
    const extreme = sign === 1 ? Math.max(...window) : Math.min(...window);
    const age = window.length - 1 - window.lastIndexOf(extreme);
    return (100 * (count - age)) / count;
  });
}

export function volatilityOf(close: Column, count: number): Column {
  const logReturns = daily(close.length, (day) => Math.log(close[day]! / (close[day - 1] ?? NaN)));
  return rolling(logReturns, count, (window) => {
    const centre = mean(window);
    return Math.sqrt((total(window.map((value) => (value - centre) ** 2)) / (count - 1)) * 365);
  });
}
