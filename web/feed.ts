import { newestMonth, indexWords } from "./index-months.ts";
import { monthName, ratingWords } from "./format.ts";
import { pathsOf, type Subjects } from "./paths.ts";
import type { SiteData } from "./site-data.ts";

interface Entry {
  readonly title: string;
  /** The path that it leads to. With the date it is the entry's own name. */
  readonly path: string;
  /** ISO date. */
  readonly date: string;
}

const ENTRIES_MAX = 200;

/** `/feed.xml` (Atom, RFC 4287): changes of ratings, and the index's newest month. Of one coin: its own changes. */
export function feed(site: SiteData, coin?: string): string {
  const { origin = "", asOf = "" } = site.about;
  const changes = site.ratingChanges(coin).map(({ coin: ticker, date, from, to }) => ({
    title: `${ticker.toUpperCase()} is rated ${ratingWords(to)}, before ${ratingWords(from)}`,
    path: `/coins/${ticker}`,
    date,
  }));
  const entries = [...changes, ...(coin === undefined ? monthOf(site) : [])]
    .toSorted((a, b) => b.date.localeCompare(a.date))
    .slice(0, ENTRIES_MAX);
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

function entryOf({ title, path, date }: Entry, origin: string): string {
  const id = `${origin}${path}#${date}`;
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
