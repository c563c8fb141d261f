import type { VNode } from "preact";
import type { Size } from "./chart.tsx";
import { apart, LINE_HEIGHT, placeLabels, textWidth, type Box } from "./labels.ts";
import { round, type Drawn, type Frame, type Mark, type Tone } from "./marks.tsx";
import { roundValues, scaleOf, type Span, type Tick } from "./scale.ts";

/** An axis: what it spans, and what is written along it. */
export interface Axis {
  readonly span: Span;
  readonly isLog?: boolean;
  /** Without it, about `count` round values. */
  readonly ticks?: readonly Tick[];
  readonly count?: number;
  readonly text?: (value: number) => string;
  /** Whether a faint line crosses the chart at each tick. By default only round values of y have one. */
  readonly hasGrid?: boolean;
  /** The value whose line is a reference. */
  readonly rule?: number;
}

/** The name of a line, beside its end. */
export interface End {
  readonly at: number;
  readonly lines: readonly string[];
  readonly tone?: Tone | undefined;
}

export interface PlotOptions {
  readonly size: Size;
  readonly x: Axis;
  readonly y: Axis;
  readonly ends?: readonly End[] | undefined;
  /** Edges of the plot that are given, not measured from what is written beside it. */
  readonly box?: Partial<Box>;
}

/** A text in its place. */
interface Written {
  readonly text: string;
  readonly x: number;
  /** The middle of the text. */
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  readonly className?: string | undefined;
}

const TOP = 16;
const FOOT = 30;
const EDGE = 12;
/** The least height of a row with a name. */
const ROW_MIN = 13;
/** Between an axis and its texts, and between two texts. */
const TEXT_GAP = 8;
const END_GAP = 10;
/** Charts of made-up prices have a note in their corner. */
const CORNER_WIDTH = 116;

/** An axis of named rows, from the top. */
export function namesAxis(names: readonly string[]): Axis {
  return { span: [names.length, 0], ticks: names.map((text, at) => ({ at: at + 0.5, text })) };
}

/** A chart: axes with what is written along them, marks in their order, and labels that keep clear of all that. */
export function plot(options: PlotOptions, marks: readonly Mark[]): VNode {
  const { size, x, y, ends = [] } = options;
  const ticks = ticksOf(y, 4);
  // Rows of a small picture, such as a preview's, are too close for their names.
  const yTicks = ticks.length * ROW_MIN > size.height - TOP - FOOT ? [] : ticks;
  const box = boxOf(options, yTicks);
  const frame: Frame = {
    plot: box,
    x: scaleOf(x.span, [box.left, box.right], x.isLog),
    y: scaleOf(y.span, [box.bottom, box.top], y.isLog),
  };
  const xTicks = ticksOf(x, size.isNarrow ? 3 : 5);
  const drawn = marks.map((mark) => mark(frame));
  const written = [
    ...alongBottom(xTicks, frame, size.width),
    ...yTicks.map(({ at, text }): Written => {
      return { text, x: box.left - TEXT_GAP, y: frame.y(at), anchor: "end" };
    }),
    ...besideEnds(ends, frame),
  ];
  const labels = placedIn(size, drawn, written);
  const lines = [
    ...((y.hasGrid ?? y.ticks === undefined) ? yTicks : []).map(({ at }) => {
      return [`M${box.left},${round(frame.y(at))}H${box.right}`, at === y.rule] as const;
    }),
    ...(x.hasGrid === true ? xTicks : []).map(({ at }) => {
      return [`M${round(frame.x(at))},${box.top}V${box.bottom}`, at === x.rule] as const;
    }),
  ];
  return (
    <g>
      {drawn.map(({ shape, isUnder = false }) => isUnder && shape)}
      {lines.map(([d, isRule]) => (
        <path key={d} d={d} class={isRule ? "rule" : "grid"} />
      ))}
      {drawn.map(({ shape, isUnder = false }) => !isUnder && shape)}
      {[...written, ...labels].map(({ text, x: at, y: up, anchor, className }, index) => (
        <text
          key={index}
          x={round(at)}
          y={round(up + BASELINE)}
          text-anchor={anchor}
          class={className}
        >
          {text}
        </text>
      ))}
    </g>
  );
}

/** From the middle of a line of text to its baseline. */
const BASELINE = 4.5;

function placedIn(size: Size, drawn: readonly Drawn[], written: readonly Written[]): Written[] {
  const labels = drawn.flatMap((mark) => mark.labels ?? []);
  const corner = { left: size.width - CORNER_WIDTH, right: size.width, top: 0, bottom: TOP };
  const texts = [...written.map(boxOfText), corner];
  const within = { left: 0, right: size.width, top: 0, bottom: size.height };
  const boxes = placeLabels(labels, within, { texts, ink: drawn.flatMap(({ ink = [] }) => ink) });
  return labels.map(({ text, className }, at) => {
    const { left, right, top, bottom } = boxes[at]!; // one box per label
    const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
    return { text, className, anchor: "middle", ...middle };
  });
}

function ticksOf(
  { span, isLog, ticks, count, text = String }: Axis,
  most: number,
): readonly Tick[] {
  return ticks ?? roundValues(span, count ?? most, isLog).map((at) => ({ at, text: text(at) }));
}

/** Margins as wide as what is written in them. */
function boxOf({ size, x, ends = [], box }: PlotOptions, yTicks: readonly Tick[]): Box {
  const left = Math.max(0, ...yTicks.map(({ text }) => textWidth(text)));
  const right = Math.max(
    0,
    ...ends.flatMap(({ lines }) => lines.map((text) => textWidth(text, true))),
  );
  return {
    left: round(Math.max(EDGE, left + TEXT_GAP + 2)),
    right: round(size.width - Math.max(EDGE, right + END_GAP + 2)),
    top: TOP,
    bottom: size.height - (x.ticks?.length === 0 ? EDGE : FOOT),
    ...box,
  };
}

/** Texts below the plot, within the chart's width. Where they lack room, only every second, third ... is written. */
function alongBottom(ticks: readonly Tick[], { plot: box, x }: Frame, width: number): Written[] {
  const all = ticks.map(({ at, text }) => {
    const half = textWidth(text) / 2;
    return { text, half, at: Math.max(half, Math.min(width - half, x(at))) };
  });
  const every = (step: number) => all.filter((_, at) => at % step === 0);
  const meet = (some: typeof all) =>
    some.some(({ at, half }, rank) => {
      const before = some[rank - 1];
      return before !== undefined && at - half < before.at + before.half + TEXT_GAP;
    });
  let step = 1;
  while (meet(every(step))) step++;
  const y = box.bottom + TEXT_GAP + LINE_HEIGHT / 2;
  return every(step).map(({ text, at }) => ({ text, x: at, y, anchor: "middle" }));
}

/** Names of lines, moved apart where the lines end close to each other. */
function besideEnds(ends: readonly End[], { plot: box, y }: Frame): Written[] {
  const height = LINE_HEIGHT * Math.max(1, ...ends.map(({ lines }) => lines.length)) + 2;
  const limits = [box.top + (height - TOP) / 2, box.bottom - (height - TOP) / 2] as const;
  const wanted = ends.map(({ at }) => y(at));
  const places = apart(wanted, height, limits);
  return ends.flatMap(({ lines, tone }, at) =>
    lines.map((text, row): Written => {
      const up = places[at]! + (row - (lines.length - 1) / 2) * LINE_HEIGHT; // one place per end
      const className = tone && `label fill-${tone}`;
      return { text, x: box.right + END_GAP, y: up, anchor: "start", className };
    }),
  );
}

function boxOfText({ text, x, y, anchor, className = "" }: Written): Box {
  const width = textWidth(text, className.includes("label"));
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { left, right: left + width, top: y - LINE_HEIGHT / 2, bottom: y + LINE_HEIGHT / 2 };
}
