import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { decimal } from "../format.ts";
import { HorizontalGrid, round, type Drawing, type Plot, type Size } from "./chart.tsx";

export interface ScatterPoint {
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly href: string;
}

export interface ScatterWords extends Pick<Drawing, "title" | "subtitle" | "isSynthetic"> {
  readonly xName: string;
  readonly yName: string;
}

/** Above this many points they are drawn smaller and paler. */
const CLEAR_MAX = 60;
/** Of the words beside the line. */
const NAME_WIDTH = 112;

/** Two figures of many things, with the line on which both are equal. */
export function scatterChart(points: readonly ScatterPoint[], words: ScatterWords): Drawing {
  const below = points.filter(({ x, y }) => y < x).length;
  const description = `${points.length} points; ${below} lie below the line on which ${words.yName} equals ${words.xName}.`;
  return {
    ...words,
    description,
    hasLinks: true,
    values: points.map(
      ({ name, x, y }) =>
        `${name}|${decimal(x, 2)} ${words.xName}, ${decimal(y, 2)} ${words.yName}`,
    ),
    draw: (size) => drawPoints(size, points, words),
    width: 1040,
    height: 440,
    narrowHeight: 340,
  };
}

function drawPoints(size: Size, points: readonly ScatterPoint[], words: ScatterWords): VNode {
  const plot: Plot = { left: 40, right: size.width - 12, top: 20, bottom: size.height - 46 };
  const x = scaleLinear(rangeOf(points.map((point) => point.x)), [plot.left, plot.right]).nice();
  const y = scaleLinear(rangeOf(points.map((point) => point.y)), [plot.bottom, plot.top]).nice();
  const low = Math.max(x.domain()[0]!, y.domain()[0]!); // a domain has two ends
  const high = Math.min(x.domain()[1]!, y.domain()[1]!);
  const slope = (y(low) - y(high)) / (x(high) - x(low));
  const isClear = points.length <= CLEAR_MAX;
  return (
    <g>
      <HorizontalGrid
        plot={plot}
        ticks={y.ticks(5)}
        y={y}
        label={(tick) => decimal(tick, 1)}
        rule={0}
      />
      {x.ticks(size.isNarrow ? 3 : 5).map((tick) => (
        <text key={tick} x={round(x(tick))} y={plot.bottom + 18} text-anchor="middle">
          {decimal(tick, 1)}
        </text>
      ))}
      <line
        x1={round(x(low))}
        y1={round(y(low))}
        x2={round(x(high))}
        y2={round(y(high))}
        class="rule"
      />
      <text
        x={round(x(high)) - 6}
        y={round(y(high) + slope * NAME_WIDTH + 16)}
        text-anchor="end"
        class="halo"
      >
        as good as before
      </text>
      <g class={isClear ? "follow" : "follow pale"} aria-hidden="true">
        {points.map((point) => (
          <a key={point.name} href={point.href} tabIndex={-1}>
            <circle
              cx={round(x(point.x))}
              cy={round(y(point.y))}
              r={isClear ? 5 : 3.5}
              class={point.y < point.x ? "fill-luck" : "fill-skill"}
            />
          </a>
        ))}
      </g>
      <text x={plot.right} y={size.height - 8} text-anchor="end" class="label">
        {words.xName} →
      </text>
      <text x={plot.left} y={12} class="label">
        ↑ {words.yName}
      </text>
    </g>
  );
}

function rangeOf(values: readonly number[]): [number, number] {
  const [low = 0, high = 1] = extent(values);
  return [Math.min(0, low), Math.max(0.1, high)];
}
