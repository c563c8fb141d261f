import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { VNode } from "preact";
import { decimal } from "../format.ts";
import { HorizontalGrid, round, type Drawing, type Plot, type Size } from "./chart.tsx";

export interface MonthValue {
  /** YYYY-MM */
  readonly month: string;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

export interface MonthChartOptions {
  readonly months: readonly MonthValue[];
  /** Where the index falls when the days are in random order. */
  readonly band: { readonly low: number; readonly high: number } | null;
  readonly isSynthetic: boolean;
  readonly title: string;
  readonly subtitle: string;
}

const TICKS = [30, 40, 50, 60, 70];

/** A monthly value between 0 and 100 around a coin flip at 50. */
export function monthChart(options: MonthChartOptions): Drawing {
  const { months, band, isSynthetic, title, subtitle } = options;
  const newest = months.at(-1);
  const values = months.map(({ value }) => value);
  const description =
    newest === undefined
      ? "no month has a value"
      : `From ${decimal(Math.min(...values), 1)} to ${decimal(Math.max(...values), 1)} over ${months.length} months; ` +
        `${decimal(newest.value, 1)} in ${newest.month}.`;
  const draw = (size: Size) => drawMonths(size, months, band);
  return { title, subtitle, description, isSynthetic, draw, width: 1040, height: 320 };
}

function drawMonths(
  size: Size,
  months: readonly MonthValue[],
  band: MonthChartOptions["band"],
): VNode {
  const plot: Plot = {
    left: 34,
    right: size.width - (size.isNarrow ? 40 : 150),
    top: 18,
    bottom: size.height - 34,
  };
  const values = months.map(({ value }) => value);
  const lowest = Math.min(30, ...values.map((value) => value - 2));
  const highest = Math.max(70, ...values.map((value) => value + 2));
  const x = scaleLinear([0, Math.max(1, months.length - 1)], [plot.left, plot.right]);
  const y = scaleLinear([lowest, highest], [plot.bottom, plot.top]);
  const path = line<MonthValue>()
    .x((_, index) => round(x(index)))
    .y(({ value }) => round(y(value)));
  const range = area<MonthValue>()
    .x((_, index) => round(x(index)))
    .y0(({ low, value }) => round(y(Math.max(lowest, low ?? value))))
    .y1(({ high, value }) => round(y(Math.min(highest, high ?? value))));
  const newest = months.at(-1);
  return (
    <g>
      {band !== null && (
        <rect
          class="band"
          x={plot.left}
          width={plot.right - plot.left}
          y={round(y(band.high))}
          height={round(y(band.low) - y(band.high))}
        />
      )}
      <HorizontalGrid plot={plot} ticks={TICKS} y={y} label={String} rule={50} />
      <Years months={months} x={x} y={size.height - 12} isNarrow={size.isNarrow} />
      <path d={range(months as MonthValue[]) ?? ""} class="area fill-accent" opacity={0.12} />
      <path d={path(months as MonthValue[]) ?? ""} class="line stroke-accent" />
      <text x={plot.left + 6} y={plot.top + 14}>
        ▲ the best backtests mislead
      </text>
      <text x={plot.left + 6} y={plot.bottom - 8}>
        ▼ the ranking persists
      </text>
      {newest !== undefined && (
        <g>
          <circle
            cx={round(plot.right)}
            cy={round(y(newest.value))}
            r={5}
            class="fill-accent dot"
          />
          <text x={plot.right + 9} y={round(y(newest.value) - 6)} class="label fill-accent">
            {size.isNarrow ? decimal(newest.value, 1) : `${decimal(newest.value, 1)} now`}
          </text>
        </g>
      )}
      {band !== null && !size.isNarrow && (
        <text x={plot.right + 9} y={round(y(band.low) - 6)}>
          where luck alone falls
        </text>
      )}
    </g>
  );
}

function Years({
  months,
  x,
  y,
  isNarrow,
}: {
  readonly months: readonly MonthValue[];
  readonly x: (index: number) => number;
  readonly y: number;
  readonly isNarrow: boolean;
}): VNode {
  const years = months
    .map(({ month }, index) => ({ month, index }))
    .filter(({ month }) => month.endsWith("-01"));
  const shown = isNarrow && years.length > 4 ? years.filter((_, at) => at % 2 === 0) : years;
  return (
    <g>
      {shown.map(({ month, index }) => (
        <text key={month} x={round(x(index))} y={y} text-anchor="middle">
          {month.slice(0, 4)}
        </text>
      ))}
    </g>
  );
}
