import { scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { decimal } from "../format.ts";
import { round, type Drawing, type Plot, type Size } from "./chart.tsx";

const RADIUS = 6.5;
const STEP = 14;
const RADIUS_NARROW = 4.5;
/** What the two names above the line need beside it. */
const NAME_WIDTH = 96;

/** A hundred values as a stack of dots, with one's own value as a line through them. */
export function dotChart(
  worlds: readonly number[],
  own: number,
  words: Pick<Drawing, "title" | "subtitle" | "isSynthetic">,
): Drawing {
  const beyond = beyondOf(worlds, own);
  const description = `${beyond} of ${worlds.length} dots lie beyond ${decimal(own, 2)}.`;
  const draw = (size: Size) => drawDots(size, worlds, own);
  return { ...words, description, draw, width: 572, height: 300, narrowHeight: 260 };
}

export function beyondOf(worlds: readonly number[], own: number): number {
  return worlds.filter((value) => value >= own).length;
}

function drawDots(size: Size, worlds: readonly number[], own: number): VNode {
  const radius = size.isNarrow ? RADIUS_NARROW : RADIUS;
  const plot: Plot = { left: 12, right: size.width - 12, top: 48, bottom: size.height - 30 };
  const all = [...worlds, own];
  const pad = (Math.max(...all) - Math.min(...all)) * 0.06 || 0.1;
  const domain = [Math.min(...all) - pad, Math.max(...all) + pad];
  const x = scaleLinear(domain, [plot.left + radius, plot.right - radius]);
  const columns = stacks(
    worlds.map((value) => x(value)),
    2 * radius + 2,
  );
  const tallest = Math.max(...[...columns.values()].map(({ length }) => length));
  const step = Math.min(STEP, (plot.bottom - plot.top - radius) / tallest);
  const ownX = round(x(own));
  const beyond = beyondOf(worlds, own);
  const isLeft = ownX - plot.left > NAME_WIDTH;
  const isRight = plot.right - ownX > NAME_WIDTH;
  const other = `${beyond} of ${worlds.length}`;
  return (
    <g>
      <line x1={plot.left} x2={plot.right} y1={plot.bottom} y2={plot.bottom} class="axis" />
      {x.ticks(size.isNarrow ? 3 : 5).map((tick) => (
        <text key={tick} x={round(x(tick))} y={plot.bottom + 20} text-anchor="middle">
          {decimal(tick, 1)}
        </text>
      ))}
      {[...columns].flatMap(([at, column]) =>
        column.map((value, place) => (
          <circle
            key={`${at} ${place}`}
            cx={round(at)}
            cy={round(plot.bottom - radius - 2 - place * step)}
            r={Math.min(radius, step / 2 + 1)}
            class={value >= ownX - 0.05 ? "fill-luck" : "fill-luck pale-dot"}
          />
        )),
      )}
      <line x1={ownX} x2={ownX} y1={plot.top - 4} y2={plot.bottom} class="line stroke-accent" />
      <text
        x={isLeft ? ownX - 8 : ownX + 8}
        y={isLeft || isRight ? 40 : 18}
        text-anchor={isLeft ? "end" : "start"}
        class="label fill-accent halo"
      >
        {`yours: ${decimal(own, 2)}`}
      </text>
      <text
        x={isRight ? ownX + 8 : isLeft ? ownX - 8 : plot.right}
        y={isLeft && isRight ? 40 : 18}
        text-anchor={isRight ? "start" : "end"}
        class="label fill-luck halo"
      >
        {`${other} did as well`}
      </text>
    </g>
  );
}

/** Places of one width that hold what lies nearest to their middle. */
function stacks(places: readonly number[], width: number): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const place of places) {
    const at = (Math.round(place / width - 0.5) + 0.5) * width;
    found.set(at, [...(found.get(at) ?? []), place]);
  }
  return found;
}
