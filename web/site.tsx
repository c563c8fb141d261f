import { csvOf } from "../api/csv.ts";
import { IndexMonth } from "../api/overfitting-index.ts";
import { tableOf } from "../api/table.ts";
import type { VNode } from "preact";
import { cardSvg } from "./card.tsx";
import { chartCard, chartFile, embedPage } from "./chart-at.tsx";
import { feed, robots, textForAssistants } from "./feed.ts";
import { pointOfPath, studyOfPath } from "./luck-point.ts";
import { checkPage } from "./pages/check.tsx";
import { coinPage } from "./pages/coin.tsx";
import { coinsPage } from "./pages/coins.tsx";
import { datasetPage } from "./pages/dataset.tsx";
import { datasetRunsPage } from "./pages/dataset-runs.tsx";
import { homePage } from "./pages/home.tsx";
import { luckCard, luckPage } from "./pages/luck.tsx";
import { indexPage } from "./pages/index.tsx";
import { strategiesPage, strategyPage, studyWords } from "./pages/strategies.tsx";
import type { SiteData } from "./site-data.ts";
import {
  chartOfEmbed,
  coinOfBars,
  coinOfFeed,
  patternOf,
  subjectOf,
  type PageType,
} from "./paths.ts";
import { pageText } from "./render.ts";
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

/** The SVG of a chart, of an answer of the calculator, or of a study, as previews show it. */
function cardAt(path: string, data: SiteData): string {
  const { origin = "", isSynthetic } = data.about;
  const name = path.replace(/\.png$/, "");
  const [point, study] = [pointOfPath(name), studyOfPath(name)];
  const words =
    point !== undefined
      ? { ...luckCard(point), place: name }
      : study !== undefined
        ? { ...luckCard(study), title: studyWords(study), place: `/strategies/${study.template}` }
        : chartCard(name, data);
  const address = `${origin}${words.place}`.replace(/^https?:\/\//, "");
  return cardSvg({ ...words, address, isSynthetic: isSynthetic && point === undefined });
}

/** The text of a page or of a file beside it, for a path that has one by `pageTypeOf`. */
export function renderPath(path: string, type: PageType, data: SiteData): string {
  if (path === "/index.csv") return csvOf(tableOf("history", IndexMonth, data.index().history));
  if (type === "csv" || type === "svg") return chartFile(path.slice(0, -4), type, data);
  if (path === RUNS_PATH) return JSON.stringify(jsonOfRuns(data.runs()));
  if (type === "json") return JSON.stringify(data.bars(coinOfBars(path)!)); // there is no other
  if (type === "png") return cardAt(path, data);
  if (path === "/robots.txt") return robots(data.about.origin ?? "");
  if (path === "/llms.txt") return textForAssistants(data.about.origin ?? "");
  if (type === "xml") return feed(data, coinOfFeed(path));
  if (type === "embed") return pageText(embedPage(chartOfEmbed(path), data));
  const point = pointOfPath(path);
  if (point !== undefined) return pageText(luckPage(data.about, point));
  const study = studyOfPath(path);
  if (study !== undefined) return pageText(strategyPage(data, study.template, study));
  const page = PAGES[patternOf(path)]!(data, subjectOf(path)[1]); // the path has a page
  return pageText(page);
}
