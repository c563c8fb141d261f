import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { OpenResources } from "../../../server/openapi/open-resources.ts";
import type * as OpenResourcesFile from "../../../server/openapi/open-resources.ts";
import { DOCS_PATH, docsFolder, MENU, pathOfPage } from "../../../server/pages/docs-folder.ts";
import { renderIndex, renderMarkdown, renderPage } from "../../../server/pages/pages.ts";
import { STATUS_OF } from "../../../server/http/errors.ts";
import { ENDPOINTS } from "../../../server/routes/endpoints.ts";

/** Threads start from the build only. */
const BUILT = new URL("../../../dist/server/openapi/open-resources.js", import.meta.url).href;
const folder = docsFolder();
const pages = [
  { path: DOCS_PATH, html: renderIndex(folder) },
  ...Object.keys(MENU).map((name) => ({ path: pathOfPage(name), html: renderPage(folder, name) })),
];
const pageAt = (path: string) => pages.find((page) => page.path === path)!;

describe("the documentation", () => {
  test("has a page for every file of docs/, and one that lists them", () => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
    expect(pages.map(({ path }) => path).sort()).toEqual(
      ["/docs", ...files.map((file) => `/docs/${file.slice(0, -3)}`)].sort(),
    );
    for (const { path } of pages.slice(1)) expect(pageAt("/docs").html).toContain(`href="${path}"`);
  });

  test("has a section for every error code, where docs_url points", () => {
    for (const code of Object.keys(STATUS_OF)) {
      expect(pageAt("/docs/errors").html, `of ${code}`).toContain(`<h2 id="${code}">`);
    }
  });

  test("has a section of the API's page for every endpoint, which names its parameters", () => {
    const sections = readFileSync(join(folder, "api.md"), "utf8").split("\n## ");
    for (const endpoint of ENDPOINTS) {
      const { kind, path } = endpoint;
      const method = kind === "compute" || kind === "submit" ? "POST" : "GET";
      const title = `${method} ${path}${kind === "poll" ? "/{id}" : ""}`;
      const section = sections.find((each) => each.startsWith(`${title}\n`));
      expect(section, `of ${title}`).toBeDefined();
      for (const name of kind === "read" ? Object.keys(endpoint.query.shape) : [])
        expect(section, `of ${title}`).toContain(`\`${name}\``);
    }
  });

  test("has its menu in the order of use, and a purpose for each page of it", () => {
    const names = Object.keys(MENU);
    expect(pages.slice(1).map(({ path }) => path)).toEqual(names.map((name) => `/docs/${name}`));
    for (const { purpose } of Object.values(MENU)) expect(pageAt("/docs").html).toContain(purpose);
  });

  test("lists the sections of a long page, and of no short one", () => {
    const { html } = pageAt("/docs/errors");
    expect(html).toContain('<li><a href="#unknown_coin"><code>unknown_coin</code></a></li>');
    expect(pageAt("/docs/glossary").html).not.toContain("On this page");
  });

  test("has no link to a page or section that is not served", () => {
    for (const { path, html } of pages) {
      for (const [, href] of html.matchAll(/href="([^"]+)"/g)) {
        if (/^https?:|^data:|^\/openapi\.json$/.test(href!)) continue;
        const [target = "", section] = href!.split("#");
        const page = pageAt(target === "" ? path : target);
        expect(page, `${path} -> ${href}`).toBeDefined();
        const mark = section === undefined ? "" : `id="${section}"`;
        expect(page.html, `${path} -> ${href}`).toContain(mark);
      }
    }
  });

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

  test("is served with the document, without a script and from no other place", () => {
    const resources = new Map(new OpenResources(ENDPOINTS, "http://api.test").byPath);
    const paths = pages.map(({ path }) => path);
    expect([...resources.keys()]).toEqual(["/openapi.json", ...paths]);
    resources.delete("/openapi.json");
    for (const { headers } of resources.values()) expect(headers).toContain("default-src 'none'");
    for (const { html } of pages) expect(html).not.toMatch(/<script|\ssrc=/);
  });

  test("has a title, an icon and a description on every page", () => {
    for (const { path, html } of pages) {
      expect(html, `of ${path}`).toMatch(/<title>.+ - Hindsight<\/title>/);
      expect(html, `of ${path}`).toContain('<link rel="icon" href="data:');
      expect(html, `of ${path}`).toMatch(/<meta name="description" content="[^"]{20,}">/);
    }
    const { errors } = MENU;
    expect(pageAt("/docs/errors").html).toContain(`content="Hindsight: ${errors!.purpose}.">`);
  });

  test("is dark on screens only: on paper, its text is dark and no line is cut", () => {
    const { html } = pageAt("/docs/api");
    const [dark, print] = [
      "@media(prefers-color-scheme:dark)",
      "@media print{:root{color-scheme:light;",
    ];
    expect(html.indexOf(dark)).toBeGreaterThan(0);
    expect(html.lastIndexOf(print), "the later rule holds").toBeGreaterThan(html.lastIndexOf(dark));
    expect(html).toMatch(/@media print \{[^@]*pre-wrap/);
  });

  test("fits a narrow screen: a long word of code in a sentence is broken, one in a table is not", () => {
    const [, words] = /^code \{([^}]*)\}/m.exec(pageAt("/docs/api").html)!;
    expect(words, "unlike anywhere, this leaves the columns of tables their widths").toContain(
      "overflow-wrap: break-word",
    );
  });

  test("is made the same by a thread of the built program as it is here", async () => {
    const { OpenResources: Built } = (await import(BUILT)) as typeof OpenResourcesFile;
    const built = new Built([], "http://api.test"); // its thread takes all endpoints
    await built.prepare();
    for (const [path, made] of new OpenResources(ENDPOINTS, "http://api.test").byPath) {
      const here = String((await made.body()).plain(""));
      expect(String((await built.byPath.get(path)!.body()).plain(""))).toBe(here);
    }
  });
});

describe("markdown", () => {
  test("headings can be linked to, also when two are alike", () => {
    const html = renderMarkdown("## `unknown_coin`\n\n## GET /buy-hold\n\n## Same\n\n## Same\n");
    const ids = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["unknown_coin", "get-buy-hold", "same", "same-1"]);
  });

  test("links between pages lead to served pages; links to the source are text", () => {
    const html = renderMarkdown("[a](errors.md#x) [b](../README.md) [c](https://x.test) [d](#y)");
    expect(html).toContain('<a href="/docs/errors#x">a</a>');
    expect(html).toContain(' b <a href="https://x.test">');
    expect(html).toContain('<a href="#y">d</a>');
  });

  test("what scrolls by itself can be scrolled with the keyboard", () => {
    const html = renderMarkdown("```sh\na < b\n```\n\n| x | y |\n| - | - |\n| 1 | 2 |\n");
    expect(html).toContain('<pre tabindex="0"><code>a &lt; b\n</code></pre>');
    expect(html).toContain('<div class="table" tabindex="0"><table>');
  });

  test("a column without a title has no empty heading", () => {
    const html = renderMarkdown("|   | y |\n| - | - |\n| 1 | 2 |\n");
    expect(html).toContain('<thead><tr><td></td><th scope="col">y</th></tr></thead>');
  });

  test("text is escaped", () => {
    expect(renderMarkdown("`<b>` & a < b")).toContain("<code>&lt;b&gt;</code> &amp; a &lt; b");
    const own = mkdtempSync(join(tmpdir(), "hindsight-pages-"));
    try {
      for (const name of Object.keys(MENU)) {
        writeFileSync(join(own, `${name}.md`), '# A < B & "C"\n');
      }
      const title = "<title>A &lt; B &amp; &quot;C&quot; - Hindsight</title>";
      expect(renderPage(own, "api")).toContain(title);
      expect(renderIndex(own)).toContain('<a href="/docs/api">A &lt; B &amp; &quot;C&quot;</a>');
    } finally {
      rmSync(own, { recursive: true });
    }
  });
});
