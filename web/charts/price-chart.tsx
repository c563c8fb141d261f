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

const TICKS_MAX = 5;
const MONTHS = ["Jan", "Apr", "Jul", "Oct"];

/** Closes with Bollinger bands and SuperTrend, on a logarithmic scale. */
export function priceChart(
  series: PriceSeries,
  words: Pick<Drawing, "title" | "subtitle" | "isSynthetic">,
): Drawing {
  const closes = Array.from(series.close);
  const [low = 0, high = 0] = extent(closes);
  const description = `Closes from ${dollars(low)} to ${dollars(high)}; ${dollars(closes.at(-1))} on ${series.dates.at(-1)}.`;
  const values = series.dates.map((date, day) => {
    const trend = series.trend[day]!; // columns of equal length
    return `${date}: ${dollars(closes[day])}${trend > 0 ? `|SuperTrend ${dollars(trend)}` : ""}`;
  });
  const draw = (size: Size) => drawPrices(size, series);
  return { ...words, description, values, draw, width: 1040, height: 400 };
}

function drawPrices(size: Size, series: PriceSeries): VNode {
  const { dates, close, upper, lower } = series;
  const plot: Plot = {
    left: 66,
    right: size.width - (size.isNarrow ? 10 : 106),
    top: 16,
    bottom: size.height - 30,
  };
  const days = dates.map((_, day) => day);
  const all = days.flatMap((day) => [close[day]!, upper[day]!, lower[day]!]).filter((v) => v > 0);
  const [low = 1, high = 10] = extent(all);
  const x = scaleLinear([0, Math.max(1, days.length - 1)], [plot.left, plot.right]);
  const y = scaleLog([low, high], [plot.bottom, plot.top]);
  const band = area<number>()
    .defined((day) => upper[day]! > 0 && lower[day]! > 0)
    .x((day) => round(x(day)))
    .y0((day) => round(y(lower[day]!)))
    .y1((day) => round(y(upper[day]!)));
  return (
    <g>
      <HorizontalGrid
        plot={plot}
        ticks={atMost(TICKS_MAX, y.ticks(TICKS_MAX))}
        y={y}
        label={dollars}
      />
      <Months dates={dates} x={x} y={size.height - 8} isNarrow={size.isNarrow} />
      <path d={band(days) ?? ""} class="band" />
      <Lines series={series} days={days} x={x} y={y} />
      {!size.isNarrow && <Ends series={series} plot={plot} y={y} />}
    </g>
  );
}

interface Drawn {
  readonly series: PriceSeries;
  readonly y: (value: number) => number;
}

function Lines({
  series: { close, trend, direction },
  days,
  x,
  y,
}: Drawn & { readonly days: readonly number[]; readonly x: (day: number) => number }): VNode {
  const curve = (column: ArrayLike<number>, isShown: (day: number) => boolean) =>
    line<number>()
      .defined((day) => column[day]! > 0 && isShown(day))
      .x((day) => round(x(day)))
      .y((day) => round(y(column[day]!)))(days as number[]) ?? "";
  return (
    <g>
      <path d={curve(trend, (day) => direction[day] === 1)} class="line stroke-skill" />
      <path d={curve(trend, (day) => direction[day] === -1)} class="line stroke-luck" />
      <path d={curve(close, () => true)} class="line thin stroke-accent follow" />
    </g>
  );
}

/** The newest close and SuperTrend, named where their lines end, at least a line of text apart. */
function Ends({ series, plot, y }: Drawn & { readonly plot: Plot }): VNode {
  const { close, trend, direction, dates } = series;
  const last = dates.length - 1;
  const [price, line] = [y(close[last]!), y(trend[last]!)]; // columns of equal length
  const isUp = direction[last] === 1;
  const below = isUp ? Math.max(line, price + 16) : Math.min(line, price - 16);
  return (
    <g>
      <text x={plot.right + 8} y={round(price + 4)} class="label fill-accent">
        {dollars(close[last])}
      </text>
      {trend[last]! > 0 && (
        <text
          x={plot.right + 8}
          y={round(below + 4)}
          class={`label ${isUp ? "fill-skill" : "fill-luck"}`}
        >
          {isUp ? "SuperTrend ▲" : "SuperTrend ▼"}
        </text>
      )}
    </g>
  );
}

/** January by its year, other quarters by their month. */
function Months({
  dates,
  x,
  y,
  isNarrow,
}: {
  readonly dates: readonly string[];
  readonly x: (day: number) => number;
  readonly y: number;
  readonly isNarrow: boolean;
}): VNode {
  const starts = dates
    .map((date, day) => ({ date, day }))
    .filter(({ date }) => (isNarrow ? /-0[17]-01$/ : /-(01|04|07|10)-01$/).test(date))
    .filter(({ day }) => day > 10 && day < dates.length - 20);
  return (
    <g>
      {starts.map(({ date, day }) => (
        <text key={date} x={round(x(day))} y={y} text-anchor="middle">
          {date.slice(5, 7) === "01"
            ? date.slice(0, 4)
            : MONTHS[Math.floor(Number(date.slice(5, 7)) / 3)]}
        </text>
      ))}
    </g>
  );
}

/** Every so many of the ticks that no more than `count` are left. */
function atMost(count: number, ticks: readonly number[]): readonly number[] {
  const step = Math.ceil(ticks.length / count);
  return ticks.filter((_, at) => at % step === 0);
}
