import { expect, test } from "vitest";
import { errorReplies } from "../../../server/http/reply.ts";
import { STATUS_OF, type ErrorCode } from "../../../server/http/errors.ts";
import { resourceTexts } from "../../../server/openapi/resource-texts.ts";
import { openPaths, servedLibrary } from "../../../server/openapi/keyless-resources.ts";
import { siteOf } from "../../../server/pages/site.ts";
import { snapshotTexts } from "../../../server/pages/site-data.ts";
import { subjectsOf } from "../../../server/pages/snapshot-pages.ts";
import { pathsOf } from "../../../web/paths.ts";
import { marketSnapshot } from "../../support/server-market.ts";

const PUBLIC_URL = "http://api.test";
/** A link of a page, or what tells its script to show one. */
const LINK = /href="\/account|&quot;hasAccounts&quot;:true/;

/** Every text that a server sends without a key, by its path. */
async function textsOf(hasAccounts: boolean): Promise<ReadonlyMap<string, string>> {
  const operator = { hasAccounts };
  const snapshot = marketSnapshot();
  const library = servedLibrary();
  const docAt = resourceTexts(library, PUBLIC_URL, operator);
  const pageAt = snapshotTexts(snapshot, {
    publicUrl: PUBLIC_URL,
    withholdsPrices: false,
    operator,
  });
  const missing = (await siteOf(operator).problemPage())({
    title: "Missing",
    sentence: "It is missing.",
  });
  return new Map([
    ...openPaths(library).map((path) => [path, docAt(path)] as const),
    ...pathsOf(subjectsOf(snapshot, false)).map((path) => [path, pageAt(path)] as const),
    ["a page that is missing", String(missing.body)],
  ]);
}

test("nothing leads to the page of accounts where there is none", async () => {
  const texts = await textsOf(false);
  expect(texts.size).toBeGreaterThan(100);
  for (const [path, text] of texts) expect(text, `of ${path}`).not.toMatch(LINK);
});

test("every page leads to it where there is one", async () => {
  const pages = [...(await textsOf(true))].filter(([, text]) => text.includes("<html"));
  expect(pages.length).toBeGreaterThan(100);
  for (const [path, text] of pages) expect(text, `of ${path}`).toContain('<a href="/account"');
  const byPath = new Map(pages);
  for (const path of ["/", "/docs/api/keys", "/docs/api/get-dca"]) {
    const links = byPath.get(path)?.match(/href="\/account"/g);
    expect(links?.length, `of ${path}`).toBeGreaterThan(1);
  }
});

test("errors lead to the documentation alone", () => {
  const replyTo = errorReplies(PUBLIC_URL);
  for (const code of Object.keys(STATUS_OF) as ErrorCode[]) {
    const { body } = replyTo({ code, message: "" });
    expect(String(body)).toContain(`"docs_url":"${PUBLIC_URL}/docs/errors#${code}"`);
  }
});
