import { scaleLinear, scaleLog } from "d3-scale";
import type { VNode } from "preact";
import { round, type Drawing, type Size } from "./chart.tsx";

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** Written at the bar's end. */
  readonly label: string;
  readonly colour: "accent" | "luck" | "skill" | "context";
}

export interface BarWords extends Pick<Drawing, "title" | "subtitle" | "isSynthetic"> {
  /** Where bars begin: 0, or on a logarithmic scale the value that is neither gain nor loss. */
  readonly base: number;
  readonly isLogarithmic?: boolean;
  /** The longest name's width, in the chart's units. */
  readonly namesWidth: number;
}

const ROW_HEIGHT = 27;
const BAR_HEIGHT = 18;
const LABELS_WIDTH = 88;

/** A bar for each value, with its name before it and its figure at its end. */
export function barChart(bars: readonly Bar[], words: BarWords): Drawing {
  const height = bars.length * ROW_HEIGHT + 20;
  return {
    ...words,
    description: bars.map(({ name, label }) => `${name}: ${label}`).join("; "),
    draw: (size) => drawBars(size, bars, words),
    width: 560,
    height,
    narrowHeight: height,
  };
}

function drawBars(size: Size, bars: readonly Bar[], words: BarWords): VNode {
  const { base, isLogarithmic = false, namesWidth } = words;
  const values = [base, ...bars.map(({ value }) => value)];
  const domain = [Math.min(...values), Math.max(...values)];
  const range = [namesWidth, size.width - LABELS_WIDTH];
  const x = isLogarithmic ? scaleLog(domain, range) : scaleLinear(domain, range);
  const start = x(base);
  return (
    <g>
      {bars.map(({ name, value, label, colour }, at) => {
        const top = 16 + at * ROW_HEIGHT;
        const end = x(value);
        return (
          <g key={name}>
            <text x={namesWidth - 10} y={top + 14} text-anchor="end">
              {name}
            </text>
            <rect
              x={round(Math.min(start, end))}
              y={top}
              width={round(Math.max(1, Math.abs(end - start)))}
              height={BAR_HEIGHT}
              rx={2}
              class={`fill-${colour}`}
            />
            <text x={round(Math.max(start, end) + 8)} y={top + 14} class="label ink">
              {label}
            </text>
          </g>
        );
      })}
    </g>
  );
}
