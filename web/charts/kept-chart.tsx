import { scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { decimal } from "../format.ts";
import { HorizontalGrid, round, type Drawing, type Plot, type Size } from "./chart.tsx";

/** `there = intercept + slope x here`, of yearly Sharpe ratios. */
export interface KeptLine {
  readonly slope: number;
  readonly intercept: number;
  /** The Sharpe ratio up to which it is drawn. */
  readonly most: number;
}

/** What a Sharpe ratio in one half of the days became in the other, beside the line on which nothing is lost. */
export function keptChart(
  kept: KeptLine,
  words: Pick<Drawing, "title" | "subtitle" | "isSynthetic">,
): Drawing {
  const end = kept.intercept + kept.slope * kept.most;
  const description = `A Sharpe ratio of ${decimal(kept.most, 1)} in one half went with ${decimal(end, 2)} in the other.`;
  return { ...words, description, draw: (size) => drawKept(size, kept), width: 500, height: 270 };
}

function drawKept(size: Size, { slope, intercept, most }: KeptLine): VNode {
  const plot: Plot = { left: 36, right: size.width - 14, top: 16, bottom: size.height - 44 };
  const end = intercept + slope * most;
  const x = scaleLinear([0, most], [plot.left, plot.right]);
  const low = Math.max(-2 * most, Math.min(0, intercept, end));
  const y = scaleLinear([low, Math.max(most, intercept, end)], [plot.bottom, plot.top]).nice();
  const clipped = y.copy().clamp(true);
  const isFalling = slope < 0;
  return (
    <g>
      <HorizontalGrid plot={plot} ticks={y.ticks(4)} y={y} label={String} rule={0} />
      {x.ticks(4).map((tick) => (
        <text key={tick} x={round(x(tick))} y={plot.bottom + 18} text-anchor="middle">
          {tick}
        </text>
      ))}
      <line
        x1={x(0)}
        y1={round(y(0))}
        x2={x(most)}
        y2={round(y(most))}
        class="line stroke-context"
      />
      <text x={round(x(most * 0.96))} y={round(y(most) + 4)} text-anchor="end">
        nothing lost
      </text>
      <line
        x1={x(0)}
        y1={round(clipped(intercept))}
        x2={x(most)}
        y2={round(clipped(end))}
        class="line stroke-accent"
      />
      <text
        x={round(x(isFalling ? 0 : most)) + (isFalling ? 8 : 0)}
        y={round(Math.max(plot.top + 10, isFalling ? clipped(intercept) - 8 : clipped(end) + 20))}
        text-anchor={isFalling ? "start" : "end"}
        class="label fill-accent"
      >
        what was seen
      </text>
      <text x={plot.right} y={size.height - 6} text-anchor="end">
        Sharpe ratio in one half
      </text>
    </g>
  );
}
