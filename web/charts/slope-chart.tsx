import { decimal } from "../format.ts";
import type { ChartWords, Drawing } from "./chart.tsx";
import { dot, line, type Tone } from "./marks.tsx";
import { plot } from "./plot.tsx";

export interface Slope {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly tone: Tone;
}

interface SlopeWords extends ChartWords {
  readonly before: string;
  readonly after: string;
}

/** Values of a few groups before and after. */
export function slopeChart(
  slopes: readonly Slope[],
  { before: first, after: second, ...words }: SlopeWords,
): Drawing {
  const values = slopes.flatMap(({ before, after }) => [before, after]);
  const ticks = [first, second].map((text, at) => ({ at, text }));
  const ends = (of: (slope: Slope) => number, named: boolean) =>
    slopes.map((slope) => {
      const text = `${named ? `${slope.name} ` : ""}${decimal(of(slope), 2)}`;
      return { at: of(slope), lines: [text], tone: slope.tone };
    });
  return {
    ...words,
    description: slopes
      .map(({ name, before, after }) => `${name}: ${decimal(before, 2)}, then ${decimal(after, 2)}`)
      .join("; "),
    draw: (size) => {
      const y = { span: [Math.min(0, ...values), Math.max(...values) * 1.05] as const, ticks: [] };
      const starts = ends(({ before }) => before, true);
      const x = { span: [0, 1] as const, ticks, hasGrid: true };
      const box = { right: size.width * 0.8 };
      return plot(
        { size, x, y, starts, ends: ends(({ after }) => after, false), box },
        slopes.flatMap(({ before, after, tone }) => [
          line(`line stroke-${tone}`, [0, before], [1, after]),
          dot([0, before], `dot fill-${tone}`, 6),
          dot([1, after], `dot fill-${tone}`, 6),
        ]),
      );
    },
    width: 560,
    height: 300,
  };
}
