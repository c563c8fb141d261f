import { decimal, monthName } from "../format.ts";
import type { ChartWords, Drawing, Size } from "./chart.tsx";
import { area, column, dot, label, line } from "./marks.tsx";
import { plot } from "./plot.tsx";
import { dateTicks } from "./scale.ts";

export interface MonthValue {
  /** YYYY-MM */
  readonly month: string;
  readonly value: number;
  /** Where the value falls when the days are in random order; null where that is not yet computed. */
  readonly band: { readonly low: number; readonly high: number } | null;
}

export interface MonthChartOptions extends ChartWords {
  readonly months: readonly MonthValue[];
  readonly size?: Required<Pick<Drawing, "width" | "height" | "narrowHeight">>;
}

const TICKS = [30, 40, 50, 60, 70].map((at) => ({ at, text: String(at) }));
const LABELLED = { width: 1040, height: 340, narrowHeight: 320 };
/** Lower charts leave out the labels that explain the axis. */
const LABELLED_HEIGHT = 260;

/** A monthly value from 0 to 100, where 50 is a coin flip. */
export function monthChart({ months, size = LABELLED, ...words }: MonthChartOptions): Drawing {
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
  return { ...words, description, values: texts, draw, ...size };
}

const rangeText = ({ low, high }: NonNullable<MonthValue["band"]>) =>
  `${decimal(low, 1)} to ${decimal(high, 1)}`;

function drawMonths(size: Size, months: readonly MonthValue[]) {
  const all = months.flatMap(({ value, band }) => [value, band?.low ?? value, band?.high ?? value]);
  const span = [Math.min(32, ...all) - 2, Math.max(68, ...all) + 2] as const;
  const [last, newest] = [Math.max(1, months.length - 1), months.at(-1)];
  // Each month has a band of its own coins, as wide as the month.
  const bands = months.flatMap(({ band }, at) =>
    [Math.max(0, at - 0.5), Math.min(last, at + 0.5)].map(
      (x) => [x, band?.low ?? NaN, band?.high ?? NaN] as const,
    ),
  );
  const marks = [
    area("fill-luck-soft", ...bands),
    line("line stroke-accent follow", ...column(months.map(({ value }) => value))),
  ];
  if (newest !== undefined) marks.push(dot([last, newest.value], "fill-accent dot", 5));
  if (size.height >= LABELLED_HEIGHT)
    marks.push(
      label("▲ the best backtests mislead", { sides: ["se"], gap: 2 }, ...along(last, span[1])),
      label("▼ the ranking persists", { sides: ["ne"], gap: 2 }, ...along(last, span[0])),
      ...bandName(months, size.isNarrow),
    );
  const now = decimal(newest?.value, 1) + (size.isNarrow ? "" : " now");
  const dates = months.map(({ month }) => month);
  return plot(
    {
      size,
      x: { span: [0, last], ticks: dateTicks(dates, size.width - 130) },
      y: { span, ticks: TICKS, hasGrid: true, rule: 50 },
      ends: newest && [{ at: newest.value, lines: [now], tone: "accent" }],
    },
    marks,
  );
}

/** Places for a text about the whole chart, from left to right. */
const along = (last: number, up: number) =>
  [0.01, 0.15, 0.3, 0.45, 0.6].map((share) => [share * last, up] as const);

/** The name of the bands, at the newest edge that has room for it. */
function bandName(months: readonly MonthValue[], isNarrow: boolean) {
  const named = months
    .flatMap(({ band }, at) => (band === null ? [] : [{ ...band, at }]))
    .reverse();
  const [newest] = named;
  if (newest === undefined) return [];
  const text = isNarrow ? "luck alone" : `luck alone, in 9 of 10: ${rangeText(newest)}`;
  const edges = (["low", "high"] as const).flatMap((edge) => {
    return named.map((month) => [month.at, month[edge]] as const);
  });
  return [label(text, { tone: "luck", sides: ["nw", "sw"], gap: 3 }, ...edges)];
}
