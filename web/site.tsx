import { csvOf } from "../api/csv.ts";
import { IndexMonth } from "../api/overfitting-index.ts";
import { tableOf } from "../api/table.ts";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { chartFile } from "./chart-at.tsx";
import { checkPage } from "./pages/check.tsx";
import { coinPage } from "./pages/coin.tsx";
import { coinsPage } from "./pages/coins.tsx";
import { datasetPage } from "./pages/dataset.tsx";
import { datasetRunsPage } from "./pages/dataset-runs.tsx";
import { homePage } from "./pages/home.tsx";
import { indexPage } from "./pages/index.tsx";
import { strategiesPage, strategyPage } from "./pages/strategies.tsx";
import type { SiteData } from "./site-data.ts";
import { coinOfBars, patternOf, subjectOf, type PageType } from "./paths.ts";
import { jsonOfRuns, RUNS_PATH } from "./runs-data.ts";

/** Each page, from the data of the site and the name of the coin or the rule that it is about. */
const PAGES: Readonly<Record<string, (data: SiteData, name: string) => VNode>> = {
  "/": homePage,
  "/check": checkPage,
  "/index": indexPage,
  "/dataset": datasetPage,
  "/dataset/coins/*": (data, name) => datasetRunsPage(data, { kind: "coins", name }),
  "/dataset/strategies/*": (data, name) => datasetRunsPage(data, { kind: "strategies", name }),
  "/coins": coinsPage,
  "/coins/*": coinPage,
  "/strategies": strategiesPage,
  "/strategies/*": strategyPage,
};

/** The text of a page or of a file beside it, for a path that has one by `pageTypeOf`. */
export function renderPath(path: string, type: PageType, data: SiteData): string {
  if (path === "/index.csv") return csvOf(tableOf("history", IndexMonth, data.index().history));
  if (type === "csv" || type === "svg") return chartFile(path.slice(0, -4), type, data);
  if (path === RUNS_PATH) return JSON.stringify(jsonOfRuns(data.runs()));
  if (type === "json") return JSON.stringify(data.bars(coinOfBars(path)!)); // there is no other
  const page = PAGES[patternOf(path)]!(data, subjectOf(path)[1]); // the path has a page
  return `<!doctype html>${renderToString(page)}`;
}
