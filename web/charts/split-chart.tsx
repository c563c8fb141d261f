import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { share } from "../format.ts";
import { round, type Drawing, type Plot, type Size } from "./chart.tsx";

export interface Bins {
  /** One more than there are counts. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

interface SplitOptions extends Pick<Drawing, "title" | "subtitle" | "isSynthetic"> {
  /** Share from 0 to 1 that lies below 0; what is exactly there counts half. */
  readonly below: number | null;
}

/** Counts on both sides of 0: how the winners of one half ranked in the other. */
export function splitChart(bins: Bins, { below, ...words }: SplitOptions): Drawing {
  const description = `${share(below)} of the counts lie below the middle.`;
  const draw = (size: Size) => drawBins(size, bins, below);
  return { ...words, description, draw, width: 500, height: 270 };
}

function drawBins(size: Size, { edges, counts }: Bins, below: number | null): VNode {
  const plot: Plot = { left: 8, right: size.width - 8, top: 34, bottom: size.height - 30 };
  const x = scaleLinear([edges[0] ?? -1, edges.at(-1) ?? 1], [plot.left, plot.right]);
  const y = scaleLinear([0, Math.max(1, max(counts) ?? 1)], [plot.bottom, plot.top]);
  const middle = round(x(0));
  return (
    <g>
      {counts.map((count, bin) => {
        const [from, to] = [edges[bin]!, edges[bin + 1]!]; // one more edge than counts
        return (
          <rect
            key={bin}
            class={to <= 1e-9 ? "fill-luck" : from >= -1e-9 ? "fill-skill" : "fill-context"}
            x={round(x(from) + 0.5)}
            width={Math.max(0.5, round(x(to) - x(from) - 1))}
            y={round(y(count))}
            height={round(plot.bottom - y(count))}
          />
        );
      })}
      <line x1={middle} x2={middle} y1={8} y2={plot.bottom} class="rule" />
      <text x={middle - 8} y={18} text-anchor="end" class="label fill-luck">
        {`${share(below)} below the middle`}
      </text>
      <text x={middle + 8} y={18} class="label fill-skill">
        {`${share(below === null ? null : 1 - below)} above`}
      </text>
      <text x={plot.left} y={size.height - 8}>
        worst of all
      </text>
      <text x={plot.right} y={size.height - 8} text-anchor="end">
        best of all
      </text>
    </g>
  );
}
