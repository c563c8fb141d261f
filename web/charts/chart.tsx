import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";
import type { PageSource } from "../layout.tsx";
import { nameOfChart, placeOfChart } from "../paths.ts";

/** The width and height a chart is drawn for, in the units of its text: 13 px. */
export interface Size {
  readonly width: number;
  readonly height: number;
  /** Below 520 px: fewer ticks, shorter labels. */
  readonly isNarrow: boolean;
}

/** The words above a picture. */
export interface ChartWords {
  /** A sentence. */
  readonly title: string;
  /** What is drawn, with unit and period. */
  readonly subtitle: string;
  /** Whether prices of a made-up market went into it. */
  readonly isSynthetic?: boolean;
}

export interface Drawing extends ChartWords {
  /** Shape and main figures, for readers who do not see the picture. */
  readonly description: string;
  readonly draw: (size: Size) => ComponentChildren;
  /** Whether its points are links. */
  readonly hasLinks?: boolean;
  /** What each point of the drawing's `follow` elements shows to a pointer; "|" begins a second line. */
  readonly values?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly narrowHeight?: number;
}

const WIDE = { width: 640, height: 330, isNarrow: false };
/** A wider chart is drawn for this width as well, for tablets and print. */
const MEDIUM_WIDTH = 700;
const NARROW = { width: 350, height: 300, isNarrow: true };

/** A drawing with what stands below it. */
export interface ChartParts {
  readonly drawing: Drawing;
  readonly source?: ComponentChildren;
  readonly table?: VNode;
  /** What its CSV file holds instead of the table. */
  readonly rows?: VNode;
}

/** The path of a chart's own files, without the extension. */
export interface ChartAddress {
  readonly file: string;
  readonly about: Pick<PageSource, "snapshot" | "origin" | "isSynthetic">;
}

/** A drawing with its words, its source and its table. A chart of a reader's own data has no address. */
export function Figure({
  drawing,
  source,
  table,
  at,
}: ChartParts & { readonly at?: ChartAddress }): VNode {
  const { title, subtitle, values, width = WIDE.width, height = WIDE.height } = drawing;
  const narrow = { ...NARROW, height: drawing.narrowHeight ?? NARROW.height };
  const isLarge = width > MEDIUM_WIDTH;
  const medium = { width: MEDIUM_WIDTH, height, isNarrow: false };
  return (
    <figure
      id={at && nameOfChart(at.file)}
      class={isLarge ? "large" : undefined}
      data-values={values?.join("\n")}
    >
      <figcaption>
        <b>{title}</b>
        <span>{subtitle}</span>
      </figcaption>
      <Chart drawing={drawing} size={{ width, height, isNarrow: false }} className="wide" />
      {isLarge && <Chart drawing={drawing} size={medium} className="medium" />}
      <Chart drawing={drawing} size={narrow} className="narrow" />
      {(source ?? at) !== undefined && (
        <p class="source">
          {source}
          {source !== undefined && at && " · "}
          {at && <ChartFiles {...at} />}
        </p>
      )}
      {table !== undefined && (
        <details>
          <summary>As a table</summary>
          {table}
        </details>
      )}
      {at && (
        <details>
          <summary>Cite</summary>
          <p class="source">{citation(title, at)}</p>
        </details>
      )}
    </figure>
  );
}

/** Links to the files of a chart and to its place on its page. A script copies the latter. */
function ChartFiles({ file }: ChartAddress): VNode {
  return (
    <>
      <a href={`${file}.csv`}>CSV</a> · <a href={`${file}.svg`}>SVG</a> ·{" "}
      <a href={placeOfChart(file)} data-copy aria-live="polite">
        copy link
      </a>
    </>
  );
}

/** How to cite a chart. */
export function citation(title: string, { file, about }: ChartAddress): string {
  const { snapshot = "", origin = "" } = about;
  return `Hindsight: “${title}”, snapshot ${snapshot}, CC BY 4.0, ${origin}${placeOfChart(file)} (the address shows the newest snapshot).`;
}

/** A chart of a page, with links to its files; nothing where the snapshot has no such chart. */
export function figureAt(file: string, parts: ChartParts | null, about: PageSource): VNode | null {
  if (parts === null) return null;
  const drawing = { ...parts.drawing, isSynthetic: about.isSynthetic };
  return <Figure {...parts} drawing={drawing} at={{ file, about }} />;
}

/** The drawing alone, as SVG. */
export function Chart({
  drawing,
  size,
  className,
}: {
  readonly drawing: Drawing;
  readonly size: Size;
  readonly className: string;
}): VNode {
  const id = useId();
  const { title, description, isSynthetic = false, draw, hasLinks = false } = drawing;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      class={`chart ${className}`}
      width={size.width}
      height={size.height}
      viewBox={`0 0 ${size.width} ${size.height}`}
      role={hasLinks ? "group" : "img"}
      aria-labelledby={`${id}-title ${id}-description`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-description`}>{description}</desc>
      {draw(size)}
      {isSynthetic && (
        <text x={size.width - 4} y={12} text-anchor="end" class="label fill-luck">
          made-up prices
        </text>
      )}
    </svg>
  );
}
