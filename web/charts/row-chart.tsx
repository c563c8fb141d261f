import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { decimal } from "../format.ts";
import { round, type Drawing, type Plot, type Size } from "./chart.tsx";

/** Something with a figure before and one after. */
export interface ChartRow {
  readonly name: string;
  readonly href?: string;
  readonly before: number | null;
  readonly after: number | null;
  /** The bounds of the second. */
  readonly range?: readonly [low: number, high: number] | undefined;
  readonly isGood: boolean;
}

export interface RowWords extends Pick<Drawing, "title" | "subtitle" | "isSynthetic"> {
  /** Undefined where there is none. */
  readonly before: string | undefined;
  readonly after: string;
  /** What the bounds are of, if not of the second figure. */
  readonly rangeName?: string;
  readonly digits: number;
}

const ROW_HEIGHT = 21;
const TOP = 26;
const BOTTOM = 24;

/** A line for each thing, from a circle, before, to a dot, after. */
export function rowChart(rows: readonly ChartRow[], words: RowWords): Drawing {
  const height = TOP + rows.length * ROW_HEIGHT + BOTTOM;
  const shown = rows.filter(({ after }) => after !== null);
  const rose = shown.filter(({ before, after }) => after! > (before ?? after!)).length; // shown ones have it
  const text = (value: number | null) => decimal(value, words.digits);
  const values = shown.map(({ name, before, after, range }) => {
    const of = words.rangeName === undefined ? "" : `${words.rangeName}: `;
    const bounds = range === undefined ? "" : ` (${of}${range.map(text).join(" to ")})`;
    const first = words.before === undefined ? "" : `${text(before)} ${words.before}, `;
    return `${name}|${first}${text(after)} ${words.after}${bounds}`;
  });
  return {
    ...words,
    description:
      words.before === undefined
        ? shown.map(({ name, after }) => `${name}: ${text(after)}`).join("; ")
        : `${rows.length} rows; ${rose} of ${shown.length} are higher ${words.after} than ${words.before}.`,
    hasLinks: rows.some(({ href }) => href !== undefined),
    values,
    draw: (size) => drawRows(size, rows, words),
    width: 640,
    height,
    narrowHeight: height,
  };
}

function drawRows(size: Size, rows: readonly ChartRow[], words: RowWords): VNode {
  const plot: Plot = {
    left: size.isNarrow ? 168 : 190,
    right: size.width - 14,
    top: TOP,
    bottom: size.height - BOTTOM,
  };
  const all = rows.flatMap(({ before, after, range = [] }) => [before, after, ...range]);
  const [least = 0, most = 1] = extent(all.filter((value) => value !== null));
  const x = scaleLinear([Math.min(0, least), Math.max(0, most)], [plot.left, plot.right]).nice();
  const middle = (at: number) => round(plot.top + (at + 0.5) * ROW_HEIGHT);
  const shown = rows
    .map((row, at) => ({ ...row, y: middle(at) }))
    .filter(({ after }) => after !== null);
  return (
    <g>
      <text x={size.isNarrow ? 0 : plot.left} y={12}>
        {`${words.before === undefined ? "" : `○ ${words.before}   `}● ${words.after}`}
      </text>
      {x.ticks(size.isNarrow ? 3 : 5).map((tick) => (
        <g key={tick}>
          <line
            x1={round(x(tick))}
            x2={round(x(tick))}
            y1={plot.top}
            y2={plot.bottom}
            class={tick === 0 ? "rule" : "grid"}
          />
          <text x={round(x(tick))} y={plot.bottom + 18} text-anchor="middle">
            {decimal(tick, x.ticks(5).every(Number.isInteger) ? 0 : words.digits === 3 ? 2 : 1)}
          </text>
        </g>
      ))}
      {rows.map(({ name }, at) => (
        <text key={name} x={plot.left - 10} y={middle(at) + 4} text-anchor="end">
          {name}
        </text>
      ))}
      {shown.map(({ name, before, after, range, y }) => (
        <g key={name}>
          {before !== null && (
            <>
              <line x1={round(x(before))} x2={round(x(after!))} y1={y} y2={y} class="grid link" />
              <circle cx={round(x(before))} cy={y} r={4.5} class="ring" />
            </>
          )}
          {range !== undefined && <Interval x1={x(range[0])} x2={x(range[1])} y={y} />}
        </g>
      ))}
      <g class="follow" aria-hidden="true">
        {shown.map(({ name, href, after, isGood, y }) => {
          const dot = (
            <circle
              key={name}
              cx={round(x(after!))}
              cy={y}
              r={5}
              class={isGood ? "fill-skill" : "fill-luck"}
            />
          );
          if (href === undefined) return dot;
          return (
            <a key={name} href={href} tabIndex={-1}>
              {dot}
            </a>
          );
        })}
      </g>
    </g>
  );
}

/** A line with both ends marked, over what else lies there. */
function Interval({
  x1,
  x2,
  y,
}: {
  readonly x1: number;
  readonly x2: number;
  readonly y: number;
}): VNode {
  const [from, to] = [round(x1), round(x2)];
  return (
    <path d={`M${from} ${y - 5}v10M${from} ${y}H${to}M${to} ${y - 5}v10`} class="line interval" />
  );
}
