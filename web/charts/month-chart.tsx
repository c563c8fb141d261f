import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { VNode } from "preact";
import { decimal, monthName } from "../format.ts";
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
  readonly size?: {
    readonly width: number;
    readonly height: number;
    readonly narrowHeight: number;
  };
}

const TICKS = [30, 40, 50, 60, 70];
const LABELLED = { width: 1040, height: 340, narrowHeight: 320 };
/** Charts lower than this leave out what their axis means. */
const LABELLED_HEIGHT = 260;
/** Between the ends of years named below a chart, in its units. */
const YEAR_WIDTH = 64;

/** A monthly value between 0 and 100 around a coin flip at 50. */
export function monthChart(options: MonthChartOptions): Drawing {
  const { months, band, isSynthetic, title, subtitle, size = LABELLED } = options;
  const newest = months.at(-1);
  const values = months.map(({ value }) => value);
  const description =
    newest === undefined
      ? "no month has a value"
      : `From ${decimal(Math.min(...values), 1)} to ${decimal(Math.max(...values), 1)} over ${months.length} months; ` +
        `${decimal(newest.value, 1)} in ${newest.month}.`;
  const texts = months.map(({ month, value, low, high }) => {
    const range = low === null ? "" : `|90 % range ${decimal(low, 1)} to ${decimal(high, 1)}`;
    return `${monthName(month)}: ${decimal(value, 1)}${range}`;
  });
  const draw = (drawn: Size) => drawMonths(drawn, months, band);
  return { title, subtitle, description, isSynthetic, values: texts, draw, ...size };
}

function drawMonths(
  size: Size,
  months: readonly MonthValue[],
  band: MonthChartOptions["band"],
): VNode {
  const isLabelled = size.height >= LABELLED_HEIGHT;
  const plot: Plot = {
    left: 34,
    right: size.width - (size.isNarrow ? 40 : 84),
    top: 18,
    bottom: size.height - 34,
  };
  const all = months.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  const lowest = Math.min(30, ...all.map((value) => value - 2));
  const highest = Math.max(70, ...all.map((value) => value + 2));
  const x = scaleLinear([0, Math.max(1, months.length - 1)], [plot.left, plot.right]);
  const y = scaleLinear([lowest, highest], [plot.bottom, plot.top]);
  const newest = months.at(-1);
  return (
    <g>
      {band !== null && <LuckBand band={band} plot={plot} y={y} isNamed={isLabelled} />}
      <HorizontalGrid plot={plot} ticks={TICKS} y={y} label={String} rule={50} />
      <Years months={months} x={x} y={size.height - 12} />
      <MonthLines months={months} x={x} y={y} />
      {isLabelled && (
        <>
          <text x={plot.left + 6} y={plot.top + 14}>
            ▲ the best backtests mislead
          </text>
          <text x={plot.left + 6} y={plot.bottom - 8}>
            ▼ the ranking persists
          </text>
        </>
      )}
      {newest !== undefined && (
        <g>
          <circle
            cx={round(plot.right)}
            cy={round(y(newest.value))}
            r={5}
            class="fill-accent dot"
          />
          <text x={plot.right + 9} y={round(y(newest.value) + 5)} class="label fill-accent">
            {size.isNarrow ? decimal(newest.value, 1) : `${decimal(newest.value, 1)} now`}
          </text>
          {newest.high !== null && !size.isNarrow && (
            <text x={plot.right + 9} y={round(y(newest.high) + 5)} class="fill-accent">
              90 % range
            </text>
          )}
        </g>
      )}
    </g>
  );
}

function LuckBand({
  band,
  plot,
  y,
  isNamed,
}: {
  readonly band: { readonly low: number; readonly high: number };
  readonly plot: Plot;
  readonly y: (value: number) => number;
  readonly isNamed: boolean;
}): VNode {
  return (
    <g>
      <rect
        class="fill-luck-soft"
        x={plot.left}
        width={plot.right - plot.left}
        y={round(y(band.high))}
        height={round(y(band.low) - y(band.high))}
      />
      {isNamed && (
        <text
          x={plot.right - 6}
          y={round(y(band.low) + 17)}
          text-anchor="end"
          class="label fill-luck halo"
        >
          {`luck alone: ${decimal(band.low, 1)} to ${decimal(band.high, 1)}`}
        </text>
      )}
    </g>
  );
}

function MonthLines({
  months,
  x,
  y,
}: {
  readonly months: readonly MonthValue[];
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}): VNode {
  const path = line<MonthValue>()
    .x((_, index) => round(x(index)))
    .y(({ value }) => round(y(value)));
  const range = area<MonthValue>()
    .defined(({ low, high }) => low !== null && high !== null)
    .x((_, index) => round(x(index)))
    .y0(({ low }) => round(y(low!))) // defined
    .y1(({ high }) => round(y(high!)));
  const all = months as MonthValue[];
  const bounds = [range.lineY0()(all), range.lineY1()(all)];
  return (
    <g>
      {bounds.map((d, at) => (
        <path key={at} d={d ?? ""} class="line bound stroke-accent" />
      ))}
      <path d={path(all) ?? ""} class="line stroke-accent follow" />
    </g>
  );
}

function Years({
  months,
  x,
  y,
}: {
  readonly months: readonly MonthValue[];
  readonly x: (index: number) => number;
  readonly y: number;
}): VNode {
  const years = months
    .map(({ month }, index) => ({ month, index }))
    .filter(({ month }) => month.endsWith("-01"));
  const apart = Math.max(1, Math.ceil(YEAR_WIDTH / (x(12) - x(0))));
  return (
    <g>
      {years
        .filter((_, at) => at % apart === 0)
        .map(({ month, index }) => (
          <text key={month} x={round(x(index))} y={y} text-anchor="middle">
            {month.slice(0, 4)}
          </text>
        ))}
    </g>
  );
}
