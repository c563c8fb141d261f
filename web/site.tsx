import { csvOf } from "../api/csv.ts";
import { IndexMonth } from "../api/overfitting-index.ts";
import { tableOf } from "../api/table.ts";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { chartFile } from "./chart-at.tsx";
import { CheckPage } from "./pages/check.tsx";
import { CoinPage } from "./pages/coin.tsx";
import { CoinsPage } from "./pages/coins.tsx";
import { DatasetPage } from "./pages/dataset.tsx";
import { DatasetRunsPage } from "./pages/dataset-runs.tsx";
import { Home } from "./pages/home.tsx";
import { IndexPage } from "./pages/index.tsx";
import { StrategiesPage, StrategyPage } from "./pages/strategies.tsx";
import type { SiteData } from "./site-data.ts";
import { coinOfBars, subjectOf, type PageType } from "./paths.ts";
import { jsonOfRuns, RUNS_PATH } from "./runs-data.ts";

/** Makes the text of a page, as `pageTypeOf` says that there is one. */
export function renderPath(path: string, type: PageType, data: SiteData): string {
  if (path === "/index.csv") return csvOf(tableOf("history", IndexMonth, data.index().history));
  if (type === "csv" || type === "svg") return chartFile(path.slice(0, -4), type, data);
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
