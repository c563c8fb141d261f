import type { Dataset } from "../api/dataset.ts";
import { csvOf } from "../api/csv.ts";
import { IndexMonth, type OverfittingIndex } from "../api/overfitting-index.ts";
import { tableOf } from "../api/table.ts";
import type { RatingWorth } from "../api/rating-worth.ts";
import type { Reading } from "../api/reading.ts";
import type { StrategyTemplate } from "../api/strategies.ts";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { BarsJson } from "./bars-data.ts";
import { Chart } from "./charts/chart.tsx";
import type { PageSource } from "./layout.tsx";
import { CheckPage } from "./pages/check.tsx";
import { CoinPage, type CoinData } from "./pages/coin.tsx";
import { CoinsPage } from "./pages/coins.tsx";
import { DatasetPage } from "./pages/dataset.tsx";
import { DatasetRunsPage } from "./pages/dataset-runs.tsx";
import { Home } from "./pages/home.tsx";
import { indexDrawing } from "./pages/index-figure.tsx";
import { IndexPage } from "./pages/index.tsx";
import { StrategiesPage, StrategyPage } from "./pages/strategies.tsx";
import { coinOfBars, subjectOf, type PageType } from "./paths.ts";
import { jsonOfRuns, RUNS_PATH, type CoinRuns } from "./runs-data.ts";
import { CHART_STYLES, TOKENS } from "./styles.ts";

/** What the pages show: the API's own answers, made when a page needs them. */
export interface SiteData {
  readonly about: PageSource;
  index(): OverfittingIndex;
  /** With the picks of one template or coin only, if one is given. */
  dataset(filter?: { readonly template?: string; readonly coin?: string }): Dataset;
  board(): readonly Reading[];
  worth(): RatingWorth;
  /** The last closes of a coin, for its line on the board. */
  trend(ticker: string): ArrayLike<number>;
  coin(ticker: string): Omit<CoinData, "picks">;
  templates(): readonly StrategyTemplate[];
  /** Tickers of the board whose daily prices may be shown. */
  readonly priced: readonly string[];
  bars(ticker: string): BarsJson;
  runs(): readonly CoinRuns[];
}

/** Makes the text of a page, as `pageTypeOf` says that there is one. */
export function renderPath(path: string, type: PageType, data: SiteData): string {
  if (type === "csv") return csvOf(tableOf("history", IndexMonth, data.index().history));
  if (type === "svg") return indexSvg(data);
  if (type === "json") return JSON.stringify(jsonAt(path, data));
  return `<!doctype html>${renderToString(pageAt(path, data))}`;
}

/** What the check page loads where a coin is named. */
function jsonAt(path: string, data: SiteData): unknown {
  return path === RUNS_PATH ? jsonOfRuns(data.runs()) : data.bars(coinOfBars(path)!); // there is no other
}

function pageAt(path: string, data: SiteData): VNode {
  const { about } = data;
  const [kind, name] = subjectOf(path);
  switch (kind) {
    case "":
      return <Home dataset={data.dataset()} index={data.index()} about={about} />;
    case "check":
      return <CheckPage about={about} coins={data.priced} />;
    case "index":
      return <IndexPage data={data.index()} about={about} />;
    case "dataset":
      return <DatasetPage data={data.dataset()} about={about} />;
    case "dataset/coins":
    case "dataset/strategies":
      return runsPage(kind === "dataset/coins" ? "coins" : "strategies", name, data);
    case "coins":
      return name === "" ? (
        <CoinsPage
          board={data.board()}
          worth={data.worth()}
          trendOf={(ticker) => data.trend(ticker)}
          about={about}
        />
      ) : (
        <CoinPage
          data={{ ...data.coin(name), picks: picksOf({ coin: name }, data) }}
          about={about}
        />
      );
    default:
      return strategyPage(name, data);
  }
}

function picksOf(filter: { readonly template?: string; readonly coin?: string }, data: SiteData) {
  return data.dataset(filter).picks;
}

function runsPage(kind: "coins" | "strategies", name: string, data: SiteData): VNode {
  const picked = data.dataset(kind === "coins" ? { coin: name } : { template: name });
  return <DatasetRunsPage data={picked} subject={{ kind, name }} about={data.about} />;
}

function strategyPage(name: string, data: SiteData): VNode {
  const { about } = data;
  const templates = data.templates();
  const template = templates.find((each) => each.name === name);
  if (template === undefined)
    return <StrategiesPage templates={templates} dataset={data.dataset()} about={about} />;
  return (
    <StrategyPage
      template={template}
      picks={picksOf({ template: name }, data)}
      coins={data.priced}
      about={about}
    />
  );
}

const SVG_SIZE = { width: 1040, height: 320, isNarrow: false };
const CAPTION_HEIGHT = 40;

/** The index as a picture for other sites, with its title in it. */
function indexSvg(data: SiteData): string {
  const drawing = indexDrawing(data.index(), data.about.isSynthetic);
  const draw = () => (
    <>
      <text y={18} class="caption">
        {drawing.title}
      </text>
      <g transform={`translate(0 ${CAPTION_HEIGHT})`}>{drawing.draw(SVG_SIZE)}</g>
    </>
  );
  const size = { ...SVG_SIZE, height: SVG_SIZE.height + CAPTION_HEIGHT };
  const svg = renderToString(
    <Chart drawing={{ ...drawing, draw }} size={size} className="alone" />,
  );
  return svg.replace(">", `><style>${TOKENS}${CHART_STYLES}</style>`);
}
