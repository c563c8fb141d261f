import { share } from "../format.ts";
import type { ChartWords, Drawing } from "./chart.tsx";
import { cells, label, line } from "./marks.tsx";
import { plot } from "./plot.tsx";

export interface Bins {
  /** One more than there are counts. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

interface SplitWords extends ChartWords {
  /** The share below 0, from 0 to 1, where a count at exactly 0 is half below. */
  readonly below: number | null;
}

/** A histogram around 0: how the winners of one half ranked in the other half. */
export function splitChart({ edges, counts }: Bins, { below, ...words }: SplitWords): Drawing {
  const span = [edges[0] ?? -1, edges.at(-1) ?? 1] as const;
  const ticks = span.map((at, end) => ({ at, text: end === 0 ? "worst of all" : "best of all" }));
  const top = Math.max(1, ...counts);
  const bars = counts.map((count, bin) => {
    const [from, to] = [edges[bin]!, edges[bin + 1]!]; // one more edge than counts
    const tone = to <= 1e-9 ? "luck" : from >= -1e-9 ? "skill" : "context";
    return { x: [from, to] as const, y: [0, count] as const, className: `fill-${tone}` };
  });
  const above = `${share(below === null ? null : 1 - below)} above`;
  const middle = [0, 1.08 * top] as const;
  return {
    ...words,
    description: `${share(below)} of the counts lie below the middle.`,
    draw: (size) =>
      plot({ size, x: { span, ticks }, y: { span: [0, top], ticks: [] }, box: { top: 34 } }, [
        cells(bars),
        line("rule", [0, 0], [0, 1.12 * top]),
        label(`${share(below)} below the middle`, { tone: "luck", sides: ["w"] }, middle),
        label(above, { tone: "skill", sides: ["e"] }, middle),
      ]),
    width: 500,
    height: 270,
  };
}
