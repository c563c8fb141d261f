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
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
/** Months from one label of the axis to the next. */
const MONTH_STEPS = [1, 3, 6, 12, 24];

/** Closes with Bollinger bands and SuperTrend, on a logarithmic scale or a linear one. */
export function priceChart(
  series: PriceSeries,
  {
    isLinear,
    ...words
  }: Pick<Drawing, "title" | "subtitle" | "isSynthetic"> & { readonly isLinear: boolean },
): Drawing {
  const closes = Array.from(series.close);
  const [low = 0, high = 0] = extent(closes);
  const description = `Closes from ${dollars(low)} to ${dollars(high)}; ${dollars(closes.at(-1))} on ${series.dates.at(-1)}.`;
  const values = series.dates.map((date, day) => {
    const trend = series.trend[day]!; // columns of equal length
    return `${date}: ${dollars(closes[day])}${trend > 0 ? `|SuperTrend ${dollars(trend)}` : ""}`;
  });
  const draw = (size: Size) => drawPrices(size, series, isLinear);
  return { ...words, description, values, draw, width: 1040, height: 400 };
}

function drawPrices(size: Size, series: PriceSeries, isLinear: boolean): VNode {
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
  const y = (isLinear ? scaleLinear : scaleLog)([low, high], [plot.bottom, plot.top]);
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
      <Months dates={dates} x={x} y={size.height - 8} plot={plot} />
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

/** As many first days of months as there is room for; January by its year. */
function Months({
  dates,
  x,
  y,
  plot,
}: {
  readonly dates: readonly string[];
  readonly x: (day: number) => number;
  readonly y: number;
  readonly plot: Plot;
}): VNode {
  const starts = dates
    .map((date, day) => ({ date, day, month: Number(date.slice(0, 4)) * 12 + monthOf(date) }))
    .filter(({ date }) => date.endsWith("-01"))
    .filter(({ day }) => x(day) > plot.left + 14 && x(day) < plot.right - 14);
  const room = (plot.right - plot.left) / 64;
  const every = (step: number) => starts.filter(({ month }) => month % step === 0);
  const step = MONTH_STEPS.find((each) => every(each).length <= room) ?? MONTH_STEPS.at(-1)!; // there are steps
  return (
    <g>
      {every(step).map(({ date, day }) => (
        <text key={date} x={round(x(day))} y={y} text-anchor="middle">
          {monthOf(date) === 0 ? date.slice(0, 4) : MONTHS[monthOf(date)]}
        </text>
      ))}
    </g>
  );
}

const monthOf = (date: string) => Number(date.slice(5, 7)) - 1;

/** Every so many of the ticks that no more than `count` are left. */
function atMost(count: number, ticks: readonly number[]): readonly number[] {
  const step = Math.ceil(ticks.length / count);
  return ticks.filter((_, at) => at % step === 0);
}
