import type { VNode } from "preact";
import { column, dots, line, type Tone } from "./marks.tsx";
import { scaleOf, spanOf } from "./scale.ts";

const WIDTH = 96;

/** The shape of a series, without axes, for a row that has its figures. */
export function SparkLine({
  values,
  height = 26,
  tone = (values[values.length - 1] ?? 0) < (values[0] ?? 0) ? "luck" : "skill",
  className,
}: {
  readonly values: ArrayLike<number>;
  readonly height?: number;
  readonly tone?: Tone;
  readonly className: "spark" | "shape";
}): VNode {
  const frame = {
    plot: { left: 2, right: WIDTH - 6, top: 4, bottom: height - 4 },
    x: scaleOf([0, Math.max(1, values.length - 1)], [2, WIDTH - 6]),
    y: scaleOf(spanOf(Array.from(values)), [height - 4, 4]),
  };
  const points = column(values);
  const last = points.slice(-1).map((at) => ({ at, className: `fill-${tone}` }));
  return (
    <svg
      class={`chart ${className}`}
      width={WIDTH}
      height={height}
      viewBox={`0 0 ${WIDTH} ${height}`}
      aria-hidden="true"
    >
      {[line(`line thin stroke-${tone}`, ...points), dots(last, 2)].map(
        (mark) => mark(frame).shape,
      )}
    </svg>
  );
}
