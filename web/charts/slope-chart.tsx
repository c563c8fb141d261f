import { scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { decimal } from "../format.ts";
import { round, type Drawing, type Size } from "./chart.tsx";

export interface Slope {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly colour: "accent" | "context";
}

/** How far two labels must be apart, in the chart's units. */
const LABEL_HEIGHT = 18;

/** Values of a few groups before and after. */
export function slopeChart(
  slopes: readonly Slope[],
  words: Pick<Drawing, "title" | "subtitle" | "isSynthetic"> & {
    readonly before: string;
    readonly after: string;
  },
): Drawing {
  const description = slopes
    .map(({ name, before, after }) => `${name}: ${decimal(before, 2)}, then ${decimal(after, 2)}`)
    .join("; ");
  const draw = (size: Size) => drawSlopes(size, slopes, words);
  return { ...words, description, draw, width: 560, height: 300 };
}

function drawSlopes(
  size: Size,
  slopes: readonly Slope[],
  words: { readonly before: string; readonly after: string },
): VNode {
  const [left, right] = [size.width * 0.33, size.width * 0.8];
  const values = slopes.flatMap(({ before, after }) => [before, after]);
  const y = scaleLinear(
    [Math.min(0, ...values), Math.max(...values) * 1.05],
    [size.height - 40, 20],
  );
  const ends = apart(slopes.map(({ after }) => y(after)));
  const starts = apart(slopes.map(({ before }) => y(before)));
  return (
    <g>
      {[left, right].map((x, side) => (
        <g key={x}>
          <line x1={x} x2={x} y1={18} y2={size.height - 30} class="grid" />
          <text x={x} y={size.height - 10} text-anchor="middle">
            {side === 0 ? words.before : words.after}
          </text>
        </g>
      ))}
      {slopes.map(({ name, before, after, colour }, at) => (
        <g key={name}>
          <line
            x1={left}
            x2={right}
            y1={round(y(before))}
            y2={round(y(after))}
            class={`line stroke-${colour}`}
          />
          <circle cx={left} cy={round(y(before))} r={6} class={`dot fill-${colour}`} />
          <circle cx={right} cy={round(y(after))} r={6} class={`dot fill-${colour}`} />
          <text x={left - 14} y={starts[at]! + 5} text-anchor="end" class={`label fill-${colour}`}>
            {`${name} ${decimal(before, 2)}`}
          </text>
          <text x={right + 14} y={ends[at]! + 5} class={`label fill-${colour}`}>
            {decimal(after, 2)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Moves labels that would overlap away from each other, keeping their order. */
function apart(heights: readonly number[]): readonly number[] {
  const order = heights.map((_, at) => at).sort((a, b) => heights[a]! - heights[b]!);
  const moved = [...heights];
  for (let k = 1; k < order.length; k++) {
    const [above, below] = [order[k - 1]!, order[k]!];
    const overlap = LABEL_HEIGHT - (moved[below]! - moved[above]!);
    if (overlap > 0) {
      moved[above] = moved[above]! - overlap / 2;
      moved[below] = moved[below]! + overlap / 2;
    }
  }
  return moved.map(round);
}
