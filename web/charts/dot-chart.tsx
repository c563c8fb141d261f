import { decimal } from "../format.ts";
import type { ChartWords, Drawing } from "./chart.tsx";
import { label, line, round, type Mark } from "./marks.tsx";
import { plot } from "./plot.tsx";
import { spanOf } from "./scale.ts";

const RADIUS = 6.5;
const RADIUS_NARROW = 4.5;
/** The largest step from one dot of a stack to the next. */
const STEP = 14;
const TOP = 58;

/** Values as stacks of dots, with the reader's own value as a line through them. */
export function dotChart(worlds: readonly number[], own: number, words: ChartWords): Drawing {
  const beyond = beyondOf(worlds, own);
  const [low, high] = spanOf([...worlds, own]);
  const pad = (high - low) * 0.06;
  const x = { span: [low - pad, high + pad] as const, text: (value: number) => decimal(value, 1) };
  const top = [1, 1.12].map((up) => [own, up] as const); // above the dots, or a line of text higher
  const did = `${beyond} of ${worlds.length} did as well`;
  return {
    ...words,
    description: `${beyond} of ${worlds.length} dots lie beyond ${decimal(own, 2)}.`,
    draw: (size) =>
      plot({ size, x, y: { span: [0, 1], ticks: [] }, box: { top: TOP } }, [
        line("axis", [x.span[0], 0], [x.span[1], 0]),
        stacks(worlds, own, size.isNarrow ? RADIUS_NARROW : RADIUS),
        line("line stroke-accent", [own, 0], [own, 1.02]),
        label(`yours: ${decimal(own, 2)}`, { tone: "accent", sides: ["w", "e"] }, ...top),
        label(did, { tone: "luck", sides: ["e", "w"] }, ...top),
      ]),
    width: 572,
    height: 300,
    narrowHeight: 260,
  };
}

export function beyondOf(worlds: readonly number[], own: number): number {
  return worlds.filter((value) => value >= own).length;
}

/** Each dot in the column that is nearest to its value, one above the other. */
function stacks(worlds: readonly number[], own: number, radius: number): Mark {
  return ({ plot: box, x, y }) => {
    const width = 2 * radius + 2;
    const columns = new Map<number, number[]>();
    for (const value of worlds) {
      const at = (Math.round(x(value) / width - 0.5) + 0.5) * width;
      columns.set(at, [...(columns.get(at) ?? []), value]);
    }
    const tallest = Math.max(...[...columns.values()].map(({ length }) => length));
    const step = Math.min(STEP, (box.bottom - box.top - radius) / tallest);
    const circles = [...columns].flatMap(([at, values]) =>
      values.map((value, index) => (
        <circle
          key={`${at} ${index}`}
          cx={round(at)}
          cy={round(y(0) - radius - 2 - index * step)}
          r={Math.min(radius, step / 2 + 1)}
          class={value >= own ? "fill-luck" : "fill-luck pale-dot"}
        />
      )),
    );
    return { shape: <g>{circles}</g> };
  };
}
