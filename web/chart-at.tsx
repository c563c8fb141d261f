import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { csvOf } from "../api/csv.ts";
import {
  Chart,
  citation,
  type ChartAddress,
  type ChartParts,
  type Drawing,
} from "./charts/chart.tsx";
import { textWidth } from "./charts/labels.ts";
import { coinPicks, coinPrices } from "./pages/coin.tsx";
import { runsChart } from "./pages/dataset-runs.tsx";
import { datasetPicks, mapChart } from "./pages/dataset.tsx";
import { findingChart } from "./pages/finding.tsx";
import { holdingChart } from "./pages/holding.tsx";
import { indexChart, layerChart } from "./pages/index-figure.tsx";
import { robustnessChart } from "./pages/robustness.tsx";
import { rulePicks, rulesChart } from "./pages/strategies.tsx";
import { worthChart } from "./pages/worth.tsx";
import { nameOfChart, pageOfChart, patternOf, subjectOf, type CHARTS } from "./paths.ts";
import type { SiteData } from "./site-data.ts";
import { CHART_STYLES, TOKENS } from "./styles.ts";
import type { TableProps } from "./table.tsx";

type Charts = typeof CHARTS;
/** A chart, by the coin or the rule that its page is about; null where the snapshot has none. */
type Found = (data: SiteData, subject: string) => ChartParts | null;

const FOUND: {
  readonly [Page in keyof Charts]: { readonly [Name in Charts[Page][number]]: Found };
} = {
  "/": { index: (data) => indexChart(data.index()) },
  "/index": {
    tuning: (data) => layerChart(data.index(), "tuning"),
    shopping: (data) => layerChart(data.index(), "shopping"),
  },
  "/dataset": {
    finding: (data) => findingChart(data.dataset()),
    picks: (data) => datasetPicks(data.dataset()),
    map: (data) => mapChart(data.dataset()),
    robustness: (data) => robustnessChart(data.dataset().headline.robustness),
  },
  "/dataset/coins/*": { picks: (data, name) => runsChart(data, { kind: "coins", name }) },
  "/dataset/strategies/*": { picks: (data, name) => runsChart(data, { kind: "strategies", name }) },
  "/coins": { worth: (data) => worthChart(data.worth()) },
  "/coins/*": {
    price: (data, coin) => coinPrices(data.coin(coin)),
    holding: (data, coin) => holdingChart(data.coin(coin)),
    picks: (data, coin) => coinPicks(data.dataset({ coin }), coin),
  },
  "/strategies": { rules: (data) => rulesChart(data.templates(), data.dataset()) },
  "/strategies/*": {
    picks: (data, template) => rulePicks(data.dataset({ template }), template),
  },
};

/** The file of a chart that `pageTypeOf` knows. Where the snapshot has nothing to draw, it says so, or has no rows. */
export function chartFile(file: string, type: "csv" | "svg", data: SiteData): string {
  const page = pageOfChart(file);
  const charts = FOUND[patternOf(page) as keyof Charts] as Readonly<Record<string, Found>>;
  const parts = charts[nameOfChart(file)]!(data, subjectOf(page)[1]); // there is one
  if (type === "svg") return svgOf(parts?.drawing ?? NOTHING, { file, about: data.about });
  const table = parts?.rows ?? parts?.table;
  return table === undefined ? "" : csvOfTable(table.props as unknown as TableProps<never>);
}

const WORDS = { title: "The snapshot has nothing to draw here yet", subtitle: "", description: "" };
const NOTHING: Drawing = { ...WORDS, draw: () => null, height: 1 };

/** A table as CSV. Cells are plain numbers where they can be, and the name of a column has its unit. */
function csvOfTable({ columns, rows }: TableProps<never>): string {
  const cells = columns.map(({ cell }) => rows.map((row) => wordsOf(cell(row))));
  return csvOf({
    columns: columns.map(({ name }, at) => {
      const unit = cells[at]!.some((text) => text.endsWith("\u202f%")) ? " (%)" : "";
      return { name: name + unit, field: "", of: (row: number) => plain(cells[at]![row]!) };
    }),
    rows: [...rows.keys()],
  });
}

/** "−1,234.5 %" as -1234.5, "–" as nothing. */
function plain(text: string): string | null {
  if (text === "–") return null;
  const number = text.replace("−", "-").replaceAll(/[,$+\u202f%]/g, "");
  return number !== "" && Number.isFinite(Number(number)) ? number : text;
}

/** The text of an element. */
function wordsOf(of: ComponentChildren): string {
  if (Array.isArray(of)) return of.map(wordsOf).join("");
  if (typeof of === "string" || typeof of === "number") return String(of);
  if (typeof of !== "object" || of === null) return "";
  return wordsOf((of as VNode<{ children?: ComponentChildren }>).props.children);
}

const EDGE = 16;
const TITLE_HEIGHT = 24;
const LINE_HEIGHT = 19;

/** A chart that stands alone: with its words, its source, and its own styles for light and dark schemes. */
function svgOf(drawing: Drawing, at: ChartAddress): string {
  const { width: drawn = 640, height: high = 330, title, subtitle } = drawing;
  const across = Math.max(640, drawn);
  const sources = wrapped(citation(title, at).replace(`: “${title}”`, ""), across);
  const [titles, words] = [wrapped(title, across / 1.45), wrapped(subtitle, across)];
  const top = titles.length * TITLE_HEIGHT + words.length * LINE_HEIGHT + 8;
  const width = across + 2 * EDGE;
  const height = top + high + 12 + sources.length * LINE_HEIGHT + 2 * EDGE;
  const lines = (texts: readonly string[], from: number, step = LINE_HEIGHT) =>
    texts.map((text, row) => (
      <text y={from + row * step} class={step === TITLE_HEIGHT ? "caption" : undefined}>
        {text}
      </text>
    ));
  const draw = () => (
    <>
      <rect width={width} height={height} class="fill-ground" />
      <g transform={`translate(${EDGE} ${EDGE})`}>
        {lines(titles, 16, TITLE_HEIGHT)}
        {lines(words, titles.length * TITLE_HEIGHT + 14)}
        <g transform={`translate(0 ${top})`}>
          {drawing.draw({ width: drawn, height: high, isNarrow: false })}
        </g>
        {lines(sources, top + high + 20)}
      </g>
    </>
  );
  const whole = { ...drawing, isSynthetic: at.about.isSynthetic, draw };
  const svg = renderToString(
    <Chart drawing={whole} size={{ width, height, isNarrow: false }} className="alone" />,
  );
  return svg.replace(">", `><style>${TOKENS}${CHART_STYLES}</style>`);
}

/** A text of 13 px in lines of a width. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return text === "" ? [] : lines;
}
