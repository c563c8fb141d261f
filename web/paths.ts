import { pointOfPath, studyOfPath } from "./luck-point.ts";
import { RUNS_PATH } from "./runs-data.ts";

/** What a page may be about: names from the snapshot in force. */
export interface Subjects {
  readonly coins: ReadonlySet<string>;
  /** The coins whose daily prices may be shown: all of them, or none. */
  readonly priced: ReadonlySet<string>;
  readonly templates: ReadonlySet<string>;
}

export type PageType = "html" | "svg" | "csv" | "json" | "png" | "embed" | "xml" | "txt";

/** Files for programs that read the site. */
const FILES: Readonly<Record<string, PageType>> = {
  "/feed.xml": "xml",
  "/sitemap.xml": "xml",
  "/robots.txt": "txt",
  "/llms.txt": "txt",
};
const FIXED = ["/", "/check", "/index", "/dataset", RUNS_PATH, "/coins", "/strategies"];
/** Pages about a subject, and where the subject's name comes from. */
const NAMED = [
  ["coins", "coins"],
  ["dataset/coins", "coins"],
  ["strategies", "templates"],
  ["dataset/strategies", "templates"],
] as const;

/** The charts of each page. Each is a picture of its own ("/coins/btc/price.svg") and a table (".csv"). */
export const CHARTS = {
  "/": ["index"],
  "/index": ["tuning", "shopping"],
  "/dataset": ["finding", "picks", "map", "robustness"],
  "/dataset/coins/*": ["picks"],
  "/dataset/strategies/*": ["picks"],
  "/coins": ["worth"],
  "/coins/*": ["price", "holding", "picks"],
  "/strategies": ["rules"],
  "/strategies/*": ["picks"],
} as const;

/** The type of what a path leads to; undefined if it leads to nothing. */
export function pageTypeOf(path: string, subjects: Subjects): PageType | undefined {
  if (FIXED.includes(path)) return path === RUNS_PATH ? "json" : "html";
  if (Object.hasOwn(FILES, path)) return FILES[path];
  if (path.endsWith(FEED)) return subjects.coins.has(coinOfFeed(path) ?? "") ? "xml" : undefined;
  if (path.startsWith(EMBED)) return hasChart(chartOfEmbed(path), subjects) ? "embed" : undefined;
  const answer = path.replace(/\.png$/, "");
  if (pointOfPath(answer) ?? isStudy(answer, subjects)) return answer === path ? "html" : "png";
  const coin = coinOfBars(path);
  if (coin !== undefined) return subjects.priced.has(coin) ? "json" : undefined;
  const type = /\.(csv|svg|png)$/.exec(path)?.[1] as "csv" | "svg" | "png" | undefined;
  if (type !== undefined) return hasChart(path.slice(0, -4), subjects) ? type : undefined;
  const [kind, name] = subjectOf(path);
  const names = NAMED.find(([of]) => of === kind)?.[1];
  return names !== undefined && subjects[names].has(name) ? "html" : undefined;
}

function isStudy(path: string, { templates, priced }: Subjects): boolean {
  const study = studyOfPath(path);
  return study !== undefined && templates.has(study.template) && priced.has(study.coin);
}

/** A page's path with "*" for the coin or the rule that it is about. */
export function patternOf(page: string): string {
  const [kind, name] = subjectOf(page);
  return name === "" ? page : `/${kind}/*`;
}

function chartsOf(page: string): readonly string[] {
  const names: Readonly<Record<string, readonly string[]>> = CHARTS;
  return names[patternOf(page)] ?? [];
}

function hasChart(file: string, subjects: Subjects): boolean {
  const [page, name] = [pageOfChart(file), nameOfChart(file)];
  if (pageTypeOf(page, subjects) !== "html") return false;
  if (name === "price" && !subjects.priced.has(subjectOf(page)[1])) return false;
  return chartsOf(page).includes(name);
}

/** The page that a chart's file is named after. */
export function pageOfChart(file: string): string {
  return file.slice(0, file.lastIndexOf("/")) || "/";
}

export function nameOfChart(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}

/** Where a reader finds the chart: "/coins/btc#price". The index has a page of its own. */
export function placeOfChart(file: string): string {
  return `${file === "/index" ? file : pageOfChart(file)}#${nameOfChart(file)}`;
}

/** Every page. */
export function pathsOf(subjects: Subjects): readonly string[] {
  const named = NAMED.flatMap(([kind, names]) =>
    Array.from(subjects[names], (name) => `/${kind}/${name}`),
  );
  return [...FIXED, ...named];
}

/** The files of every chart. */
export function chartPathsOf(subjects: Subjects): readonly string[] {
  const files = pathsOf(subjects).flatMap((page) =>
    chartsOf(page).map((name) => `${page === "/" ? "" : page}/${name}`),
  );
  const paths = files.flatMap((file) => [`${file}.svg`, `${file}.csv`]);
  return paths.filter((path) => pageTypeOf(path, subjects) !== undefined);
}

/** "/coins/btc" is about "coins" and "btc", "/dataset/coins/btc" about "dataset/coins" and "btc". */
export function subjectOf(path: string): readonly [kind: string, name: string] {
  const parts = path.split("/").slice(1);
  const name = parts.length > 1 ? parts.pop()! : ""; // there are two
  return [parts.join("/"), name];
}

/** "/coins/btc/bars.json" has the prices of the coin "btc". */
export function coinOfBars(path: string): string | undefined {
  return /^\/coins\/([^/]+)\/bars\.json$/.exec(path)?.[1];
}

const FEED = "/feed.xml";

/** "/coins/btc/feed.xml" has the changes of the coin "btc". */
export function coinOfFeed(path: string): string | undefined {
  return /^\/coins\/([^/]+)\/feed\.xml$/.exec(path)?.[1];
}

const EMBED = "/embed/";

/** "/embed/coins/btc/price" is a page for frames, with the chart "/coins/btc/price" alone. */
export function chartOfEmbed(path: string): string {
  return path.slice(EMBED.length - 1);
}

/** Where a run of the dataset is shown: its row on the page of its coin. */
export function hrefOfRun({ template, coin }: { template: string; coin: string }): string {
  return `/dataset/coins/${coin}#${template}`;
}
