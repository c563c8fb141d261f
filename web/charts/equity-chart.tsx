import { extent, max } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";
import { area, line } from "d3-shape";
import type { VNode } from "preact";
import { signedPercent, significant } from "../format.ts";
import { HorizontalGrid, round, type Drawing, type Plot, type Size } from "./chart.tsx";

/** One point of an account's curve. */
export interface EquityPoint {
  /** ISO date. */
  readonly date: string;
  /** What 1 became. */
  readonly growth: number;
  /** How far it is below its high, in percent: 0 or less. */
  readonly drawdown: number;
  /** What the same money became in the market; undefined where that isn't known. */
  readonly held?: number;
}

/** Growth of 1, on a logarithmic scale where it stays above 0, and under it how far it was below its high. */
export function equityChart(
  points: readonly EquityPoint[],
  words: Pick<Drawing, "title" | "subtitle" | "description" | "isSynthetic"> & {
    readonly heldName?: string | undefined;
  },
): Drawing {
  const { heldName } = words;
  const width = heldName === undefined ? 1040 : 572;
  return { ...words, draw: (size) => drawEquity(size, points, heldName), width, height: 400 };
}

const DRAWDOWN_SHARE = 0.3;
const GAP = 26;
/** Of a name in two lines. */
const END_HEIGHT = 34;

function drawEquity(
  size: Size,
  points: readonly EquityPoint[],
  heldName: string | undefined,
): VNode {
  const names = heldName === undefined ? 12 : size.isNarrow ? 78 : 108;
  const [left, right, bottom] = [52, size.width - names, size.height - 30];
  const split = bottom - DRAWDOWN_SHARE * (bottom - 16);
  const upper: Plot = { left, right, top: 16, bottom: split - GAP };
  const lower: Plot = { left, right, top: split, bottom };
  const growths = points.flatMap(({ growth, held = growth }) => [growth, held]);
  const [low = 1, high = 1] = extent([...growths, 1]);
  const isLog = low > 0;
  const scale = isLog ? scaleLog : scaleLinear;
  const y = scale(low < high ? [low, high] : [low / 2, high * 2], [upper.bottom, upper.top]);
  const deepest = Math.min(-1, ...points.map(({ drawdown }) => drawdown));
  const yBelow = scaleLinear([deepest, 0], [lower.bottom, lower.top]);
  const x = scaleLinear([0, Math.max(1, points.length - 1)], [left, right]);
  const growth = line<EquityPoint>()
    .x((_, place) => round(x(place)))
    .y((point) => round(y(point.growth)));
  const held = line<EquityPoint>()
    .defined((point) => point.held !== undefined)
    .x((_, place) => round(x(place)))
    .y((point) => round(y(point.held!))); // defined
  const below = area<EquityPoint>()
    .x((_, place) => round(x(place)))
    .y0(round(yBelow(0)))
    .y1(({ drawdown }) => round(yBelow(drawdown)));
  return (
    <g>
      <HorizontalGrid plot={upper} ticks={ticksOf(y, isLog)} y={y} label={moneyText} rule={1} />
      <HorizontalGrid plot={lower} ticks={yBelow.ticks(2)} y={yBelow} label={percentText} />
      <Dates points={points} x={x} y={size.height - 8} isNarrow={size.isNarrow} />
      {heldName !== undefined && (
        <path d={held(points as EquityPoint[]) ?? ""} class="line thin stroke-context" />
      )}
      <path d={growth(points as EquityPoint[]) ?? ""} class="line thin stroke-accent" />
      {heldName !== undefined && (
        <EndNames points={points} x={right} y={y} heldName={heldName} isNarrow={size.isNarrow} />
      )}
      <path d={below(points as EquityPoint[]) ?? ""} class="area fill-luck" />
      <text x={left + 4} y={round(lower.top - 7)}>
        below its high
      </text>
    </g>
  );
}

/** What each line came to, at its end; moved apart where they meet. */
function EndNames({
  points,
  x,
  y,
  heldName,
  isNarrow,
}: {
  readonly points: readonly EquityPoint[];
  readonly x: number;
  readonly y: (value: number) => number;
  readonly heldName: string;
  readonly isNarrow: boolean;
}): VNode {
  const own = points.at(-1)!.growth; // a curve has points
  const held = points.findLast((point) => point.held !== undefined)?.held ?? own;
  const names = [
    { at: y(own), text: "yours", value: own, colour: "accent" },
    {
      at: y(held),
      text: isNarrow ? heldName : `holding ${heldName}`,
      value: held,
      colour: "context",
    },
  ].toSorted((a, b) => a.at - b.at);
  const gap = Math.max(0, END_HEIGHT - (names[1]!.at - names[0]!.at)) / 2; // there are two
  return (
    <g>
      {names.map(({ at, text, value, colour }, place) => (
        <text
          key={text}
          x={x + 7}
          y={round(at + (place === 0 ? -gap : gap))}
          class={`label fill-${colour}`}
        >
          <tspan x={x + 7}>{text}</tspan>
          <tspan x={x + 7} dy={15}>
            {moneyText(value)}
          </tspan>
        </text>
      ))}
    </g>
  );
}

/** Of what 1,000 became. */
const moneyText = (growth: number) => significant(Number((1000 * growth).toPrecision(3)));

const percentText = (value: number) => signedPercent(value, 0);

/** At most five round values; between the powers of ten, a logarithmic scale has too many of its own. */
function ticksOf(y: { ticks(count: number): number[]; domain(): number[] }, isLog: boolean) {
  if (!isLog) return y.ticks(4);
  const [low = 1, high = 1] = y.domain();
  const linear = scaleLinear([low, high], [0, 1]).ticks(4);
  const ticks = high / low > 8 ? y.ticks(4).filter(isRound) : linear;
  const step = Math.ceil(ticks.length / 5);
  return ticks.filter((tick, place) => tick > 0 && place % step === 0);
}

/** 1, 2 and 5 times a power of ten. */
function isRound(value: number): boolean {
  return [1, 2, 5].includes(Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9)));
}

/** Where years begin, or for a short record its first and last day. */
function Dates({
  points,
  x,
  y,
  isNarrow,
}: {
  readonly points: readonly EquityPoint[];
  readonly x: (place: number) => number;
  readonly y: number;
  readonly isNarrow: boolean;
}): VNode {
  const years = points
    .map(({ date }, place) => ({ text: date.slice(0, 4), place }))
    .filter(({ text, place }) => place > 0 && text !== points[place - 1]!.date.slice(0, 4));
  const most = isNarrow ? 4 : 10;
  const step = Math.ceil(years.length / most);
  const last = points.length - 1;
  const shown =
    years.length > 1
      ? years.filter((_, at) => at % step === 0)
      : [0, last].map((place) => ({ text: points[place]!.date, place })); // a curve has two points
  return (
    <g>
      {shown.map(({ text, place }) => (
        <text
          key={place}
          x={round(x(place))}
          y={y}
          text-anchor={place === 0 ? "start" : place === last ? "end" : "middle"}
        >
          {text}
        </text>
      ))}
    </g>
  );
}

/** The deepest drawdown of the points, as a number above 0. */
export function deepestOf(points: readonly EquityPoint[]): number {
  return max(points, ({ drawdown }) => -drawdown) ?? 0;
}
