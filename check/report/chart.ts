import { escaped, shown } from "./markup.ts";

/** One line of a chart; points without a value are left out. */
export interface ChartLine {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Class of the line, which the page's style colours. */
  readonly style: string;
  readonly area?: boolean;
}

interface ChartOptions {
  readonly title: string;
  readonly lines: readonly ChartLine[];
  /** Labels under the x axis, at their places. */
  readonly ticks: readonly (readonly [x: number, label: string])[];
  /** Values that have to be in sight, such as 0. */
  readonly include?: readonly number[];
  readonly logarithmic?: boolean;
}

const [WIDTH, HEIGHT] = [720, 280];
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 12, 12, 40];
const STEPS = 4;

/** A line chart as SVG. It has a viewBox and no size, so it fills the page's width. */
export function lineChart({
  title,
  lines,
  ticks,
  include = [],
  logarithmic,
}: ChartOptions): string {
  const transform = logarithmic === true ? Math.log : (value: number) => value;
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  const ys = [...lines.flatMap(({ points }) => points.map(([, y]) => y)), ...include];
  const [xLow, xHigh] = extent(xs);
  const [yLow, yHigh] = extent(ys.map(transform));
  const xOf = (x: number) => LEFT + ((x - xLow) / (xHigh - xLow)) * (WIDTH - LEFT - RIGHT);
  const yOf = (y: number) =>
    HEIGHT - BOTTOM - ((transform(y) - yLow) / (yHigh - yLow)) * (HEIGHT - TOP - BOTTOM);
  const levels = Array.from({ length: STEPS + 1 }, (_, step) => {
    const value = yLow + ((yHigh - yLow) * step) / STEPS;
    return logarithmic === true ? Math.exp(value) : value;
  });
  const grid = levels.map(
    (level) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${place(yOf(level))}" y2="${place(yOf(level))}"/>` +
      `<text x="${LEFT - 6}" y="${place(yOf(level) + 4)}" text-anchor="end">${tickText(level)}</text>`,
  );
  const labels = ticks.map(([x, label]) => {
    return `<text x="${place(xOf(x))}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(label)}</text>`;
  });
  const drawn = lines.map(({ points, style, area }) => {
    const path = points.map(([x, y]) => `${place(xOf(x))},${place(yOf(y))}`).join(" ");
    if (area !== true || points.length === 0)
      return `<polyline class="${style}" points="${path}"/>`;
    const [first, last] = [points[0]!, points.at(-1)!];
    const base = place(yOf(0));
    return `<polygon class="${style}" points="${place(xOf(first[0]))},${base} ${path} ${place(xOf(last[0]))},${base}"/>`;
  });
  return svg(title, [...grid, ...labels, ...drawn]);
}

/** A bar for each bin, with the bins' edges under some of them. */
export function histogramChart(
  title: string,
  { edges, counts }: { readonly edges: readonly number[]; readonly counts: readonly number[] },
): string {
  const most = Math.max(...counts, 1);
  const width = (WIDTH - LEFT - RIGHT) / counts.length;
  const room = HEIGHT - TOP - BOTTOM;
  const bars = counts.map((count, bin) => {
    const height = (count / most) * room;
    const style = (edges[bin]! + edges[bin + 1]!) / 2 <= 0 ? "bad" : "good"; // one more edge than bins
    const x = place(LEFT + bin * width + 0.5);
    return `<rect class="${style}" x="${x}" y="${place(HEIGHT - BOTTOM - height)}" width="${place(width - 1)}" height="${place(height)}"/>`;
  });
  const labels = [0, counts.length / 2, counts.length].map((bin) => {
    const value = edges[0]! + ((edges.at(-1)! - edges[0]!) * bin) / counts.length;
    const x = place(LEFT + bin * width);
    return `<text x="${x}" y="${HEIGHT - 8}" text-anchor="middle">${tickText(value)}</text>`;
  });
  return svg(title, [...bars, ...labels]);
}

function svg(title: string, parts: readonly string[]): string {
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">${parts.join("")}</svg>`;
}

function extent(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low < high ? [low, high] : [low - 1, low + 1];
}

function place(value: number): string {
  return value.toFixed(1);
}

function tickText(value: number): string {
  return shown(Math.abs(value) < 1e-12 ? 0 : Number(value.toPrecision(2)));
}
