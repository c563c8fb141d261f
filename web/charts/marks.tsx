import type { ComponentChildren, VNode } from "preact";
import type { Box, Label, Point, Side } from "./labels.ts";
import type { Scale, Span } from "./scale.ts";

/** Colours by their meaning, which is the same on every page: the reader's own, luck, skill, all else. */
export type Tone = "accent" | "luck" | "skill" | "context";

/** The place of the plot, and of the values in it. */
export interface Frame {
  readonly plot: Box;
  readonly x: Scale;
  readonly y: Scale;
}

/** What a mark draws in a frame. */
export interface Drawn {
  readonly shape?: ComponentChildren;
  /** Painted before the lines of the axes. */
  readonly isUnder?: boolean;
  /** Lines that labels keep away from. */
  readonly ink?: readonly (readonly Point[])[];
  readonly labels?: readonly Label[];
}

export type Mark = (frame: Frame) => Drawn;

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A path straight from point to point. A point that is NaN breaks it. */
export function pathOf(points: readonly Point[]): string {
  let pen = "M";
  return points
    .map(([x, y]) => {
      const step = Number.isFinite(y) ? `${pen}${round(x)},${round(y)}` : "";
      pen = step === "" ? "M" : "L";
      return step;
    })
    .join("");
}

/** Nothing where nothing is drawn: an attribute without a value isn't XML. */
const pathWith = (d: string, className: string) =>
  d === "" ? null : <path d={d} class={className} />;

/** The values of a column as points over its rows. */
export function column(values: ArrayLike<number>): readonly Point[] {
  return Array.from(values, (value, row) => [row, value] as const);
}

export function line(className: string, ...points: readonly Point[]): Mark {
  return ({ x, y }) => {
    const placed = points.map(([across, up]): Point => [x(across), y(up)]);
    return { shape: pathWith(pathOf(placed), className), ink: [placed] };
  };
}

/** The area between a lower and an upper line. */
export function area(
  className: string,
  ...points: readonly (readonly [x: number, low: number, high: number])[]
): Mark {
  return ({ x, y }) => {
    let d = "";
    let [there, back]: [Point[], Point[]] = [[], []];
    for (const [across, low, high] of [...points, [0, NaN, NaN] as const]) {
      if (Number.isFinite(low + high)) {
        there.push([x(across), y(high)]);
        back.unshift([x(across), y(low)]);
      } else if (there.length > 0) {
        d += `${pathOf([...there, ...back])}Z`;
        [there, back] = [[], []];
      }
    }
    return { shape: pathWith(d, className), isUnder: true };
  };
}

export interface Dot {
  readonly at: Point;
  readonly className: string;
  readonly href?: string | undefined;
}

/** Circles. A `group` with the class "follow" shows their values to a pointer. */
export function dots(all: readonly Dot[], radius: number, group?: string): Mark {
  return ({ x, y }) => {
    const ink: Point[][] = [];
    const circles = all.map(({ at: [across, up], className, href }, at) => {
      const [cx, cy] = [round(x(across)), round(y(up))];
      ink.push([
        [cx - radius, cy],
        [cx + radius, cy],
      ]);
      return linked(href, <circle key={at} cx={cx} cy={cy} r={radius} class={className} />);
    });
    return { shape: grouped(circles, group), ink };
  };
}

export function dot(at: Point, className: string, radius: number): Mark {
  return dots([{ at, className }], radius);
}

export interface Cell {
  readonly x: Span;
  readonly y: Span;
  readonly className: string;
  readonly href?: string | undefined;
  readonly opacity?: number;
  /** How much smaller it is on each side, in the chart's units. */
  readonly inset?: number;
}

/** Rectangles: the bars of a chart, the cells of a map. */
export function cells(all: readonly Cell[], radius?: number, group?: string): Mark {
  return ({ x, y }) => {
    const boxes = all.map(({ x: across, y: up, className, href, opacity, inset = 0 }, at) => {
      const [a, b, c, d] = [x(across[0]), x(across[1]), y(up[0]), y(up[1])];
      const [width, height] = [b - a, d - c].map((size) => {
        return round(Math.max(0.5, Math.abs(size) - 2 * inset));
      });
      const index = { x: round(Math.min(a, b) + inset), y: round(Math.min(c, d) + inset) };
      const look = { width, height, rx: radius, opacity, class: className };
      return linked(href, <rect key={at} {...index} {...look} />);
    });
    return { shape: grouped(boxes, group) };
  };
}

function linked(href: string | undefined, shape: VNode): VNode {
  if (href === undefined) return shape;
  return (
    <a key={shape.key} href={href} tabIndex={-1}>
      {shape}
    </a>
  );
}

function grouped(shapes: readonly VNode[], group: string | undefined): VNode {
  return <g {...(group === undefined ? {} : { class: group, "aria-hidden": "true" })}>{shapes}</g>;
}

const CAP = 5;

/** A line between two bounds, both of them marked. */
export function interval([from, to]: Span, up: number): Mark {
  return ({ x, y }) => {
    const [left, right, top] = [round(x(from)), round(x(to)), round(y(up) - CAP)];
    const d = `M${left} ${top}v${2 * CAP}M${left} ${top + CAP}H${right}M${right} ${top}v${2 * CAP}`;
    return { shape: <path d={d} class="line interval" /> };
  };
}

const SIDES: readonly Side[] = ["e", "w", "n", "s", "ne", "nw", "se", "sw"];

interface LabelLook {
  readonly tone?: Tone | "ink";
  /** The sides of the point where the text may stand, the best first. */
  readonly sides?: readonly Side[];
  readonly gap?: number;
}

/** A text at the first of the points where it would meet nothing. */
export function label(text: string, look: LabelLook, ...points: readonly Point[]): Mark {
  const { tone, sides = SIDES, gap = 8 } = look;
  const className = tone === undefined ? "halo" : `label halo fill-${tone}`;
  return ({ x, y }) => {
    const placed = points.map(([across, up]): Point => [x(across), y(up)]);
    return { labels: [{ text, className, points: placed, sides, gap }] };
  };
}
