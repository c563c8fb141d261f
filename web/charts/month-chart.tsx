import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import type { VNode } from "preact";
import { decimal, monthName } from "../format.ts";
import { HorizontalGrid, round, type Drawing, type Plot, type Size } from "./chart.tsx";

export interface MonthValue {
  /** YYYY-MM */
  readonly month: string;
  readonly value: number;
  /** Where it falls when the days are in random order; null where that is not computed. */
  readonly band: { readonly low: number; readonly high: number } | null;
}

export interface MonthChartOptions {
  readonly months: readonly MonthValue[];
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
/** Months that the name of the band stands over. */
const NAMED_MONTHS = 12;
/** Between the ends of years named below a chart, in its units. */
const YEAR_WIDTH = 64;

/** A monthly value between 0 and 100 around a coin flip at 50. */
export function monthChart(options: MonthChartOptions): Drawing {
  const { months, isSynthetic, title, subtitle, size = LABELLED } = options;
  const newest = months.at(-1);
  const values = months.map(({ value }) => value);
  const description =
    newest === undefined
      ? "no month has a value"
      : `From ${decimal(Math.min(...values), 1)} to ${decimal(Math.max(...values), 1)} over ${months.length} months; ` +
        `${decimal(newest.value, 1)} in ${newest.month}.`;
  const texts = months.map(({ month, value, band }) => {
    const luck = band === null ? "" : `|luck alone: ${rangeText(band)}`;
    return `${monthName(month)}: ${decimal(value, 1)}${luck}`;
  });
  const draw = (drawn: Size) => drawMonths(drawn, months);
  return { title, subtitle, description, isSynthetic, values: texts, draw, ...size };
}

const rangeText = ({ low, high }: NonNullable<MonthValue["band"]>) =>
  `${decimal(low, 1)} to ${decimal(high, 1)}`;

function drawMonths(size: Size, months: readonly MonthValue[]): VNode {
  const isLabelled = size.height >= LABELLED_HEIGHT;
  const plot: Plot = {
    left: 34,
    right: size.width - (size.isNarrow ? 40 : 84),
    top: 18,
    bottom: size.height - 34,
  };
  const all = months.flatMap(({ value, band }) => [value, band?.low ?? value, band?.high ?? value]);
  const lowest = Math.min(30, ...all.map((value) => value - 2));
  const highest = Math.max(70, ...all.map((value) => value + 2));
  const x = scaleLinear([0, Math.max(1, months.length - 1)], [plot.left, plot.right]);
  const y = scaleLinear([lowest, highest], [plot.bottom, plot.top]);
  const newest = months.at(-1);
  return (
    <g>
      <LuckBands months={months} x={x} y={y} />
      <HorizontalGrid plot={plot} ticks={TICKS} y={y} label={String} rule={50} />
      <Years months={months} x={x} y={size.height - 12} />
      <MonthLine months={months} x={x} y={y} />
      {isLabelled && <BandName months={months} x={x} y={y} isNarrow={size.isNarrow} />}
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
        </g>
      )}
    </g>
  );
}

interface Marks {
  readonly months: readonly MonthValue[];
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

/** The band of each month's own coins, as wide as the month. */
function LuckBands({ months, x, y }: Marks): VNode {
  const width = x(1) - x(0);
  const parts = months.map(({ band }, index) => {
    if (band === null) return "";
    const from = index === 0 ? x(0) : x(index) - width / 2;
    const to = index === months.length - 1 ? x(index) : x(index) + width / 2;
    const start = months.length === 1 ? from - width / 2 : from;
    return `M${round(start)} ${round(y(band.high))}H${round(to)}V${round(y(band.low))}H${round(start)}Z`;
  });
  return <path d={parts.join("")} class="fill-luck-soft" />;
}

/** Of the newest band, at the side of it that the line is farther from. */
function BandName({
  months,
  x,
  y,
  isNarrow,
}: Marks & { readonly isNarrow: boolean }): VNode | null {
  const at = months.findLastIndex(({ band }) => band !== null);
  const named = months.slice(Math.max(0, at - NAMED_MONTHS), at + 1);
  const bands = named.flatMap(({ band }) => band ?? []);
  const band = months[at]?.band;
  if (band === undefined || band === null) return null;
  const [low, high] = [
    Math.max(...bands.map((each) => each.low)),
    Math.min(...bands.map((each) => each.high)),
  ];
  const room = (edge: number) => Math.min(...named.map(({ value }) => Math.abs(value - edge)));
  const isLow = room(low) > room(high);
  return (
    <text
      x={round(x(at) - 8)}
      y={round(isLow ? y(low) - 8 : y(high) + 17)}
      text-anchor="end"
      class="label fill-luck halo"
    >
      {isNarrow ? "luck alone" : `luck alone, in 9 of 10: ${rangeText(band)}`}
    </text>
  );
}

function MonthLine({ months, x, y }: Marks): VNode {
  const path = line<MonthValue>()
    .x((_, index) => round(x(index)))
    .y(({ value }) => round(y(value)));
  return <path d={path(months as MonthValue[]) ?? ""} class="line stroke-accent follow" />;
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
