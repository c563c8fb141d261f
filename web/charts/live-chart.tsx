import { nice } from "d3-array";
import type { CheckLive } from "../../api/check-live.ts";
import { signedPercent } from "../format.ts";
import type { ChartWords, Drawing, Size } from "./chart.tsx";
import type { Point } from "./labels.ts";
import { area, cells, dot, label, line, type Mark } from "./marks.tsx";
import { plot, type End } from "./plot.tsx";
import { roundValues, spanOf } from "./scale.ts";

type LivePicture = CheckLive["picture"];
/** What the picture shows besides the report's lines: every live day, and the day of a stop. */
export interface LiveDays {
  /** Sums of daily returns in percent, of each live day. */
  readonly sums: readonly number[];
  /** Counted from 1; undefined where there was no stop. */
  readonly stopDay: number | undefined;
}

type Words = ChartWords & Pick<Drawing, "description">;
type Values = readonly (number | null)[];

/** How far below everything else the stop line may lie and still be drawn, as a share of the rest's height. */
const FAR = 0.8;

/** The live record over the fan of what the claim leads to expect, with the line at which the claim is contradicted. */
export function liveChart(picture: LivePicture, days: LiveDays, words: Words): Drawing {
  const draw = (size: Size) => drawLive(size, picture, days);
  return { ...words, draw, width: 640, height: 400, narrowHeight: 350 };
}

function drawLive(size: Size, picture: LivePicture, { sums, stopDay }: LiveDays) {
  const { day, fan, stop_line_pct: stop, others_line_pct: others } = picture;
  const last = day.at(-1)!; // there are days
  const known = [...sums, 0, ...(fan?.p5 ?? []), ...(fan?.p95 ?? []), ...(others ?? [])];
  const [low, high] = spanOf(known.map((value) => value ?? 0));
  const stops = (stop ?? []).map((value) => value ?? 0);
  const isFar = low - Math.min(...stops) > FAR * (high - low);
  const bottom = isFar ? low : Math.min(low, ...stops);
  const span = nice(bottom - 0.04 * (high - bottom), Math.max(high, bottom + 1), 4);
  const end: Point = [sums.length, sums.at(-1)!];
  const band = (of: Values, to: Values) =>
    [[0, 0, 0], ...day.map((at, row) => [at, of[row]!, to[row]!])] as [number, number, number][]; // one value per day
  const curve = (others ?? []).map((value, at): Point => [day[at]!, value ?? NaN]); // one value per day
  const now = size.isNarrow ? "" : `, day ${end[0]}`;
  const marks = [
    line("thin stroke-context", [0, 0], [last, 0]),
    ...stopMarks(stops, isFar ? span[0] : undefined, { day, isShort: size.isNarrow }),
    line("line thin stroke-accent", [0, 0], ...sums.map((sum, at): Point => [at + 1, sum])),
    dot(end, "dot fill-accent", 5),
    label(`live ${percentText(end[1])}${now}`, { tone: "accent", gap: 10 }, end),
  ];
  if (fan !== null)
    marks.unshift(area("band", ...band(fan.p5, fan.p95)), area("deep", ...band(fan.p25, fan.p75)));
  if (others !== null) marks.push(line("line thin dash stroke-context", [0, 0], ...curve));
  if (stopDay !== undefined) marks.push(dot([stopDay, sums[stopDay - 1]!], "stop-ring", 7));
  const days = roundValues([1, last], size.isNarrow ? 2 : 5);
  const ticks = [{ at: 0, text: "start" }, ...days.map((at) => ({ at, text: `day ${at}` }))];
  const y = { span, count: 5, text: percentText };
  const ends = endsOf(picture, size.isNarrow);
  return plot({ size, x: { span: [0, last], ticks }, y, ends }, marks);
}

const percentText = (value: number) => signedPercent(value, 0);

/** The line at which the claim is contradicted, or words at the bottom where the line is far below everything else. */
function stopMarks(
  stops: readonly number[],
  bottom: number | undefined,
  { day, isShort }: { readonly day: readonly number[]; readonly isShort: boolean },
): Mark[] {
  if (stops.length === 0) return [];
  const [first, final, from, to] = [stops[0]!, stops.at(-1)!, day[0]!, day.at(-1)!]; // one stop per day
  const far = `▼ stop line: far below, at ${percentText(first)}`;
  const words = isShort ? "stop line" : "stop line: look as often as you like";
  const places = [0.02, 0.2, 0.4, 0.6].map((share): Point => {
    return [from + share * (to - from), bottom ?? first + share * (final - first)];
  });
  const look = { tone: "luck", sides: ["se", "ne"], gap: 3 } as const;
  const named = label(bottom === undefined ? words : far, look, ...places);
  return bottom === undefined
    ? [line("line stroke-luck", [from, first], [to, final]), named]
    : [named];
}

/** The name of each line, at its end. */
function endsOf({ fan, others_line_pct: others }: LivePicture, isNarrow: boolean): readonly End[] {
  const named: readonly (readonly [Values | undefined, string])[] = [
    [fan?.p95, "1 in 20 above"],
    [fan?.p50, "as claimed"],
    [others ?? undefined, isNarrow ? "others’ line" : "line others draw"],
    [fan?.p5, "1 in 20 below"],
  ];
  return named.flatMap(([values, text]) => {
    const at = values?.at(-1) ?? undefined;
    return at === undefined ? [] : [{ at, lines: [text] }];
  });
}

/** A bar of three years: how many days have passed, and by when half of the strategies without an edge are stopped. */
export function howLongChart(
  of: { readonly day: number; readonly median: number | null; readonly isStop: boolean },
  words: Words,
): Drawing {
  const { day, median, isStop } = of;
  const span = Math.max(3 * 365, day);
  const years = `${Number((span / 365).toFixed(1))} years`;
  const x = {
    span: [0, span] as const,
    ticks: [
      { at: 0, text: "start" },
      { at: span, text: years },
    ],
  };
  const tone = isStop ? "luck" : "accent";
  const lived = isStop ? `known after ${day} days` : `today: day ${day}`;
  const half = `half stopped: ${median === null ? "never" : `day ${median}`}`;
  const bar = (to: number, className: string) => cells([{ x: [0, to], y: [0, 1], className }], 6);
  const marks = [
    bar(span, "empty"),
    bar(day, `fill-${tone}`),
    label(lived, { tone, sides: ["ne"] }, [0, 1]),
  ];
  if (!isStop) marks.push(label(half, { tone: "ink", sides: ["nw"] }, [span, 1]));
  if (!isStop && median !== null && median <= span)
    marks.push(line("line ink-line", [median, -0.15], [median, 1.15]));
  const draw = (size: Size) => {
    const box = { left: 1, right: size.width - 1, top: 36, bottom: 62 };
    return plot({ size, x, y: { span: [0, 1], ticks: [] }, box }, marks);
  };
  return { ...words, draw, width: 640, height: 92, narrowHeight: 92 };
}
