import { decimal } from "../format.ts";
import type { ChartWords, Drawing, Size } from "./chart.tsx";
import { cells, label, line } from "./marks.tsx";
import { plot } from "./plot.tsx";

/** The yearly Sharpe ratios that luck gives the best of some runs. */
export interface LuckRange {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
}

/** A Sharpe ratio that is compared with luck. */
export interface PeerLevel {
  readonly name: string;
  readonly sharpe: number;
  readonly tone: "accent" | "context";
}

/** Bars from the median to the 95th percentile of luck, with a line across for each level. */
export function peersChart(
  ranges: readonly LuckRange[],
  levels: readonly PeerLevel[],
  words: ChartWords,
): Drawing {
  const description = [
    ...levels.map(({ name, sharpe }) => `${name}: ${decimal(sharpe, 2)}`),
    ...ranges.map(({ name, median, p95 }) => {
      return `${name}, by luck: ${decimal(median, 2)}, at most ${decimal(p95, 2)} in 95 of 100`;
    }),
  ].join("; ");
  const draw = (size: Size) => drawPeers(size, ranges, levels);
  return { ...words, description: `${description}.`, draw, width: 620, height: 320 };
}

const HALF_BAR = 0.09;

function drawPeers(size: Size, ranges: readonly LuckRange[], levels: readonly PeerLevel[]) {
  const values = ranges.flatMap(({ median, p95 }) => [median, p95]);
  const all = [0, ...values, ...levels.map(({ sharpe }) => sharpe)];
  const ticks = ranges.map(({ name }, at) => ({ at: at + 0.5, text: name }));
  const bars = ranges.map(({ median, p95 }, at) => ({
    x: [at + 0.5 - HALF_BAR, at + 0.5 + HALF_BAR] as const,
    y: [median, p95] as const,
    className: "fill-luck-soft",
  }));
  const x = { span: [0, ranges.length] as const, ticks };
  const y = { span: [Math.min(...all), Math.max(...all) * 1.05] as const, rule: 0 };
  return plot({ size, x, y }, [
    cells(bars),
    ...bars.map(({ x: [from, to], y: [median] }) =>
      line("line stroke-luck", [from, median], [to, median]),
    ),
    ...levels.flatMap(({ name, sharpe, tone }) => [
      line(`line stroke-${tone}`, [0, sharpe], [ranges.length, sharpe]),
      label(
        `${name}: ${decimal(sharpe, 2)}`,
        { tone, sides: ["ne", "se"], gap: 3 },
        ...[0.02, 0.62, 1.62].map((at) => [at, sharpe] as const),
      ),
    ]),
  ]);
}
