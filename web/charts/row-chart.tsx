import { nice } from "d3-array";
import { decimal } from "../format.ts";
import type { ChartWords, Drawing, Size } from "./chart.tsx";
import { dot, dots, interval, line, type Mark, type Tone } from "./marks.tsx";
import { namesAxis, plot } from "./plot.tsx";
import { roundValues } from "./scale.ts";

/** A row with a figure before and a figure after. */
export interface ChartRow {
  readonly name: string;
  readonly href?: string;
  readonly before: number | null;
  readonly after: number | null;
  /** Bounds of the figure after. */
  readonly range?: readonly [low: number, high: number] | undefined;
  /** Undefined where there is nothing to be better than. */
  readonly isGood?: boolean | undefined;
  /** Its colour, where that is not whether it is good. */
  readonly tone?: Tone;
}

export interface RowWords extends ChartWords {
  /** Undefined where rows have no figure before. */
  readonly before: string | undefined;
  readonly after: string;
  /** The name of what has the bounds, if that is not the figure after. */
  readonly rangeName?: string;
  readonly digits: number;
}

/** A row that has its figure after, and its place. */
interface ShownRow extends ChartRow {
  readonly after: number;
  readonly up: number;
}

const ROW_HEIGHT = 21;
const TOP = 18;
const FOOT = 30;

/** A line for each row, from a circle (before) to a dot (after). */
export function rowChart(rows: readonly ChartRow[], words: RowWords): Drawing {
  const height = TOP + rows.length * ROW_HEIGHT + FOOT;
  const shown = rows.flatMap((row, at): ShownRow[] =>
    row.after === null ? [] : [{ ...row, after: row.after, up: at + 0.5 }],
  );
  const rose = shown.filter(({ before, after }) => after > (before ?? after)).length;
  const text = (value: number | null) => decimal(value, words.digits);
  const values = shown.map(({ name, before, after, range }) => {
    const of = words.rangeName === undefined ? "" : `${words.rangeName}: `;
    const bounds = range === undefined ? "" : ` (${of}${range.map(text).join(" to ")})`;
    const first = words.before === undefined ? "" : `${text(before)} ${words.before}, `;
    return `${name}|${first}${text(after)} ${words.after}${bounds}`;
  });
  const legend = `${words.before === undefined ? "" : `○ ${words.before}, `}● ${words.after}`;
  const names = rows.map(({ name }) => name);
  return {
    ...words,
    subtitle: `${words.subtitle}. ${legend}`,
    description:
      words.before === undefined
        ? shown.map(({ name, after }) => `${name}: ${text(after)}`).join("; ")
        : `${rows.length} rows; ${rose} of ${shown.length} are higher ${words.after} than ${words.before}.`,
    hasLinks: rows.some(({ href }) => href !== undefined),
    values,
    draw: (size) => drawRows(size, names, { shown, digits: words.digits }),
    width: 640,
    height,
    narrowHeight: height,
  };
}

function drawRows(
  size: Size,
  names: readonly string[],
  { shown, digits }: { readonly shown: readonly ShownRow[]; readonly digits: number },
) {
  const all = shown.flatMap(({ before, after, range = [] }) => [before ?? after, after, ...range]);
  const span = nice(Math.min(0, ...all), Math.max(0, ...all) || 1, 5);
  const isWhole = roundValues(span, 5).every(Number.isInteger);
  const text = (value: number) => decimal(value, isWhole ? 0 : digits === 3 ? 2 : 1);
  const links: Mark[] = [];
  const intervals: Mark[] = [];
  for (const { before, after, range, up } of shown) {
    if (before !== null)
      links.push(line("grid link", [before, up], [after, up]), dot([before, up], "ring", 4.5));
    if (range !== undefined) intervals.push(interval(range, up));
  }
  const after = shown.map(({ after: value, up, isGood, tone, href }) => {
    const by = isGood === undefined ? "context" : isGood ? "skill" : "luck";
    return { at: [value, up] as const, className: `fill-${tone ?? by}`, href };
  });
  const x = { span, text, hasGrid: true, rule: 0 };
  const marks = [...links, ...intervals, dots(after, 5, "follow")];
  return plot({ size, x, y: namesAxis(names), box: { top: TOP } }, marks);
}
