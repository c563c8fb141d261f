import { besideLuck, newestMonth, indexWords } from "./index-months.ts";
import { monthName, ratingWords } from "./format.ts";
import { worthTitle } from "./pages/worth.tsx";
import { pathsOf, type Subjects } from "./paths.ts";
import { trendTitle } from "./price-view.ts";
import type { SiteData } from "./site-data.ts";

interface Entry {
  readonly title: string;
  /** The path that it leads to. With the date and the name it is the entry's own address. */
  readonly path: string;
  /** Of its kind, where a path has several of a day. */
  readonly name?: string;
  /** ISO date. */
  readonly date: string;
}

const ENTRIES_MAX = 200;
/** How long ago the chart of a coin said what it may say no longer. */
const BEFORE_DAYS = 30;

/**
 * `/feed.xml` (Atom, RFC 4287): changes of ratings, the index's newest month, and which of the last month's headlines no
 * longer holds. Of one coin: its own changes. What comes once a month stays, however many ratings change.
 */
export function feed(site: SiteData, coin?: string): string {
  const { origin = "", asOf = "" } = site.about;
  const changes = site.ratingChanges(coin).map(({ coin: ticker, date, from, to }) => ({
    title: `${ticker.toUpperCase()} is rated ${ratingWords(to)}, before ${ratingWords(from)}`,
    path: `/coins/${ticker}`,
    date,
  }));
  const monthly = coin === undefined ? [...monthOf(site), ...goneOf(site)] : trendGone(site, coin);
  const newest = (entries: readonly Entry[]) =>
    entries.toSorted((a, b) => b.date.localeCompare(a.date));
  const entries = newest([...newest(changes).slice(0, ENTRIES_MAX - monthly.length), ...monthly]);
  const path = coin === undefined ? "" : `/coins/${coin}`;
  const name = coin === undefined ? "Hindsight" : `Hindsight: ${coin.toUpperCase()}`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${escaped(name)}</title><id>${origin}${path}/feed.xml</id><link rel="self" href="${origin}${path}/feed.xml"/><link href="${origin}${path || "/"}"/><updated>${instant(entries[0]?.date ?? asOf)}</updated><author><name>Hindsight</name></author><rights>CC BY 4.0. For research, not financial advice.</rights>
${entries.map((entry) => entryOf(entry, origin)).join("\n")}
</feed>
`;
}

function monthOf(site: SiteData): readonly Entry[] {
  const index = site.index();
  const month = newestMonth(index);
  if (month === undefined) return [];
  const title = `The overfitting index in ${monthName(month.month)}: ${indexWords(month, index.luck)}`;
  return [{ title, path: "/index", date: `${month.month}-01` }];
}

/** The headlines of the month before the newest that a snapshot can compute anew, if others stand there now. */
function goneOf(site: SiteData): readonly Entry[] {
  const before = site.monthBefore();
  const [index, worth] = [site.index(), site.worth()];
  const indexTitle = (of: typeof index) => {
    const month = newestMonth(of);
    return month && besideLuck(month, of.luck);
  };
  const worthOf = (of: typeof worth) => (of.basis === null ? undefined : worthTitle(of));
  const month = newestMonth(index)?.month ?? "";
  return [
    ...gone("/index", `${month}-01`, [before.index, index].map(indexTitle)),
    ...gone("/coins", worth.basis?.last_day ?? "", [before.worth, worth].map(worthOf)),
  ];
}

/** What the chart of a coin's prices said a month ago, if it says another thing now. */
function trendGone(site: SiteData, coin: string): readonly Entry[] {
  const { prices } = site.coin(coin);
  if (prices === null || prices.dates.length <= BEFORE_DAYS) return [];
  const last = prices.dates.length - 1;
  const titleAt = (day: number) => trendTitle(coin.toUpperCase(), prices.direction[day]);
  const titles = [titleAt(last - BEFORE_DAYS), titleAt(last)];
  return gone(`/coins/${coin}`, prices.dates[last]!, titles); // there are days
}

/** A headline still holds while only its figures have moved. */
function gone(
  path: string,
  date: string,
  [was, is]: readonly (string | undefined)[],
): readonly Entry[] {
  const words = (title: string) => title.replaceAll(/[\d.,]+/g, "#");
  if (was === undefined || is === undefined || words(was) === words(is)) return [];
  return [{ title: `No longer holds: “${was}”. Now: “${is}”`, path, date, name: "-headline" }];
}

function entryOf({ title, path, date, name = "" }: Entry, origin: string): string {
  const id = `${origin}${path}#${date}${name}`;
  return `<entry><title>${escaped(title)}</title><id>${id}</id><link href="${origin}${path}"/><updated>${instant(date)}</updated></entry>`;
}

const instant = (date: string) => `${date}T00:00:00Z`;
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** `/sitemap.xml`: every page. */
export function sitemap(origin: string, subjects: Subjects): string {
  const paths = [...pathsOf(subjects).filter((path) => !path.endsWith(".json")), "/docs"];
  const urls = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join("\n");
  return `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}
</urlset>
`;
}

/** `/robots.txt`: everything but what is about a caller. */
export function robots(origin: string): string {
  return `User-agent: *\nDisallow: /account\nDisallow: /v1/\nSitemap: ${origin}/sitemap.xml\n`;
}

/** `/llms.txt`: where programs that read text find what is here. */
export function textForAssistants(origin: string): string {
  const links = [
    ["API", "/openapi.json", "every endpoint, as OpenAPI 3.1"],
    ["Assistants", "/docs/assistants", "tools over the Model Context Protocol, at /mcp"],
    ["Check", "/docs/check", "how much of a backtest may be luck"],
    ["Methods", "/docs/methods", "every formula with its source"],
    ["Documentation", "/docs", "the rest"],
  ] as const;
  const lines = links.map(([title, path, about]) => `- [${title}](${origin}${path}): ${about}`);
  return `# Hindsight\n\n> How crypto strategies really did, and how much of a good backtest is luck.\n\n${lines.join("\n")}\n`;
}
