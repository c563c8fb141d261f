import { dollars } from "../format.ts";
import type { ChartWords, Drawing, Size } from "./chart.tsx";
import { area, line } from "./marks.tsx";
import { plot, type End } from "./plot.tsx";
import { dateTicks, spanOf } from "./scale.ts";

/** Columns of equal length, oldest first; NaN where there is no value. */
export interface PriceSeries {
  /** ISO dates. */
  readonly dates: readonly string[];
  readonly close: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  readonly lower: ArrayLike<number>;
  readonly trend: ArrayLike<number>;
  /** 1 up, -1 down. */
  readonly direction: ArrayLike<number>;
}

interface PriceWords extends ChartWords {
  readonly isLinear: boolean;
}

/** Closes with Bollinger bands and SuperTrend, on a logarithmic scale or a linear one. */
export function priceChart(series: PriceSeries, { isLinear, ...words }: PriceWords): Drawing {
  const closes = Array.from(series.close);
  const [low, high] = [Math.min(...closes), Math.max(...closes)];
  const values = series.dates.map((date, day) => {
    const trend = series.trend[day]!; // columns have equal lengths
    return `${date}: ${dollars(closes[day])}${trend > 0 ? `|SuperTrend ${dollars(trend)}` : ""}`;
  });
  return {
    ...words,
    description: `Closes from ${dollars(low)} to ${dollars(high)}; ${dollars(closes.at(-1))} on ${series.dates.at(-1)}.`,
    values,
    draw: (size) => drawPrices(size, series, !isLinear),
    width: 1040,
    height: 400,
  };
}

function drawPrices(size: Size, series: PriceSeries, isLog: boolean) {
  const { dates, close, upper, lower, trend, direction } = series;
  const days = dates.map((_, day) => day);
  const known = (value: number | undefined) => (value! > 0 ? value! : NaN); // columns of equal length
  const curve = (column: ArrayLike<number>, way?: 1 | -1) =>
    days.map(
      (day) =>
        [day, (way ?? direction[day]) === direction[day] ? known(column[day]) : NaN] as const,
    );
  const all = days.flatMap((day) => [close, upper, lower].map((column) => known(column[day])));
  const band = days.map((day) => [day, known(lower[day]), known(upper[day])] as const);
  return plot(
    {
      size,
      x: {
        span: [0, Math.max(1, days.length - 1)],
        ticks: dateTicks(dates, size.width - (size.isNarrow ? 90 : 180)),
      },
      y: { span: spanOf(all.filter(Number.isFinite), isLog), isLog, text: dollars },
      ends: size.isNarrow ? [] : endsOf(series),
    },
    [
      area("band", ...band),
      line("line stroke-skill", ...curve(trend, 1)),
      line("line stroke-luck", ...curve(trend, -1)),
      line("line thin stroke-accent follow", ...curve(close)),
    ],
  );
}

/** The newest close and SuperTrend. */
function endsOf({ dates, close, trend, direction }: PriceSeries): readonly End[] {
  const last = dates.length - 1;
  const price: End = { at: close[last]!, lines: [dollars(close[last])], tone: "accent" }; // columns of equal length
  if (!(trend[last]! > 0)) return [price];
  const isUp = direction[last] === 1;
  const name = isUp ? "SuperTrend ▲" : "SuperTrend ▼";
  return [price, { at: trend[last]!, lines: [name], tone: isUp ? "skill" : "luck" }];
}
