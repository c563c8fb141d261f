import { extent } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";
import { line } from "d3-shape";
import type { VNode } from "preact";
import { HorizontalGrid, round, type Drawing, type Size } from "./chart.tsx";

/** A curve over days, with its name at its end. */
export interface Curve {
  readonly name: string;
  readonly values: readonly number[];
  readonly colour: "accent" | "luck" | "skill" | "context";
}

interface LinesWords extends Pick<Drawing, "title" | "subtitle" | "description" | "isSynthetic"> {
  /** ISO dates, one a value. */
  readonly dates: readonly string[];
  readonly label: (value: number) => string;
  readonly isLogarithmic: boolean;
  /** The value whose line is drawn as a reference. */
  readonly rule?: number;
}

const NAMES_WIDTH = 108;
/** Of a character of a label. */
const LETTER_WIDTH = 7.5;
const NAME_HEIGHT = 15;

/** Several curves over the same days. */
export function linesChart(curves: readonly Curve[], words: LinesWords): Drawing {
  return { ...words, draw: (size) => drawLines(size, curves, words), width: 1040, height: 360 };
}

function drawLines(size: Size, curves: readonly Curve[], words: LinesWords): VNode {
  const { dates, label, isLogarithmic, rule } = words;
  const plot = {
    left: 0,
    right: size.width - NAMES_WIDTH,
    top: 16,
    bottom: size.height - 30,
  };
  const all = curves.flatMap(({ values }) => values).filter((value) => !isLogarithmic || value > 0);
  const [low = 1, high = 2] = extent(all);
  const scale = isLogarithmic ? scaleLog : scaleLinear;
  const y = scale(low < high ? [low, high] : [low / 2, high * 2], [plot.bottom, plot.top]);
  const step = isLogarithmic && high / low < 8 ? scaleLinear([low, high], [0, 1]) : y;
  const ticks = step.ticks(4).filter((tick) => tick >= low && tick <= high);
  plot.left = 12 + LETTER_WIDTH * Math.max(...ticks.map((tick) => label(tick).length));
  const x = scaleLinear([0, Math.max(1, dates.length - 1)], [plot.left, plot.right]);
  const path = line<number>()
    .defined((value) => !isLogarithmic || value > 0)
    .x((_, place) => round(x(place)))
    .y((value) => round(y(value)));
  const spread = Math.ceil(ticks.length / 5);
  return (
    <g>
      <HorizontalGrid
        plot={plot}
        ticks={ticks.filter((_, at) => at % spread === 0)}
        y={y}
        label={label}
        {...(rule === undefined ? {} : { rule })}
      />
      {[0, 0.5, 1].map((share) => {
        const place = Math.round(share * (dates.length - 1));
        const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle";
        return (
          <text key={share} x={round(x(place))} y={size.height - 8} text-anchor={anchor}>
            {size.isNarrow ? dates[place]?.slice(0, 7) : dates[place]}
          </text>
        );
      })}
      {curves.map(({ name, values, colour }) => (
        <path key={name} d={path(values as number[]) ?? ""} class={`line thin stroke-${colour}`} />
      ))}
      {namePlaces(curves, y).map(({ name, colour, at }) => (
        <text key={name} x={plot.right + 6} y={round(at + 4)} class={`fill-${colour}`}>
          {name}
        </text>
      ))}
    </g>
  );
}

/** Names beside the ends of their curves, pushed apart where those are close. */
function namePlaces(curves: readonly Curve[], y: (value: number) => number) {
  const places = curves
    .map(({ name, colour, values }) => ({ name, colour, at: y(values.at(-1) ?? 1) }))
    .sort((a, b) => a.at - b.at);
  return places.map((place, index) => {
    const before = places[index - 1];
    if (before !== undefined) place.at = Math.max(place.at, before.at + NAME_HEIGHT);
    return place;
  });
}
