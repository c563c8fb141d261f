import type { ComponentChildren, VNode } from "preact";
import { csvOf } from "../api/csv.ts";
import { aloneChart } from "./charts/alone-chart.tsx";
import { citation, Figure, type ChartParts, type Drawing } from "./charts/chart.tsx";
import { coinPicks, coinPrices } from "./pages/coin.tsx";
import { runsChart } from "./pages/dataset-runs.tsx";
import { datasetPicks, mapChart } from "./pages/dataset.tsx";
import { findingChart } from "./pages/finding.tsx";
import { holdingChart } from "./pages/holding.tsx";
import { indexChart, layerChart } from "./pages/index-figure.tsx";
import { robustnessChart } from "./pages/robustness.tsx";
import { rulePicks, rulesChart } from "./pages/strategies.tsx";
import { worthChart } from "./pages/worth.tsx";
import {
  nameOfChart,
  pageOfChart,
  patternOf,
  placeOfChart,
  subjectOf,
  type CHARTS,
} from "./paths.ts";
import type { SiteData } from "./site-data.ts";
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

function partsAt(file: string, data: SiteData): ChartParts | null {
  const page = pageOfChart(file);
  const charts = FOUND[patternOf(page) as keyof Charts] as Readonly<Record<string, Found>>;
  return charts[nameOfChart(file)]!(data, subjectOf(page)[1]); // there is one
}

/** The file of a chart that `pageTypeOf` knows. Where the snapshot has nothing to draw, it says so, or has no rows. */
export function chartFile(file: string, type: "csv" | "svg", data: SiteData): string {
  const parts = partsAt(file, data);
  const { drawing = NOTHING } = parts ?? {};
  if (type === "svg") {
    const source = citation(drawing.title, { file, about: data.about });
    const words = source.replace(`: “${drawing.title}”`, "");
    return aloneChart(drawing, words, data.about.isSynthetic);
  }
  const table = parts?.rows ?? parts?.table;
  return table === undefined ? "" : csvOfTable(table.props as unknown as TableProps<never>);
}

/** A chart for the preview of a link. */
export function chartCard(file: string, data: SiteData) {
  const { drawing = NOTHING } = partsAt(file, data) ?? {};
  return { title: drawing.title, drawing, shownAt: placeOfChart(file) };
}

/** A chart alone, for frames of other sites. */
export function embedPage(file: string, data: SiteData): VNode {
  const { about } = data;
  const { drawing = NOTHING, source } = partsAt(file, data) ?? {};
  const own = { ...drawing, isSynthetic: about.isSynthetic };
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>{drawing.title}</title>
        {about.origin !== undefined && (
          <meta property="og:image" content={`${about.origin}${file}.png`} />
        )}
        <base target="_top" />
        <link rel="stylesheet" href={about.styles} />
        <script type="module" src={about.script("values")} />
      </head>
      <body>
        <main>
          <Figure drawing={own} source={source} />
          <p class="source">
            <a href={placeOfChart(file)}>{citation(drawing.title, { file, about })}</a>
          </p>
        </main>
      </body>
    </html>
  );
}

const WORDS = { title: "The snapshot has nothing to draw here yet", subtitle: "", description: "" };
const NOTHING: Drawing = { ...WORDS, draw: () => null, height: 1 };

/** A table as CSV. Cells are plain numbers where they can be, and the name of a column has its unit. */
function csvOfTable({ columns, rows }: TableProps<never>): string {
  const cells = columns.map(({ cell }) => rows.map((row) => wordsOf(cell(row))));
  return csvOf({
    columns: columns.map(({ name }, at) => {
      const unit = cells[at]!.some((text) => text.endsWith("\u202f%")) ? " (%)" : "";
      return { name: name + unit, field: "", cell: (row: number) => plain(cells[at]![row]!) };
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
function wordsOf(children: ComponentChildren): string {
  if (Array.isArray(children)) return children.map(wordsOf).join("");
  if (typeof children === "string" || typeof children === "number") return String(children);
  if (typeof children !== "object" || children === null) return "";
  return wordsOf((children as VNode<{ children?: ComponentChildren }>).props.children);
}
