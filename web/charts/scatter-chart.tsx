import { nice } from "d3-array";
import { decimal } from "../format.ts";
import type { ChartWords, Drawing, Size } from "./chart.tsx";
import { dots, label, line } from "./marks.tsx";
import { plot } from "./plot.tsx";

export interface ScatterPoint {
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly href: string;
}

export interface ScatterWords extends ChartWords {
  readonly xName: string;
  readonly yName: string;
}

/** More points than this are drawn smaller and paler. */
const CLEAR_MAX = 60;
/** Height of the texts of the axis and its name. */
const FOOT = 46;

/** A point for each thing that has two figures, with the line on which both are equal. */
export function scatterChart(points: readonly ScatterPoint[], words: ScatterWords): Drawing {
  const { xName, yName } = words;
  const below = points.filter(({ x, y }) => y < x).length;
  return {
    ...words,
    description: `${points.length} points; ${below} lie below the line on which ${yName} equals ${xName}.`,
    hasLinks: true,
    values: points.map(
      ({ name, x, y }) => `${name}|${decimal(x, 2)} ${xName}, ${decimal(y, 2)} ${yName}`,
    ),
    draw: (size) => drawPoints(size, points, words),
    width: 1040,
    height: 440,
    narrowHeight: 340,
  };
}

function drawPoints(size: Size, points: readonly ScatterPoint[], { xName, yName }: ScatterWords) {
  const [x, y] = [spanOf(points.map((point) => point.x)), spanOf(points.map((point) => point.y))];
  const [low, high] = [Math.max(x[0], y[0]), Math.min(x[1], y[1])];
  const isClear = points.length <= CLEAR_MAX;
  const text = (value: number) => decimal(value, 1);
  const equal = [0.97, 0.9, 0.8, 0.7, 0.6].map((share) => {
    const at = low + share * (high - low);
    return [at, at] as const;
  });
  const shown = points.map((point) => {
    const className = point.y < point.x ? "fill-luck" : "fill-skill";
    return { at: [point.x, point.y] as const, className, href: point.href };
  });
  const box = { top: 20, bottom: size.height - FOOT };
  return plot({ size, x: { span: x, text }, y: { span: y, text, rule: 0, count: 5 }, box }, [
    line("rule", [low, low], [high, high]),
    dots(shown, isClear ? 5 : 3.5, isClear ? "follow" : "follow pale"),
    label(`${xName} →`, { sides: ["sw"], gap: FOOT - 20 }, [x[1], y[0]]),
    label(`↑ ${yName}`, { sides: ["ne"], gap: 3 }, [x[0], y[1]]),
    label("as good as before", { sides: ["se", "nw"] }, ...equal),
  ]);
}

function spanOf(values: readonly number[]): readonly [number, number] {
  return nice(Math.min(0, ...values), Math.max(0.1, ...values), 5);
}
