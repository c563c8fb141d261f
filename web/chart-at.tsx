import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { csvOf } from "../api/csv.ts";
import { Chart, type ChartParts, type Drawing } from "./charts/chart.tsx";
import { citation, type ChartAddress } from "./charts/chart-files.tsx";
import { textWidth } from "./charts/labels.ts";
import { coinPrices, holdingOf } from "./pages/coin.tsx";
import { runsChart } from "./pages/dataset-runs.tsx";
import { datasetPicks, mapChart } from "./pages/dataset.tsx";
import { findingChart } from "./pages/finding.tsx";
import { holdingChart } from "./pages/holding.tsx";
import { indexChart, layerChart } from "./pages/index-figure.tsx";
import { picksRows } from "./pages/picks.tsx";
import { robustnessChart } from "./pages/robustness.tsx";
import { rulesChart } from "./pages/strategies.tsx";
import { worthChart } from "./pages/worth.tsx";
import { nameOfChart, pageOfChart, patternOf, subjectOf, type CHARTS } from "./paths.ts";
import type { SiteData } from "./site-data.ts";
import { CHART_STYLES, TOKENS } from "./styles.ts";
import { Table } from "./table.tsx";

type Charts = typeof CHARTS;
type TableProps = Parameters<typeof Table<never>>[0];
/** A chart, by the coin or the rule that its page is about; null where the snapshot has none. */
type Found = (data: SiteData, isSynthetic: boolean, subject: string) => ChartParts | null;

const FOUND: {
  readonly [Page in keyof Charts]: { readonly [Name in Charts[Page][number]]: Found };
} = {
  "/": { index: (data, made) => indexChart(data.index(), made) },
  "/index": {
    tuning: (data, made) => layerChart(data.index(), "tuning", made),
    shopping: (data, made) => layerChart(data.index(), "shopping", made),
  },
  "/dataset": {
    finding: (data, made) => findingChart(data.dataset(), made),
    picks: (data, made) => datasetPicks(data.dataset(), made),
    map: (data, made) => mapChart(data.dataset(), made),
    robustness: (data, made) => robustnessChart(data.dataset().headline.robustness, made),
  },
  "/dataset/coins/*": {
    picks: (data, made, coin) =>
      runsChart(data.dataset({ coin }), { kind: "coins", name: coin }, made),
  },
  "/dataset/strategies/*": {
    picks: (data, made, name) =>
      runsChart(data.dataset({ template: name }), { kind: "strategies", name }, made),
  },
  "/coins": { worth: (data, made) => worthChart(data.worth(), made) },
  "/coins/*": {
    price: (data, made, coin) => coinPrices(data.coin(coin), made),
    holding: (data, made, coin) => holdingChart(holdingOf(data.coin(coin)), made),
    picks: (data, isSynthetic, coin) =>
      picksRows({ picks: data.dataset({ coin }).picks, by: "template", isSynthetic }),
  },
  "/strategies": {
    rules: (data, made) =>
      rulesChart({ templates: data.templates(), dataset: data.dataset() }, made),
  },
  "/strategies/*": {
    picks: (data, isSynthetic, template) =>
      picksRows({ picks: data.dataset({ template }).picks, by: "coin", isSynthetic }),
  },
};

/** The file of a chart, as `pageTypeOf` says that there is one; without anything drawn it is empty. */
export function chartFile(file: string, type: "csv" | "svg", data: SiteData): string {
  const page = pageOfChart(file);
  const charts = FOUND[patternOf(page) as keyof Charts] as Readonly<Record<string, Found>>;
  const { about } = data;
  const parts = charts[nameOfChart(file)]!(data, about.isSynthetic, subjectOf(page)[1]); // there is one
  if (type === "svg") return svgOf(parts?.drawing ?? NOTHING, { file, about });
  const table = parts?.rows ?? parts?.table;
  return table === undefined ? "" : csvOfTable(propsOfTable(table));
}

/** Of the table itself, or of one that a component of a page makes. */
function propsOfTable({ type, props }: VNode): TableProps {
  if (type === Table) return props as unknown as TableProps;
  return propsOfTable((type as (props: object) => VNode)(props));
}

const NOTHING: Drawing = {
  title: "The snapshot has nothing to draw here yet",
  subtitle: "",
  description: "",
  isSynthetic: false,
  draw: () => null,
  height: 1,
};

/** The cells of a table as numbers where they are numbers; a column's unit is in its name. */
function csvOfTable({ columns, rows }: TableProps): string {
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

/** What is read of an element. */
function wordsOf(of: ComponentChildren): string {
  if (Array.isArray(of)) return of.map(wordsOf).join("");
  if (typeof of === "string" || typeof of === "number") return String(of);
  if (typeof of !== "object" || of === null) return "";
  return wordsOf((of as VNode<{ children?: ComponentChildren }>).props.children);
}

const EDGE = 16;
const TITLE_HEIGHT = 24;
const LINE_HEIGHT = 19;

/** A chart that stands alone: with its words, where it comes from, and its own style for both schemes. */
function svgOf(drawing: Drawing, at: ChartAddress): string {
  const { width: drawn = 640, height: high = 330, title, subtitle } = drawing;
  const width = Math.max(640, drawn);
  const titles = wrapped(title, width / 1.45);
  const words = wrapped(subtitle, width);
  const sources = wrapped(citation(title, at).replace(`: “${title}”`, ""), width);
  const top = titles.length * TITLE_HEIGHT + words.length * LINE_HEIGHT + 8;
  const size = { width: drawn, height: high, isNarrow: false };
  const lines = (texts: readonly string[], from: number, caption?: "caption") =>
    texts.map((text, row) => (
      <text key={text} y={from + row * (caption ? TITLE_HEIGHT : LINE_HEIGHT)} class={caption}>
        {text}
      </text>
    ));
  const height = top + high + 12 + sources.length * LINE_HEIGHT;
  const draw = () => (
    <>
      <rect width={width + 2 * EDGE} height={height + 2 * EDGE} class="fill-ground" />
      <g transform={`translate(${EDGE} ${EDGE})`}>
        {lines(titles, 16, "caption")}
        {lines(words, titles.length * TITLE_HEIGHT + 14)}
        <g transform={`translate(0 ${top})`}>{drawing.draw(size)}</g>
        {lines(sources, top + high + 20)}
      </g>
    </>
  );
  const whole = { width: width + 2 * EDGE, height: height + 2 * EDGE, isNarrow: false };
  const svg = renderToString(
    <Chart drawing={{ ...drawing, draw }} size={whole} className="alone" />,
  );
  return svg.replace(">", `><style>${TOKENS}${CHART_STYLES}</style>`);
}

/** Lines of text of 13 px. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return text === "" ? [] : lines;
}
