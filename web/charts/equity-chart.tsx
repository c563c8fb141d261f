import { signedPercent, significant } from "../format.ts";
import type { ChartWords, Drawing, Size } from "./chart.tsx";
import { textWidth } from "./labels.ts";
import { area, column, label, line } from "./marks.tsx";
import { plot, type End } from "./plot.tsx";
import { dateTicks, spanOf } from "./scale.ts";

/** One point of an account's curve. */
export interface EquityPoint {
  /** ISO date. */
  readonly date: string;
  /** What 1 became. */
  readonly growth: number;
  /** How far it is below its high, in percent: 0 or less. */
  readonly drawdown: number;
  /** What 1 became in the market; undefined where that isn't known. */
  readonly held?: number;
  /** What 1 became with each position later; undefined where that isn't shown. */
  readonly later?: number | undefined;
}

interface EquityWords extends ChartWords, Pick<Drawing, "description"> {
  readonly heldName?: string | undefined;
  readonly laterName?: string | undefined;
}

/** Growth of 1 above, on a logarithmic scale while it stays above 0, and the fall from its high below. */
export function equityChart(
  points: readonly EquityPoint[],
  { heldName, laterName, ...words }: EquityWords,
): Drawing {
  const width = heldName === undefined ? 1040 : 572;
  return {
    ...words,
    draw: (size) => drawEquity(size, points, { heldName, laterName }),
    width,
    height: 400,
  };
}

const DRAWDOWN_SHARE = 0.3;
const GAP = 26;
const LEFT_MIN = 56;
/** Beside the texts of an axis. */
const AXIS_ASIDE = 10;
/** Between a chart's text and its plot. */
const ASIDE = 12;

function drawEquity(
  size: Size,
  points: readonly EquityPoint[],
  { heldName, laterName }: Pick<EquityWords, "heldName" | "laterName">,
) {
  const growth = points.map((point) => point.growth);
  const held = points.map((point) => point.held ?? NaN);
  const later = points.map((point) => point.later ?? NaN);
  const known = [...held, ...later].filter(Number.isFinite);
  const isLog = Math.min(...growth, ...known) > 0;
  const [own, market] = [growth.at(-1)!, held.findLast(Number.isFinite) ?? growth.at(-1)!]; // a curve has points
  const late = later.findLast(Number.isFinite);
  const name = size.isNarrow ? heldName : `holding ${heldName}`;
  const ends: End[] = [
    { at: own, lines: ["yours", moneyText(own)], tone: "accent" },
    { at: market, lines: [name ?? "", moneyText(market)], tone: "context" },
    ...(late === undefined
      ? []
      : [{ at: late, lines: [laterName!, moneyText(late)], tone: "luck" as const }]),
  ];
  const isAlone = heldName === undefined;
  const split = size.height - 30 - DRAWDOWN_SHARE * (size.height - 46);
  const all = [1, ...growth, ...known];
  const most = Math.max(...all);
  // The axis may end above the highest value, at the next round one, and 100,000 is wider than millions.
  const end = 10 ** Math.ceil(Math.log10(most));
  const amounts = [most, end, Math.min(end, 100)].map(moneyText);
  const left = Math.max(LEFT_MIN, ...amounts.map((text) => textWidth(text) + AXIS_ASIDE));
  const beside = Math.max(
    ...ends.flatMap(({ lines }) => lines.map((text) => textWidth(text, true))),
  );
  const right = size.width - (isAlone ? ASIDE : beside + ASIDE);
  const dates = points.map(({ date }) => date);
  const span = [0, Math.max(1, points.length - 1)] as const;
  const upper = {
    x: { span, ticks: [] },
    y: { span: spanOf(all, isLog), isLog, text: moneyText, rule: 1 },
    ends: isAlone ? [] : ends,
    box: { left, right, bottom: split - GAP },
  };
  const fell = points.map(({ drawdown }, at) => [at, drawdown, 0] as const);
  const lower = {
    x: { span, ticks: dateTicks(dates, right - left) },
    y: {
      span: [Math.min(-1, ...fell.map(([, depth]) => depth)), 0] as const,
      count: 2,
      text: percentText,
    },
    box: { left, right, top: split },
  };
  return (
    <g>
      {plot({ size, ...upper }, [
        line("line thin stroke-context", ...column(held)),
        line("line thin stroke-luck", ...column(later)),
        line("line thin stroke-accent", ...column(growth)),
      ])}
      {plot({ size, ...lower }, [
        area("area fill-luck", ...fell),
        label("below its high", { sides: ["ne"], gap: 2 }, [0, 0]),
      ])}
    </g>
  );
}

const percentText = (value: number) => signedPercent(value, 0);

/** The growth of 1,000, short enough for the margin. */
function moneyText(growth: number): string {
  const money = Number((1000 * growth).toPrecision(3));
  if (money < 1e6) return significant(money);
  const [unit, name] = money < 1e9 ? [1e6, "m"] : money < 1e12 ? [1e9, "bn"] : [1e12, "tn"];
  return `${significant(money / unit)}\u202f${name}`;
}
