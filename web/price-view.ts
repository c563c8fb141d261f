import { plain } from "./claim.ts";
import type { Bars } from "../quant/bars.ts";
import { dateOfDay } from "../quant/calendar.ts";
import { bollinger } from "../quant/indicators/bollinger.ts";
import { supertrend } from "../quant/indicators/supertrend.ts";
import type { Drawing } from "./charts/chart.tsx";
import { priceChart, type PriceSeries } from "./charts/price-chart.tsx";

/** The periods that a coin's prices are shown for, in days. */
export const PRICE_RANGES = { "3M": 91, "1Y": 365, "3Y": 1096, all: Infinity } as const;
export type PriceRange = keyof typeof PRICE_RANGES;
/** The period that is shown first. */
export const FIRST_RANGE: PriceRange = "1Y";

export interface PriceView {
  /** Upper case. */
  readonly ticker: string;
  readonly isSynthetic?: boolean;
  readonly isLinear: boolean;
}

/** The last days of a coin, with the bands and the trend that the pipeline computes over its whole history. */
export function priceSeriesOf(bars: Bars, range: PriceRange): PriceSeries {
  const { upper, lower } = bollinger(bars.close, 20, 2);
  const { value, direction } = supertrend(bars, 10, 3);
  const from = Math.max(0, bars.day.length - PRICE_RANGES[range]);
  return {
    dates: Array.from(bars.day.slice(from), dateOfDay),
    close: bars.close.slice(from),
    upper: upper.slice(from),
    lower: lower.slice(from),
    trend: value.slice(from),
    direction: direction.slice(from),
  };
}

/** The picture of the prices, which names the date of the newest. */
export function priceDrawing(series: PriceSeries, view: PriceView): Drawing {
  const { ticker, isSynthetic = false, isLinear } = view;
  const until = series.dates.at(-1);
  const scale = isLinear ? "" : ", logarithmic";
  return priceChart(series, {
    title: trendTitle(ticker, series.direction[series.dates.length - 1]),
    subtitle: `Daily closes in US dollars up to ${until}${scale}; shaded: Bollinger bands of 20 days; SuperTrend teal below the price, amber above`,
    isSynthetic,
    isLinear,
  });
}

/** On which side of its trend line a coin is. */
export function trendTitle(ticker: string, direction: number | undefined): string {
  const side = direction === 1 ? "above" : direction === -1 ? "below" : undefined;
  return plain(
    side === undefined ? `${ticker}, day by day` : `${ticker} is ${side} its SuperTrend line`,
  );
}
