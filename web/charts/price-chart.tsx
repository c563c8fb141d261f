import { extent } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";
import { area, line } from "d3-shape";
import type { VNode } from "preact";
import { dollars } from "../format.ts";
import { HorizontalGrid, round, type Drawing, type Plot, type Size } from "./chart.tsx";

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

/** Closes with Bollinger bands and SuperTrend, on a logarithmic scale. */
export function priceChart(
  series: PriceSeries,
  words: Pick<Drawing, "title" | "subtitle" | "isSynthetic">,
): Drawing {
  const closes = Array.from(series.close);
  const [low = 0, high = 0] = extent(closes);
  const description = `Closes from ${dollars(low)} to ${dollars(high)}; ${dollars(closes.at(-1))} on ${series.dates.at(-1)}.`;
  const draw = (size: Size) => drawPrices(size, series);
  return { ...words, description, draw, width: 1040, height: 400 };
}

function drawPrices(size: Size, series: PriceSeries): VNode {
  const { dates, close, upper, lower, trend, direction } = series;
  const plot: Plot = { left: 62, right: size.width - 14, top: 16, bottom: size.height - 30 };
  const days = dates.map((_, day) => day);
  const all = days.flatMap((day) => [close[day]!, upper[day]!, lower[day]!]).filter((v) => v > 0);
  const [low = 1, high = 10] = extent(all);
  const x = scaleLinear([0, days.length - 1], [plot.left, plot.right]);
  const y = scaleLog([low, high], [plot.bottom, plot.top]);
  const isKnown = (column: ArrayLike<number>) => (day: number) => column[day]! > 0;
  const band = area<number>()
    .defined((day) => isKnown(upper)(day) && isKnown(lower)(day))
    .x((day) => round(x(day)))
    .y0((day) => round(y(lower[day]!)))
    .y1((day) => round(y(upper[day]!)));
  const curve = (column: ArrayLike<number>, isShown = isKnown(column)) =>
    line<number>()
      .defined(isShown)
      .x((day) => round(x(day)))
      .y((day) => round(y(column[day]!)))(days) ?? "";
  const trendOf = (sign: number) =>
    curve(trend, (day) => isKnown(trend)(day) && direction[day] === sign);
  const years = days.filter((day) => dates[day]!.endsWith("-01-01"));
  return (
    <g>
      <HorizontalGrid plot={plot} ticks={y.ticks(5).slice(0, 8)} y={y} label={dollars} />
      {years.map((day) => (
        <text key={day} x={round(x(day))} y={size.height - 8} text-anchor="middle">
          {dates[day]!.slice(0, 4)}
        </text>
      ))}
      <path d={band(days) ?? ""} class="band" />
      <path d={trendOf(1)} class="line stroke-skill" />
      <path d={trendOf(-1)} class="line stroke-luck" />
      <path d={curve(close)} class="line thin stroke-accent" />
    </g>
  );
}
