import { expectedMaximum } from "../../quant/overfitting/deflated-sharpe.ts";
import { normalQuantile } from "../../quant/overfitting/normal-quantile.ts";
import { count, decimal } from "../format.ts";
import type { Drawing, Size } from "./chart.tsx";
import { area, dot, label, line } from "./marks.tsx";
import type { LuckPoint } from "../luck-point.ts";
import { plot } from "./plot.tsx";

const TRIALS_SHOWN_MAX = 10_000;
/** With more tries only every third power of ten is named. */
const TICKED_MAX = 100_000;
const STEPS = 120;
const DAYS_A_YEAR = 365;

interface Luck {
  readonly trials: number;
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/** A backtest whose Sharpe ratio has a known error. */
export interface LuckCase {
  /** Annualised. */
  readonly sharpe: number;
  readonly trials: number;
  /** Standard deviation of the yearly Sharpe ratio of a strategy without an edge. */
  readonly error: number;
}

/**
 * The Sharpe ratio of the best of N tries without skill, with the reader's point on it. The line is the expected maximum
 * (Bailey and Lopez de Prado 2014), the band 5 to 95 % of the maximum of N independent normals, `z(p^(1/N))`; both are in
 * units of the sampling error of a Sharpe ratio of 0, `sqrt(365 / (T - 1))` a year. A refused point is not drawn.
 */
export function luckChart(point: LuckPoint, isRefused = false): Drawing {
  const length = `${decimal(point.years, point.years % 1 === 0 ? 0 : 1)} ${point.years === 1 ? "year" : "years"}`;
  return luckCaseChart(
    { ...point, error: errorOf(point.years) },
    {
      title: "The bar that luck sets rises with every try",
      length: `${length} of daily returns`,
      isRefused,
    },
  );
}

/** The same picture, for a backtest whose error was measured. */
export function luckCaseChart(
  point: LuckCase,
  {
    title,
    length,
    isRefused = false,
  }: { readonly title: string; readonly length: string; readonly isRefused?: boolean },
): Drawing {
  const bar = luckOf(point.trials, point.error).expected;
  return {
    title,
    subtitle: `Annual Sharpe ratio of the best of N tries without skill, ${length}; shaded: 5 to 95 %`,
    description: `With ${point.trials} tries luck alone shows about ${decimal(bar, 2)}${isRefused ? "" : `; this backtest shows ${decimal(point.sharpe, 2)}`}.`,
    isSynthetic: false,
    draw: (size) => drawLuck(size, point, isRefused),
    width: 620,
    height: 340,
  };
}

function errorOf(years: number): number {
  return Math.sqrt(DAYS_A_YEAR / (Math.round(years * DAYS_A_YEAR) - 1));
}

/** The yearly Sharpe ratio of the best of this many tries without skill. */
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

function drawLuck(size: Size, { sharpe, trials, error }: LuckCase, isRefused: boolean) {
  const most = Math.max(TRIALS_SHOWN_MAX, trials);
  const curve = Array.from({ length: STEPS + 1 }, (_, at) => luckOf(most ** (at / STEPS), error));
  const low = Math.min(0, sharpe);
  const high = Math.max(sharpe, curve.at(-1)!.high) * 1.06; // the curve has STEPS + 1 points
  const shown = (value: number) => Math.max(low, value);
  const step = most > TICKED_MAX ? 3 : 1;
  const powers = Array.from(
    { length: Math.floor(Math.log10(most) / step) + 1 },
    (_, at) => 10 ** (step * at),
  );
  const ticks = powers.map((at) => ({ at, text: at === 1 ? "1 try" : count(at) }));
  const bar = curve.map((luck) => [luck.trials, luck.expected] as const);
  const band = curve.map((luck) => [luck.trials, shown(luck.low), shown(luck.high)] as const);
  const own = [trials, sharpe] as const;
  return plot({ size, x: { span: [1, most], isLog: true, ticks }, y: { span: [low, high] } }, [
    area("fill-luck-soft", ...band),
    line("line stroke-luck", ...bar),
    ...(isRefused
      ? []
      : [
          line("rule", [trials, low], own),
          dot(own, "dot fill-accent", 7),
          label(
            `your backtest: ${decimal(sharpe, 2)}`,
            { tone: "accent", sides: ["nw", "ne", "n", "sw", "se", "e"] },
            own,
          ),
        ]),
    label("what luck shows", { tone: "luck", sides: ["s"] }, ...bar.slice(STEPS / 4).toReversed()),
  ]);
}
