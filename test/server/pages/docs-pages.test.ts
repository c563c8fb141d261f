import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  documentation,
  keylessResources,
  openPaths,
  servedLibrary,
} from "../../../server/openapi/keyless-resources.ts";
import type { OpenResource } from "../../../server/requests/site.ts";
import { docsFolder, MENU } from "../../../server/pages/docs-folder.ts";
import { docTextOf } from "../../../server/pages/doc-text.ts";
import { STATUS_OF } from "../../../server/http/errors.ts";
import { ENDPOINTS } from "../../../server/routes/endpoints.ts";
import { resourceTexts } from "../../../server/openapi/resource-texts.ts";
import { searchOf, type SearchSection } from "../../../web/docs/search.ts";
import { docsInProcess } from "../../support/pages-in-process.ts";
import { siteAssets } from "../../../server/pages/site.ts";
import { DOC_LINKS_IN_CODE } from "../../support/doc-links.ts";

const PAGES = Object.assign({}, ...Object.values(MENU)) as (typeof MENU)[string];
const folder = docsFolder();
type Resources = ReadonlyMap<string, OpenResource>;
const textOf = async (resources: Resources, path: string) =>
  String(await (await resources.get(path)!.body()).plain());
const served = docsInProcess();
const isPage = (path: string) => !path.endsWith(".json");
const pages = await Promise.all(
  Array.from(served.keys())
    .filter(isPage)
    .map(async (path) => ({ path, html: await textOf(served, path) })),
);
const pageAt = (path: string) => pages.find((page) => page.path === path);
const htmlOf = (path: string) => pageAt(path)?.html ?? "";
const paths = pages.map(({ path }) => path);

describe("the documentation", () => {
  test("has a page for every file of docs/, and one that lists them in four groups", () => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
    const names = Object.keys(PAGES);
    expect(files.map((file) => file.slice(0, -3)).toSorted()).toEqual(names.toSorted());
    const html = htmlOf("/docs");
    for (const name of names) {
      expect(paths).toContain(`/docs/${name}`);
      expect(html).toContain(`href="/docs/${name}"`);
      expect(html).toContain(PAGES[name]!.purpose);
    }
    for (const title of Object.keys(MENU)) expect(html).toContain(`<h2>${title}</h2>`);
  });

  test("has a section for every error code, where docs_url points", () => {
    for (const code of Object.keys(STATUS_OF)) {
      expect(htmlOf("/docs/errors"), `of ${code}`).toContain(`<h2 id="${code}">`);
    }
  });

  test("has a section of the API's page for every endpoint, which names its parameters", () => {
    const sections = readFileSync(join(folder, "api.md"), "utf8").split("\n## ");
    for (const endpoint of ENDPOINTS) {
      const { kind, path } = endpoint;
      const method = ["compute", "submit", "check"].includes(kind) ? "POST" : "GET";
      const title = `${method} ${path}${kind === "poll" ? "/{id}" : ""}`;
      const section = sections.find((each) => each.startsWith(`${title}\n`));
      expect(section, `of ${title}`).toBeDefined();
      for (const name of "query" in endpoint ? Object.keys(endpoint.query.shape) : [])
        expect(section, `of ${title}`).toContain(`\`${name}\``);
    }
  });

  test("shows long files in parts: a page for each section", () => {
    for (const name of ["api", "data", "methods", "run", "reference", "dataset"]) {
      const { sections } = docTextOf(readFileSync(join(folder, `${name}.md`), "utf8"));
      expect(sections.length, `of ${name}`).toBeGreaterThan(4);
      for (const { id, title } of sections) {
        const html = htmlOf(`/docs/${name}/${id}`);
        expect(html).toMatch(/<h1>(?:<code>)?[^<]/);
        expect(html, `${name}: ${title}`).toContain(`href="/docs/${name}"`);
      }
    }
  });

  test("leads links from when a long file was one page to an entry that links to the section", () => {
    const html = htmlOf("/docs/methods");
    expect(html).toContain(
      '<li id="the-crypto-overfitting-index"><a href="/docs/methods/the-crypto-overfitting-index">',
    );
    expect(html).toContain(
      '<li id="technical-rating"><a href="/docs/methods/indicators#technical-rating">',
    );
    expect(htmlOf("/docs/api")).toContain('<li id="get-dca"><a href="/docs/api/get-dca">');
  });

  test("can be read from the first page to the last by the links at its end", () => {
    const neighbours = (path: string, rel: string) =>
      new RegExp(`<a href="([^"]+)" rel="${rel}"`).exec(htmlOf(path))?.[1];
    const read = [];
    for (let path = "/docs/check" as string | undefined; path !== undefined;) {
      expect(neighbours(path, "prev")).toBe(read.at(-1));
      read.push(path);
      path = neighbours(path, "next");
    }
    const all = paths.filter((path) => !/^\/docs(\/search)?$/.test(path));
    expect(new Set(read)).toEqual(new Set(all));
  });

  test("has no two headings of a page with one id", () => {
    for (const { path, html } of pages) {
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids, `of ${path}`).toEqual([...new Set(ids)]);
    }
  });

  test("has no link to a page or section that is not served", () => {
    const links = pages.flatMap(({ path, html }) =>
      [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => ({
        from: path,
        href: href!,
      })),
    );
    expect(links.length).toBeGreaterThan(1000);
    expect(links.filter((link) => !isServed(link))).toEqual([]);
  });

  test("is linked to by the pages of a snapshot and by answers where it has a section", () => {
    expect(DOC_LINKS_IN_CODE.length).toBeGreaterThan(4);
    expect(DOC_LINKS_IN_CODE.filter((link) => !isServed(link))).toEqual([]);
  });

  function isServed({ from, href }: { readonly from: string; readonly href: string }): boolean {
    if (/^(?:https?:|\/openapi\.json$)/.test(href)) return true;
    const [target = "", section] = href.split("#");
    if (/^\/(?:account|check|index|dataset|coins|strategies)?$/.test(target)) return true;
    if (/\.(?:csv|ipynb)$/.test(target)) return siteAssets().byPath.has(target);
    const page = pageAt(target === "" ? from : target);
    const mark = section === undefined ? "" : `id="${section}"`;
    return page?.html.includes(mark) === true;
  }

  test("is linked to by the files beside it, which link to nothing that is missing", () => {
    const root = join(folder, "..");
    for (const name of readdirSync(root).filter((file) => file.endsWith(".md"))) {
      const text = readFileSync(join(root, name), "utf8");
      for (const [, file, section] of text.matchAll(/\]\(([^)#:]+)(?:#([^)]+))?\)/g)) {
        expect(existsSync(join(root, file!)), `${name} -> ${file}`).toBe(true);
        const mark = section === undefined ? "" : `id="${section}"`;
        const page = pages.find(({ path }) => `${path}.md` === `/${file}`);
        expect(page?.html ?? "", `${name} -> ${file}#${section}`).toContain(mark);
      }
    }
  });

  test("takes scripts and styles from this server alone, and has none in the text", () => {
    for (const { path, html } of pages) {
      expect(served.get(path)!.headers).toContain("default-src 'self'");
      expect(html).not.toMatch(/\sstyle=|<style|\son[a-z]+=/);
      expect(html).not.toMatch(/<script(?![^>]*src="\/assets\/)/);
    }
  });

  test("has a title of its own and a description on every page", () => {
    for (const { path, html } of pages) {
      expect(html, `of ${path}`).toMatch(/<title>.+ · Hindsight<\/title>/);
      expect(html, `of ${path}`).toMatch(/<meta name="description" content="[^"]{20,}"/);
    }
    const titles = pages.map(({ html }) => /<title>(.+)<\/title>/.exec(html)![1]);
    expect(titles).toEqual([...new Set(titles)]);
  });

  test("begins every file with what it is for", () => {
    for (const name of Object.keys(PAGES)) {
      const { intro } = docTextOf(readFileSync(join(folder, `${name}.md`), "utf8"));
      expect(intro.trim().split("\n\n")[0], `of ${name}`).toMatch(/^[A-Z0-9`][^|]{30,}[.:]$/s);
    }
  });

  test("is made the same by a thread of the built program as it is here", async () => {
    const library = servedLibrary();
    const built = keylessResources(openPaths(library), documentation(library, "http://api.test"));
    for (const path of served.keys()) {
      expect(await textOf(built, path), `of ${path}`).toBe(await textOf(served, path));
    }
  });
});

describe("the reference", () => {
  test("has a page for every operation of the document", async () => {
    const { paths: documented } = JSON.parse(await textOf(served, "/openapi.json")) as {
      paths: Record<string, Record<string, { summary?: string }>>;
    };
    const summaries = Object.values(documented).flatMap((item) =>
      Object.values(item).flatMap(({ summary }) => summary ?? []),
    );
    expect(summaries.length).toBeGreaterThan(10);
    const references = pages.filter(({ html }) => html.includes('id="request"'));
    expect(references).toHaveLength(summaries.length);
    for (const summary of summaries) {
      const escaped = summary.replaceAll('"', "&quot;");
      expect(
        references.some(({ html }) => html.includes(escaped)),
        `of ${summary}`,
      ).toBe(true);
    }
  });

  test("shows parameters with default and range, the answer's members, errors and an example", () => {
    const html = htmlOf("/docs/api/get-dca");
    expect(html).toContain("Default: <code>100</code>");
    expect(html).toContain("above 0 to 1,000,000,000");
    expect(html).toContain("lump_sum_wins_pct");
    expect(html).toContain('href="/docs/errors#unknown_coin"');
    expect(html).toContain("&quot;invested_usd&quot;: 10900");
    expect(html).toContain("v1/dca?coin=btc");
  });

  test("has the words of docs/api.md without the tables that it shows itself", () => {
    const html = htmlOf("/docs/api/post-overfitting");
    expect(html).toContain("is not excess kurtosis");
    expect(html).not.toContain("<td><code>n_trials</code></td>");
  });
});

describe("lines of curl", () => {
  test("have the server's own address, and a sentence on where keys come from", () => {
    // The pages of operations ask for the key themselves.
    const withKey = pages.filter(
      ({ html }) => /<pre[^>]*><code>[^<]*\$KEY/.test(html) && !html.includes('class="samples"'),
    );
    expect(withKey.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["/docs/api", "/docs/check"]),
    );
    for (const { path, html } of withKey) {
      expect(html, `of ${path}`).toContain("http://api.test/v1/");
      expect(html, `of ${path}`).not.toContain("127.0.0.1:8080/v1");
      expect(
        html.split("<code>$KEY</code> is your key: the operator of").length,
        `of ${path}`,
      ).toBe(2);
    }
  });

  test("lead to the page of accounts where there is one", () => {
    const textAt = resourceTexts(servedLibrary(), "http://api.test", { hasAccounts: true });
    expect(textAt("/docs/check")).toContain(
      '<code>$KEY</code> is your key: <a href="/account">get one</a>',
    );
  });
});

test.each([
  ["survivorship", "/docs/dataset/what-it-cannot-say"],
  ["pine script", "/docs/check#what-to-export"],
  ["pinescript", "/docs/check#what-to-export"],
  ["TradingView", "/docs/check#what-to-export"],
  ["metatrader", "/docs/check#what-to-export"],
  ["walk forward", "/docs/studies#what-you-get"],
  ["pbo", "/docs/check#how-to-read-the-answer"],
])('the search finds for "%s" first the section that says what to do', async (query, path) => {
  const sections = JSON.parse(await textOf(served, "/docs/search.json")) as SearchSection[];
  expect(searchOf(sections)(query)[0]?.path).toBe(path);
});

test.each([
  ["pricing", "/docs/api/limits-and-charges"],
  ["survivorship", "/docs/dataset/what-it-cannot-say"],
  ["pine script", "/docs/check#what-to-export"],
  ["tradingview", "/docs/check#what-cant-be-read"],
  ["key", "/docs/api/keys"],
  ["keys", "/docs/api/keys"],
])('the search finds "%s"', async (query, path) => {
  const sections = JSON.parse(await textOf(served, "/docs/search.json")) as SearchSection[];
  const found = searchOf(sections)(query).map((hit) => hit.path);
  expect(found.slice(0, 3)).toContain(path);
});
