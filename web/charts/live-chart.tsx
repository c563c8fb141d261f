import { decimal } from "../format.ts";
import type { ChartWords, Drawing, Size } from "./chart.tsx";
import type { Point } from "./labels.ts";
import { area, cells, dot, label, line, type Mark } from "./marks.tsx";
import { plot, type End } from "./plot.tsx";
import { roundValues, spanOf } from "./scale.ts";

type Values = readonly number[];
/** Balances of an account on some days, which are counted from 1. */
export interface LiveLines {
  readonly day: readonly number[];
  /** What strategies as good as claimed show; null where that is not known. */
  readonly fan: Readonly<Record<"p5" | "p25" | "p50" | "p75" | "p95", Values>> | null;
  /** Undefined without a claim, as is the next. */
  readonly stop: Values | undefined;
  readonly others: Values | undefined;
}
/** What the picture shows besides the lines: every live day, and the day of a stop. */
export interface LiveDays {
  /** The balance after each live day. */
  readonly account: Values;
  /** Counted from 1; undefined where there was no stop. */
  readonly stopDay: number | undefined;
}

type Words = ChartWords & Pick<Drawing, "description">;
/** How far below everything else the stop line may lie and still be drawn, as a share of the rest's height. */
const FAR = 0.8;
const START = 10_000;

/** The live record over the fan of what the claim leads to expect, with the line at which the claim is contradicted. */
export function liveChart(lines: LiveLines, days: LiveDays, words: Words): Drawing {
  const draw = (size: Size) => drawLive(size, lines, days);
  return { ...words, draw, width: 640, height: 400, narrowHeight: 350 };
}

function drawLive(size: Size, lines: LiveLines, { account, stopDay }: LiveDays) {
  const { day, fan, stop = [], others = [] } = lines;
  const last = day.at(-1)!; // there are days
  const known = [...account, START, ...(fan?.p5 ?? []), ...(fan?.p95 ?? []), ...others];
  const [low, high] = spanOf(known, true);
  const lowest = Math.min(...stop);
  const isFar = Math.log(low / lowest) > FAR * Math.log(high / low);
  const bottom = isFar ? low : Math.min(low, lowest);
  const edge = (high / bottom) ** 0.04;
  const span = [bottom / edge, high * edge] as const;
  const end: Point = [account.length, account.at(-1)!];
  const band = (from: Values, to: Values) =>
    [[0, START, START], ...day.map((at, row) => [at, from[row]!, to[row]!])] as [
      number,
      number,
      number,
    ][]; // one value per day
  const curve = (values: Values) => values.map((value, at): Point => [day[at]!, value]); // one value per day
  const now = size.isNarrow ? "" : `, day ${end[0]}`;
  const marks = [
    line("thin stroke-context", [0, START], [last, START]),
    ...stopMarks(curve(stop), isFar ? span[0] : undefined, size.isNarrow),
    line(
      "line thin stroke-accent",
      [0, START],
      ...account.map((value, at): Point => [at + 1, value]),
    ),
    dot(end, "dot fill-accent", 5),
    label(`live ${balanceText(end[1])}${now}`, { tone: "accent", gap: 10 }, end),
  ];
  if (fan !== null)
    marks.unshift(area("band", ...band(fan.p5, fan.p95)), area("deep", ...band(fan.p25, fan.p75)));
  if (others.length > 0)
    marks.push(line("line thin dash stroke-context", [0, START], ...curve(others)));
  if (stopDay !== undefined) marks.push(dot([stopDay, account[stopDay - 1]!], "stop-ring", 7));
  const days = roundValues([1, last], size.isNarrow ? 2 : 5);
  const ticks = [{ at: 0, text: "start" }, ...days.map((at) => ({ at, text: `day ${at}` }))];
  const y = { span, isLog: true, count: 5, text: balanceText };
  const ends = endsOf(lines, size.isNarrow);
  return plot({ size, x: { span: [0, last], ticks }, y, ends }, marks);
}

const balanceText = (value: number) => decimal(value, 0);

/** The line at which the claim is contradicted, or words at the bottom where the line is far below everything else. */
function stopMarks(points: readonly Point[], bottom: number | undefined, isShort: boolean): Mark[] {
  if (points.length === 0) return [];
  const far = `▼ stop line: far below, at ${balanceText(points[0]![1])}`;
  const words = isShort ? "stop line" : "stop line: look as often as you like";
  const places = [0.02, 0.2, 0.4, 0.6].map((share): Point => {
    const [day, balance] = points[Math.floor(share * points.length)]!; // a share below 1
    return [day, bottom ?? balance];
  });
  const look = { tone: "luck", sides: ["se", "ne"], gap: 3 } as const;
  const named = label(bottom === undefined ? words : far, look, ...places);
  return bottom === undefined ? [line("line stroke-luck", ...points), named] : [named];
}

/** The name of each line, at its end. */
function endsOf({ fan, others }: LiveLines, isNarrow: boolean): readonly End[] {
  const named: readonly (readonly [Values | undefined, string])[] = [
    [fan?.p95, "1 in 20 above"],
    [fan?.p50, "as claimed"],
    [others, isNarrow ? "others’ line" : "line others draw"],
    [fan?.p5, "1 in 20 below"],
  ];
  return named.flatMap(([values, text]) => {
    const at = values?.at(-1);
    return at === undefined ? [] : [{ at, lines: [text] }];
  });
}

/** A bar of three years: how many days have passed, and by when half of the strategies without an edge are stopped. */
export function howLongChart(
  today: { readonly day: number; readonly median: number | null; readonly isStop: boolean },
  words: Words,
): Drawing {
  const { day, median, isStop } = today;
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
  const lived = isStop ? `known after ${day} days` : `lived: ${day} days`;
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
