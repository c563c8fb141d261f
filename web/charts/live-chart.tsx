import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { VNode } from "preact";
import type { CheckLive } from "../../api/check-live.ts";
import { signedPercent } from "../format.ts";
import { HorizontalGrid, round, type Drawing, type Size } from "./chart.tsx";

export type LivePicture = CheckLive["picture"];

/** What the picture needs beside the report's lines: the live days one by one, and the day of a stop. */
export interface LiveDays {
  /** Sums of daily returns in percent, of each live day. */
  readonly sums: readonly number[];
  /** Counted from 1; undefined where nothing was reached. */
  readonly stopDay: number | undefined;
}

/** How much farther than everything else the stop line may lie and still be drawn. */
const FAR = 0.8;
const LABEL_GAP = 16;

/** The live record in the fan of what was promised, with the line at which it is contradicted. */
export function liveChart(
  picture: LivePicture,
  days: LiveDays,
  words: Pick<Drawing, "title" | "subtitle" | "description" | "isSynthetic">,
): Drawing {
  const draw = (size: Size) => drawLive(size, picture, days);
  return { ...words, draw, width: 640, height: 400, narrowHeight: 350 };
}

type Points = readonly (number | null)[];

function drawLive(size: Size, picture: LivePicture, { sums, stopDay }: LiveDays): VNode {
  const { day, fan, stop_line_pct: stop, others_line_pct: others } = picture;
  const right = size.width - (size.isNarrow ? 92 : 126);
  const plot = { left: 56, right, top: 14, bottom: size.height - 30 };
  const last = day.at(-1)!; // there are days
  const shown = [...sums, 0, ...(fan === null ? [] : [...fan.p5, ...fan.p95]), ...(others ?? [])];
  const [low = 0, high = 0] = extent(shown as number[]);
  const stops = (stop ?? []).map((value) => value!);
  const deepest = Math.min(...stops);
  const isFar = stop !== null && low - deepest > FAR * (high - low);
  const bottom = isFar || stop === null ? low : Math.min(low, deepest);
  const y = scaleLinear([bottom, Math.max(high, bottom + 1)], [plot.bottom - 12, plot.top]).nice(4);
  const x = scaleLinear([0, last], [plot.left, plot.right]);
  const path = (values: Points) =>
    line<number | null>()
      .defined((value) => value !== null)
      .x((_, at) => round(x(at === 0 ? 0 : day[at - 1]!)))
      .y((value) => round(y(value!)))([0, ...values]) ?? "";
  const straight = `M${round(x(day[0]!))},${round(y(stops[0] ?? 0))}L${round(x(last))},${round(y(stops.at(-1) ?? 0))}`;
  const daily = sums.map((sum, at) => `${round(x(at + 1))},${round(y(sum))}`).join("L");
  const end = sums.length;
  return (
    <g>
      {fan !== null && <Band low={fan.p5} high={fan.p95} {...{ day, x, y }} className="band" />}
      {fan !== null && <Band low={fan.p25} high={fan.p75} {...{ day, x, y }} className="deep" />}
      <HorizontalGrid plot={plot} ticks={y.ticks(5)} y={y} label={percentText} />
      <path d={`M${plot.left},${round(y(0))}H${plot.right}`} class="thin stroke-context" />
      <Days {...{ last, x }} at={size.height - 8} isNarrow={size.isNarrow} />
      {others !== null && <path d={path(others)} class="line thin dash stroke-context" />}
      {stop !== null && !isFar && <path d={straight} class="line stroke-luck" />}
      <path d={`M${round(x(0))},${round(y(0))}L${daily}`} class="line thin stroke-accent" />
      <circle cx={round(x(end))} cy={round(y(sums.at(-1)!))} r="5" class="dot fill-accent" />
      <LiveLabel {...{ x, y, sums, plot }} />
      {stopDay !== undefined && (
        <circle cx={round(x(stopDay))} cy={round(y(sums[stopDay - 1]!))} r="7" class="stop-ring" />
      )}
      <StopLabel {...{ x, y, plot, stops, isFar }} isShort={size.isNarrow} />
      <Ends {...{ picture, y, plot }} isNarrow={size.isNarrow} />
    </g>
  );
}

const percentText = (value: number) => signedPercent(value, 0);

type Scale = (value: number) => number;

function Band({
  low,
  high,
  day,
  x,
  y,
  className,
}: {
  readonly low: Points;
  readonly high: Points;
  readonly day: readonly number[];
  readonly x: Scale;
  readonly y: Scale;
  readonly className: string;
}): VNode {
  const shape = area<number>()
    .x((count) => round(x(count)))
    .y0((_, at) => round(y(at === 0 ? 0 : low[at - 1]!)))
    .y1((_, at) => round(y(at === 0 ? 0 : high[at - 1]!)));
  return <path d={shape([0, ...day]) ?? ""} class={className} />;
}

/** What it is now, beside the last day or, where no room is left there, before it. */
function LiveLabel({
  x,
  y,
  sums,
  plot,
}: {
  readonly x: Scale;
  readonly y: Scale;
  readonly sums: readonly number[];
  readonly plot: { readonly left: number; readonly right: number };
}): VNode {
  const [at, height] = [x(sums.length), y(sums.at(-1)!)];
  const hasRoom = plot.right - at > 130 || at - plot.left < 150;
  return (
    <text
      x={round(hasRoom ? at + 10 : at - 10)}
      y={round(height + (hasRoom ? 4 : -10))}
      text-anchor={hasRoom ? "start" : "end"}
      class="label halo fill-accent"
    >
      {`live ${percentText(sums.at(-1)!)}, day ${sums.length}`}
    </text>
  );
}

function StopLabel({
  x,
  y,
  plot,
  stops,
  isFar,
  isShort,
}: {
  readonly x: Scale;
  readonly y: Scale;
  readonly plot: { readonly bottom: number };
  readonly stops: readonly number[];
  readonly isFar: boolean;
  readonly isShort: boolean;
}): VNode | null {
  if (stops.length === 0) return null;
  const near = isShort ? "stop line" : "stop line: look as often as you like";
  const words = isFar ? `▼ stop line: far below, at ${percentText(stops[0]!)}` : near;
  const at = isFar ? plot.bottom - 2 : Math.min(plot.bottom - 2, y(stops[0]!) + 18);
  return (
    <text x={round(x(0) + 6)} y={round(at)} class="label halo fill-luck">
      {words}
    </text>
  );
}

/** What each line is, at its end; moved apart where they lie close. */
function Ends({
  picture: { fan, others_line_pct: others },
  y,
  plot,
  isNarrow,
}: {
  readonly picture: LivePicture;
  readonly y: Scale;
  readonly plot: { readonly right: number };
  readonly isNarrow: boolean;
}): VNode {
  const ends: [number, string][] = [];
  const add = (line: Points | undefined | null, text: string) => {
    const value = line?.at(-1);
    if (value !== undefined && value !== null) ends.push([y(value), text]);
  };
  add(fan?.p95, "1 in 20 above");
  add(fan?.p50, "as claimed");
  add(others, isNarrow ? "others’ line" : "line others draw");
  add(fan?.p5, "1 in 20 below");
  ends.sort(([a], [b]) => a - b);
  for (let at = 1; at < ends.length; at++)
    ends[at]![0] = Math.max(ends[at]![0], ends[at - 1]![0] + LABEL_GAP);
  return (
    <g>
      {ends.map(([height, text]) => (
        <text key={text} x={plot.right + 8} y={round(height + 4)}>
          {text}
        </text>
      ))}
    </g>
  );
}

function Days({
  last,
  x,
  at,
  isNarrow,
}: {
  readonly last: number;
  readonly x: { (value: number): number; ticks(count: number): number[] };
  readonly at: number;
  readonly isNarrow: boolean;
}): VNode {
  const ticks = isNarrow
    ? x.ticks(2).filter((tick) => tick > 0.3 * last)
    : x.ticks(5).filter((tick) => tick > 0.1 * last && tick < 0.95 * last);
  return (
    <g>
      <text x={round(x(0))} y={at}>
        start
      </text>
      {ticks.map((tick) => (
        <text key={tick} x={round(x(tick))} y={at} text-anchor="middle">
          {`day ${tick}`}
        </text>
      ))}
    </g>
  );
}

/** A bar of three years: how much is lived, and by when half of the strategies without an edge are stopped. */
export function howLongChart(
  of: { readonly day: number; readonly median: number | null; readonly isStop: boolean },
  words: Pick<Drawing, "title" | "subtitle" | "description" | "isSynthetic">,
): Drawing {
  const draw = ({ width }: Size) => {
    const span = Math.max(3 * 365, of.day);
    const at = (day: number) => 1 + ((width - 2) * Math.min(day, span)) / span;
    const isMarked = !of.isStop && of.median !== null && of.median <= span;
    const end = round(at(of.day));
    return (
      <g>
        <rect x={1} y={36} width={width - 2} height={26} rx={6} class="empty" />
        <rect
          x={1}
          y={36}
          width={end - 1}
          height={26}
          rx={6}
          class={of.isStop ? "fill-luck" : "fill-accent"}
        />
        <text x={1} y={26} class={`label ${of.isStop ? "fill-luck" : "fill-accent"}`}>
          {of.isStop ? `known after ${of.day} days` : `today: day ${of.day}`}
        </text>
        {isMarked && (
          <line
            x1={round(at(of.median!))}
            x2={round(at(of.median!))}
            y1={32}
            y2={66}
            class="line ink-line"
          />
        )}
        {!of.isStop && (
          <text x={width - 1} y={26} text-anchor="end" class="label ink">
            {of.median === null ? "half stopped: never" : `half stopped: day ${of.median}`}
          </text>
        )}
        <text x={1} y={84}>
          start
        </text>
        <text x={width - 1} y={84} text-anchor="end">
          {`${Number((span / 365).toFixed(1))} years`}
        </text>
      </g>
    );
  };
  return { ...words, draw, width: 640, height: 92, narrowHeight: 92 };
}
