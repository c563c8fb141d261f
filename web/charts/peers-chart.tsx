import { scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { decimal } from "../format.ts";
import { HorizontalGrid, round, type Drawing, type Plot, type Size } from "./chart.tsx";

/** What the best of some runs reaches where the days teach nothing: yearly Sharpe ratios. */
export interface LuckRange {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
}

/** A level that is compared with them. */
export interface PeerLevel {
  readonly name: string;
  readonly sharpe: number;
  readonly colour: "accent" | "context";
}

/** The median and the 95th percentile of luck, with levels across. */
export function peersChart(
  ranges: readonly LuckRange[],
  levels: readonly PeerLevel[],
  words: Pick<Drawing, "title" | "subtitle" | "isSynthetic">,
): Drawing {
  const description = [
    ...levels.map(({ name, sharpe }) => `${name}: ${decimal(sharpe, 2)}`),
    ...ranges.map(({ name, median, p95 }) => {
      return `${name}, by luck: ${decimal(median, 2)}, at most ${decimal(p95, 2)} in 95 of 100`;
    }),
  ].join("; ");
  const draw = (size: Size) => drawPeers(size, ranges, levels);
  return { ...words, description: `${description}.`, draw, width: 620, height: 320 };
}

const BAR = 34;
const LABEL_GAP = 16;

function drawPeers(size: Size, ranges: readonly LuckRange[], levels: readonly PeerLevel[]): VNode {
  const plot: Plot = { left: 34, right: size.width - 12, top: 20, bottom: size.height - 30 };
  const values = ranges.flatMap(({ median, p95 }) => [median, p95]);
  const all = [0, ...values, ...levels.map(({ sharpe }) => sharpe)];
  const y = scaleLinear([Math.min(...all), Math.max(...all) * 1.05], [plot.bottom, plot.top]);
  const step = (plot.right - plot.left) / ranges.length;
  const places = labelPlaces(levels.map(({ sharpe }) => y(sharpe) - 6));
  return (
    <g>
      <HorizontalGrid plot={plot} ticks={y.ticks(4)} y={y} label={String} rule={0} />
      {ranges.map(({ name, median, p95 }, place) => {
        const middle = round(plot.left + (place + 0.5) * step);
        return (
          <g key={name}>
            <rect
              class="fill-luck-soft"
              x={middle - BAR / 2}
              width={BAR}
              y={round(y(p95))}
              height={round(Math.max(1, y(median) - y(p95)))}
            />
            <line
              class="line stroke-luck"
              x1={middle - BAR / 2}
              x2={middle + BAR / 2}
              y1={round(y(median))}
              y2={round(y(median))}
            />
            <text x={middle} y={size.height - 8} text-anchor="middle">
              {name}
            </text>
          </g>
        );
      })}
      {levels.map(({ name, sharpe, colour }, place) => (
        <g key={name}>
          <line
            class={`line stroke-${colour}`}
            x1={plot.left}
            x2={plot.right}
            y1={round(y(sharpe))}
            y2={round(y(sharpe))}
          />
          <text x={plot.left + 4} y={round(places[place]!)} class={`label fill-${colour}`}>
            {`${name}: ${decimal(sharpe, 2)}`}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Places for two labels that don't lie on each other. */
function labelPlaces(places: readonly number[]): readonly number[] {
  const [first, second] = places;
  if (first === undefined || second === undefined) return places;
  if (Math.abs(first - second) >= LABEL_GAP) return places;
  return first <= second ? [first, first + LABEL_GAP + 12] : [second + LABEL_GAP + 12, second];
}
