import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { Drawing } from "../../../web/charts/chart.tsx";
import { equityChart } from "../../../web/charts/equity-chart.tsx";
import { luckCaseChart, luckOf } from "../../../web/charts/luck-chart.tsx";
import { rowChart } from "../../../web/charts/row-chart.tsx";
import { splitChart } from "../../../web/charts/split-chart.tsx";
import { equityPoints } from "../../../web/report/equity-section.tsx";

const SIZE = { width: 516, height: 264, isNarrow: false };
const WORDS = { title: "t", subtitle: "s", isSynthetic: false };
const drawn = ({ draw }: Drawing) => renderToString(draw(SIZE) as VNode<ComponentChildren>);

test("an account's curve compounds, and falls from its high", () => {
  const instants = Float64Array.of(0, 86_400, 172_800);
  const returns = Float64Array.of(0.5, -0.5, 1);
  const points = equityPoints({ instants, returns, periodsPerYear: 365 });
  expect(points).toEqual([
    { date: "1970-01-01", growth: 1.5, drawdown: 0 },
    { date: "1970-01-02", growth: 0.75, drawdown: -50 },
    { date: "1970-01-03", growth: 1.5, drawdown: 0 },
  ]);
  const svg = drawn(equityChart(points, { ...WORDS, description: "d" }));
  // Growth ends where it began; the drawdown reaches the bottom in the middle.
  expect(svg).toMatch(/<path d="M56,16L280,[\d.]+L504,16" class="line thin/);
  expect(svg).toMatch(/L280,234L56,[\d.]+Z" class="area/);
});

test("an account that is lost has a linear scale", () => {
  const points = [1, 0.5, 0].map((growth) => ({
    date: "2024-01-01",
    growth,
    drawdown: growth - 1,
  }));
  expect(drawn(equityChart(points, { ...WORDS, description: "d" }))).not.toMatch(/NaN|Infinity/);
});

test("counts below the middle are luck, above it skill", () => {
  const svg = drawn(
    splitChart({ edges: [-3, -1, 1, 3], counts: [3, 1, 6] }, { ...WORDS, below: 0.35 }),
  );
  const bars = [...svg.matchAll(/<rect [^>]*class="(fill-\w+)"/g)].map(([, tone]) => tone);
  expect(bars).toEqual(["fill-luck", "fill-context", "fill-skill"]);
  expect(svg).toContain("35\u202f% below the middle");
  expect(svg, "the highest as high as the plot").toMatch(
    /y="34" width="[\d.]+" height="200" class="fill-skill"/,
  );
});

test("an interval is painted last, with both ends to be seen", () => {
  const rows = [
    { name: "a", before: 0.3, after: 0.02, range: [-0.1, 0.2] as const, isGood: false },
  ];
  const words = { ...WORDS, before: "before", after: "after", digits: 2 };
  const svg = drawn(rowChart(rows, words));
  const [link, ring, interval] = [`class="grid link"`, `class="ring"`, `class="line interval"`].map(
    (mark) => svg.indexOf(mark),
  );
  expect([link! > 0, ring! > link!, interval! > ring!]).toEqual([true, true, true]);
  const [, from, end] = /d="M([\d.]+) [\d.]+v10M[\d.]+ [\d.]+H([\d.]+)M/.exec(svg)!.map(Number);
  const at = (cx: string) => Number(cx);
  const [, before] = /<circle cx="([\d.]+)"[^>]*class="ring"/.exec(svg)!;
  const [, after] = /<circle cx="([\d.]+)"[^>]*class="fill-luck"/.exec(svg)!;
  const scale = (at(before!) - at(after!)) / 0.28; // a difference of 0.28
  expect(from).toBeCloseTo(at(after!) - 0.12 * scale, 0);
  expect(end).toBeCloseTo(at(after!) + 0.18 * scale, 0);
});

test("luck's bar scales with the record's own error, and a loss lies below 0", () => {
  expect(luckOf(40, 2).expected).toBeCloseTo(2 * luckOf(40, 1).expected, 12);
  const chart = luckCaseChart({ sharpe: -1, trials: 10, error: 0.5 }, { title: "t", length: "l" });
  const svg = drawn(chart);
  expect(svg).toContain('cy="234" r="7"'); // the bottom of the plot
  expect(svg).toContain("your backtest: −1.00");
});

test("peers lie where their figures say, from the median of luck to its 95 %", () => {
  const rows = [
    { name: "this backtest", before: null, after: 1.5, tone: "accent" },
    { name: "luck, 1 run", before: null, after: 1, range: [1, 2], tone: "luck" },
  ] as const;
  const svg = drawn(rowChart(rows, { ...WORDS, before: undefined, after: "Sharpe", digits: 2 }));
  const dotOf = (tone: string) =>
    Number(new RegExp(`<circle cx="([\\d.]+)"[^>]*class="fill-${tone}"`).exec(svg)![1]);
  const [, from, end] = /d="M([\d.]+) [\d.]+v10M[\d.]+ [\d.]+H([\d.]+)M/.exec(svg)!.map(Number);
  expect(dotOf("luck")).toBeCloseTo(from!, 0);
  expect(dotOf("accent")).toBeCloseTo((from! + end!) / 2, 0);
});
