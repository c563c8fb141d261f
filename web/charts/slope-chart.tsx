import { decimal } from "../format.ts";
import type { ChartWords, Drawing } from "./chart.tsx";
import { textWidth } from "./labels.ts";
import { dot, label, line, type Tone } from "./marks.tsx";
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

/** A line for each group from its value before to its value after. */
export function slopeChart(
  slopes: readonly Slope[],
  { before: first, after: second, ...words }: SlopeWords,
): Drawing {
  const values = slopes.flatMap(({ before, after }) => [before, after]);
  const ticks = [first, second].map((text, at) => ({ at, text }));
  const x = { span: [0, 1] as const, ticks, hasGrid: true };
  const y = { span: [Math.min(0, ...values), Math.max(...values) * 1.05] as const, ticks: [] };
  const names = slopes.map(({ name, before }) => `${name} ${decimal(before, 2)}`);
  const left = Math.max(...names.map((name) => textWidth(name, true))) + 16;
  const ends = slopes.map(({ after: at, tone }) => ({ at, lines: [decimal(at, 2)], tone }));
  const marks = slopes.flatMap(({ before, after, tone }, at) => [
    line(`line stroke-${tone}`, [0, before], [1, after]),
    dot([0, before], `dot fill-${tone}`, 6),
    dot([1, after], `dot fill-${tone}`, 6),
    label(names[at]!, { tone, sides: ["w", "nw", "sw"], gap: 10 }, [0, before]), // one name per slope
  ]);
  return {
    ...words,
    description: slopes
      .map(({ name, before, after }) => `${name}: ${decimal(before, 2)}, then ${decimal(after, 2)}`)
      .join("; "),
    draw: (size) => plot({ size, x, y, ends, box: { left, right: size.width * 0.8 } }, marks),
    width: 560,
    height: 300,
  };
}
