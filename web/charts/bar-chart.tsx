import type { ChartWords, Drawing } from "./chart.tsx";
import { textWidth } from "./labels.ts";
import { cells, label, type Cell, type Tone } from "./marks.tsx";
import { namesAxis, plot } from "./plot.tsx";
import { spanOf } from "./scale.ts";

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** Where it begins, if not at the base. */
  readonly from?: number;
  /** Written at the bar's end. */
  readonly label: string;
  readonly tone: Tone;
}

export interface BarWords extends ChartWords {
  /** Where bars begin: 0 or, on a logarithmic scale, the value that is neither a gain nor a loss. */
  readonly base: number;
  readonly isLog?: boolean;
}

const ROW_HEIGHT = 27;
const TOP = 16;
const HALF_BAR = 0.33;

/** A bar for each value, with its name before it and its figure at its end. */
export function barChart(
  bars: readonly Bar[],
  { base, isLog = false, ...words }: BarWords,
): Drawing {
  const height = bars.length * ROW_HEIGHT + TOP + 4;
  const span = spanOf([base, ...bars.flatMap(({ value, from = base }) => [from, value])], isLog);
  const names = namesAxis(bars.map(({ name }) => name));
  const labels = Math.max(0, ...bars.map(({ label: text }) => textWidth(text, true)));
  const shown = bars.map(({ value, from = base, tone }, at): Cell => {
    const y = [at + 0.5 - HALF_BAR, at + 0.5 + HALF_BAR] as const;
    return { x: [from, value], y, className: `fill-${tone}` };
  });
  const figures = bars.map(({ value, from = base, label: text }, at) =>
    label(text, { tone: "ink", sides: ["e"] }, [Math.max(from, value), at + 0.5]),
  );
  return {
    ...words,
    description: bars.map(({ name, label: text }) => `${name}: ${text}`).join("; "),
    draw: (size) => {
      const box = { top: TOP, bottom: height - 4, right: size.width - labels - TOP };
      const axes = { x: { span, isLog, ticks: [] }, y: names };
      return plot({ size, ...axes, box }, [cells(shown, 2), ...figures]);
    },
    width: 560,
    height,
    narrowHeight: height,
  };
}
