import type { ChartWords, Drawing } from "./chart.tsx";
import { column, line, type Tone } from "./marks.tsx";
import { plot } from "./plot.tsx";
import { dateTicks, spanOf } from "./scale.ts";

/** A curve over days, with its name at its end. */
export interface Curve {
  readonly name: string;
  readonly values: readonly number[];
  readonly tone: Tone;
}

interface LinesWords extends ChartWords, Pick<Drawing, "description"> {
  /** ISO dates, one per value. */
  readonly dates: readonly string[];
  readonly text: (value: number) => string;
  readonly isLog: boolean;
  /** The value whose line is a reference. */
  readonly rule?: number;
}

/** Several curves over the same days. */
export function linesChart(curves: readonly Curve[], words: LinesWords): Drawing {
  const { dates, text, isLog, rule = NaN, ...rest } = words;
  const values = curves.flatMap((curve) => curve.values);
  const ends = curves.map(({ name, tone, values: own }) => {
    return { at: own.at(-1) ?? 1, lines: [name], tone };
  });
  const y = { span: spanOf(values, isLog), isLog, text, rule };
  const marks = curves.map((curve) =>
    line(`line thin stroke-${curve.tone}`, ...column(curve.values)),
  );
  return {
    ...rest,
    draw: (size) => {
      const ticks = dateTicks(dates, size.width - 190);
      return plot({ size, x: { span: [0, Math.max(1, dates.length - 1)], ticks }, y, ends }, marks);
    },
    width: 1040,
    height: 360,
  };
}
