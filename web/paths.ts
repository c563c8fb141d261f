import { RUNS_PATH } from "./runs-data.ts";

/** What a page may be about: names from the snapshot in force. */
export interface Subjects {
  readonly coins: ReadonlySet<string>;
  /** The coins whose daily prices may be shown: all of them, or none. */
  readonly priced: ReadonlySet<string>;
  readonly templates: ReadonlySet<string>;
}

export type PageType = "html" | "svg" | "csv" | "json";

const FIXED: ReadonlyMap<string, PageType> = new Map([
  ["/", "html"],
  ["/check", "html"],
  ["/index", "html"],
  ["/index.svg", "svg"],
  ["/index.csv", "csv"],
  ["/dataset", "html"],
  [RUNS_PATH, "json"],
  ["/coins", "html"],
  ["/strategies", "html"],
] as const);

/** What kind of page a path leads to; undefined if it leads to none. */
export function pageTypeOf(path: string, subjects: Subjects): PageType | undefined {
  const { coins, priced, templates } = subjects;
  const fixed = FIXED.get(path);
  if (fixed !== undefined) return fixed;
  const coin = coinOfBars(path);
  if (coin !== undefined) return priced.has(coin) ? "json" : undefined;
  const [kind, name] = subjectOf(path);
  const isKnown =
    ((kind === "coins" || kind === "dataset/coins") && coins.has(name)) ||
    ((kind === "strategies" || kind === "dataset/strategies") && templates.has(name));
  return isKnown ? "html" : undefined;
}

/** Every page. */
export function pathsOf({ coins, templates }: Subjects): readonly string[] {
  const each = (kind: string, names: ReadonlySet<string>) =>
    Array.from(names, (name) => `/${kind}/${name}`);
  return [
    ...FIXED.keys(),
    ...["coins", "dataset/coins"].flatMap((kind) => each(kind, coins)),
    ...["strategies", "dataset/strategies"].flatMap((kind) => each(kind, templates)),
  ];
}

/** "/coins/btc" is about "coins" and "btc", "/dataset/coins/btc" about "dataset/coins" and "btc". */
export function subjectOf(path: string): readonly [kind: string, name: string] {
  const parts = path.split("/").slice(1);
  const name = parts.length > 1 ? parts.pop()! : ""; // it has two
  return [parts.join("/"), name];
}

/** "/coins/btc/bars.json" has the prices of the coin "btc". */
export function coinOfBars(path: string): string | undefined {
  return /^\/coins\/([^/]+)\/bars\.json$/.exec(path)?.[1];
}

/** Where a run of the dataset is shown: its row on the page of its coin. */
export function hrefOfRun({ template, coin }: { template: string; coin: string }): string {
  return `/dataset/coins/${coin}#${template}`;
}
