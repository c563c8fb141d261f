import type { Bars } from "../quant/bars.ts";

/** The daily prices of a coin as pages load them, one row for every day. */
export interface BarsJson {
  /** Days since 1970-01-01. */
  readonly first_day: number;
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
  readonly volume: readonly number[];
}

export function barsPath(coin: string): string {
  return `/coins/${coin}/bars.json`;
}

export function jsonOfBars({ day, open, high, low, close, volume }: Bars): BarsJson {
  return {
    first_day: day[0] ?? 0,
    open: Array.from(open),
    high: Array.from(high),
    low: Array.from(low),
    close: Array.from(close),
    volume: Array.from(volume),
  };
}

export function barsOfJson({ first_day: first, ...columns }: BarsJson): Bars {
  const { open, high, low, close, volume } = columns;
  return {
    day: Int32Array.from(open, (_, row) => first + row),
    open: Float64Array.from(open),
    high: Float64Array.from(high),
    low: Float64Array.from(low),
    close: Float64Array.from(close),
    volume: Float64Array.from(volume),
  };
}
