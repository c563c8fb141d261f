/** hyparquet in Chromium, on a page of another origin, reads one coin of a table by key and by link. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium, type Browser, type Page, type Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSnapshot } from "../../snapshots/reader.ts";
import { describeInBrowser, EXECUTABLE } from "../support/chromium.ts";
import { ServerFixture } from "../support/server-fixture.ts";
import { NAME, tableServer } from "../support/table-server.ts";

/** What the page loads, as its reader would from a package server. */
const MODULES = ["hyparquet/src", "fzstd/esm"].map((folder) => join("node_modules", folder));
const PROGRAM = `
import { asyncBufferFromUrl, parquetReadObjects } from "/node_modules/hyparquet/src/index.js";
import { decompress } from "/node_modules/fzstd/esm/index.mjs";
const compressors = { ZSTD: (input) => decompress(input) };
window.read = async (url, requestInit) => {
  const file = await asyncBufferFromUrl({ url, requestInit });
  const options = { file, compressors, columns: ["coin", "rsi_14"], filter: { coin: { $eq: "btc" } } };
  const known = (await parquetReadObjects(options)).map((row) => row.rsi_14).filter((value) => value !== null);
  return [known.length, known.reduce((sum, value) => sum + value, 0) / known.length];
};`;

describeInBrowser("a page of another origin", async () => {
  const { root, manifest, options } = await tableServer("table-browser");
  const btc = (await openSnapshot(join(root, manifest.id))).indicators("btc")!;
  const known = [...btc.rsi14].filter((value) => !Number.isNaN(value));
  const figures = [known.length, known.reduce((sum, value) => sum + value, 0) / known.length];
  let pages: Server;
  let browser: Browser;
  let server: ServerFixture;
  let page: Page;
  let key = "";
  const seen: Request[] = [];

  beforeAll(async () => {
    pages = createServer(({ url = "" }, answer) => {
      if (!MODULES.some((folder) => url.startsWith(`/${folder}/`))) {
        answer.setHeader("content-type", "text/html");
        return void answer.end(`<script type="module">${PROGRAM}</script>`);
      }
      answer.setHeader("content-type", "text/javascript");
      answer.end(readFileSync(url.slice(1)));
    }).listen(0, "127.0.0.1");
    await once(pages, "listening");
    const origin = `http://localhost:${(pages.address() as AddressInfo).port}`;
    server = await ServerFixture.start({ ...options, corsOrigins: [origin] });
    key = await server.key();
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox"] });
    page = await browser.newPage();
    page.on("request", (request) => seen.push(request));
    await page.goto(origin);
    await page.waitForFunction("window.read");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    pages?.close();
  });

  async function read(url: string, headers: Record<string, string>) {
    seen.length = 0;
    const got = await page.evaluate(
      `window.read(${JSON.stringify(url)}, ${JSON.stringify({ headers })})`,
    );
    return { got, asked: seen.map((request) => [request.method(), request.headers()["range"]]) };
  }

  test.each(["key", "link"])("reads one coin by %s: a HEAD and parts", async (by) => {
    const { data } = (await (await server.get("/v1/snapshots", key)).json()) as {
      data: { files: { name: string; url: string }[] };
    };
    const { url: link } = data.files.find(({ name }) => name === NAME)!;
    const isLink = by === "link";
    const headers: Record<string, string> = isLink ? {} : { authorization: `Bearer ${key}` };
    const { got, asked } = await read(isLink ? link : link.split("?")[0]!, headers);
    expect(got).toEqual([figures[0], expect.closeTo(figures[1]!, 8)]);
    expect(asked[0]).toEqual(["HEAD", undefined]);
    expect(asked.length).toBeLessThanOrEqual(10);
    for (const [method, range] of asked.slice(1)) {
      expect(method).toBe("GET");
      expect(range).toMatch(/^bytes=\d+-\d+$/);
    }
  });
});
