import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import type { VNode } from "preact";
import { round } from "./chart.tsx";

const WIDTH = 96;
const HEIGHT = 26;

/** The shape of a series in a row of a table, without axes. The row has its figures. */
export function SparkLine({ values }: { readonly values: ArrayLike<number> }): VNode {
  const all = Array.from(values);
  const [low = 0, high = 1] = extent(all);
  const x = scaleLinear([0, Math.max(1, all.length - 1)], [2, WIDTH - 2]);
  const y = scaleLinear([low, high], [HEIGHT - 3, 3]);
  const path = line<number>()
    .x((_, at) => round(x(at)))
    .y((value) => round(y(value)));
  const tone = (all.at(-1) ?? 0) < (all[0] ?? 0) ? "luck" : "skill";
  return (
    <svg
      class="chart spark"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <path d={path(all) ?? ""} class={`line thin stroke-${tone}`} />
    </svg>
  );
}
