import { scaleLinear, scaleLog } from "d3-scale";
import { area, line } from "d3-shape";
import type { VNode } from "preact";
import { expectedMaximum } from "../../quant/overfitting/deflated-sharpe.ts";
import { normalQuantile } from "../../quant/overfitting/normal-quantile.ts";
import { decimal } from "../format.ts";
import { HorizontalGrid, round, type Drawing, type Plot, type Size } from "./chart.tsx";

export interface LuckPoint {
  /** Annualised. */
  readonly sharpe: number;
  readonly years: number;
  readonly trials: number;
}

const TRIALS_SHOWN_MAX = 10_000;
const STEPS = 120;
const DAYS_A_YEAR = 365;

interface Luck {
  readonly trials: number;
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/** A backtest against luck, where the error of its Sharpe ratio is known. */
export interface LuckCase {
  /** Annualised. */
  readonly sharpe: number;
  readonly trials: number;
  /** Spread of the yearly Sharpe ratio of a strategy without an edge. */
  readonly error: number;
}

/**
 * The Sharpe ratio of the best of N tries without skill, with the reader's point on it. The line is the expected maximum
 * (Bailey and Lopez de Prado 2014), the band 5 to 95 % of the maximum of N independent normals, `z(p^(1/N))`; both are in
 * units of the sampling error of a Sharpe ratio of 0, `sqrt(365 / (T - 1))` a year.
 */
export function luckChart(point: LuckPoint): Drawing {
  const length = `${decimal(point.years, point.years % 1 === 0 ? 0 : 1)} ${point.years === 1 ? "year" : "years"}`;
  return luckCaseChart(
    { ...point, error: errorOf(point.years) },
    { title: "The bar that luck sets rises with every try", length: `${length} of daily returns` },
  );
}

/** The same picture of a backtest whose error was measured. */
export function luckCaseChart(
  point: LuckCase,
  { title, length }: { readonly title: string; readonly length: string },
): Drawing {
  const bar = luckOf(point.trials, point.error).expected;
  return {
    title,
    subtitle: `Annual Sharpe ratio of the best of N tries without skill, ${length}; shaded: 5 to 95 %`,
    description: `With ${point.trials} tries luck alone shows about ${decimal(bar, 2)}; this backtest shows ${decimal(point.sharpe, 2)}.`,
    isSynthetic: false,
    draw: (size) => drawLuck(size, point),
    width: 620,
    height: 340,
  };
}

function errorOf(years: number): number {
  return Math.sqrt(DAYS_A_YEAR / (Math.round(years * DAYS_A_YEAR) - 1));
}

/** What the best of this many tries without skill shows, a year. */
export function luckAt(trials: number, years: number): Luck {
  return luckOf(trials, errorOf(years));
}

export function luckOf(trials: number, error: number): Luck {
  const quantile = (p: number) => error * normalQuantile(p ** (1 / trials));
  return {
    trials,
    expected: error * expectedMaximum(trials),
    low: quantile(0.05),
    high: quantile(0.95),
  };
}

function drawLuck(size: Size, point: LuckCase): VNode {
  const plot: Plot = { left: 34, right: size.width - 14, top: 16, bottom: size.height - 34 };
  const most = Math.max(TRIALS_SHOWN_MAX, point.trials);
  const curve = Array.from({ length: STEPS + 1 }, (_, step) =>
    luckOf(most ** (step / STEPS), point.error),
  );
  const top = Math.max(point.sharpe, curve.at(-1)!.high) * 1.06; // the curve has STEPS + 1 points
  const x = scaleLog([1, most], [plot.left, plot.right]);
  const y = scaleLinear([Math.min(0, point.sharpe), top], [plot.bottom, plot.top]).clamp(true);
  const band = area<Luck>()
    .x(({ trials }) => round(x(trials)))
    .y0(({ low }) => round(y(low)))
    .y1(({ high }) => round(y(high)));
  const bar = line<Luck>()
    .x(({ trials }) => round(x(trials)))
    .y(({ expected }) => round(y(expected)));
  const named = luckOf(most ** 0.82, point.error);
  const [pointX, pointY] = [round(x(point.trials)), round(y(point.sharpe))];
  const isRight = pointX > plot.left + 0.3 * (plot.right - plot.left);
  return (
    <g>
      <HorizontalGrid plot={plot} ticks={y.ticks(4)} y={y} label={String} />
      <Tries plot={plot} x={x} most={most} isNarrow={size.isNarrow} />
      <path d={band(curve) ?? ""} class="fill-luck-soft" />
      <path d={bar(curve) ?? ""} class="line stroke-luck" />
      <text
        x={round(x(named.trials))}
        y={round(y(named.expected) + 30)}
        text-anchor="middle"
        class="label fill-luck"
      >
        what luck shows
      </text>
      <line x1={pointX} x2={pointX} y1={pointY} y2={plot.bottom} class="rule" />
      <circle cx={pointX} cy={pointY} r={7} class="dot fill-accent" />
      <text
        x={isRight ? pointX - 12 : pointX + 12}
        y={Math.max(plot.top + 10, pointY - 12)}
        text-anchor={isRight ? "end" : "start"}
        class="label fill-accent"
      >
        {`your backtest: ${decimal(point.sharpe, 2)}`}
      </text>
    </g>
  );
}

function Tries({
  plot,
  x,
  most,
  isNarrow,
}: {
  readonly plot: Plot;
  readonly x: (trials: number) => number;
  readonly most: number;
  readonly isNarrow: boolean;
}): VNode {
  const powers = Array.from(
    { length: Math.floor(Math.log10(most)) + 1 },
    (_, power) => 10 ** power,
  );
  const shown = isNarrow || powers.length > 6 ? powers.filter((_, at) => at % 2 === 0) : powers;
  return (
    <g>
      {shown.map((trials) => (
        <text
          key={trials}
          x={round(x(trials))}
          y={plot.bottom + 20}
          text-anchor={trials === 1 ? "start" : trials === most ? "end" : "middle"}
        >
          {trials === 1 ? "1 try" : decimal(trials, 0)}
        </text>
      ))}
    </g>
  );
}
