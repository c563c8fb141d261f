import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violations } from "../support/axe.ts";
import { browserOfTests, describeInBrowser } from "../support/chromium.ts";
import { ServerFixture } from "../support/server-fixture.ts";

const PATHS = [
  "/",
  "/check",
  "/index",
  "/dataset",
  "/coins",
  "/coins/btc",
  "/coins/new",
  "/strategies",
  "/strategies/macd_cross",
];
const WIDTHS = [390, 768, 1440];
/** Screenshots stay there for whoever wants to look. */
const SHOTS = join(tmpdir(), "hindsight-pages");

interface Seen {
  readonly page: Page;
  readonly messages: string[];
  readonly outside: string[];
}

describeInBrowser("the pages, in a browser", () => {
  const browser = browserOfTests();
  let server: ServerFixture;
  beforeAll(async () => {
    server = await ServerFixture.start();
    mkdirSync(SHOTS, { recursive: true });
  });
  afterAll(() => server.close());

  async function open(path: string): Promise<Seen> {
    const page = await browser().newPage({ viewport: { width: 1440, height: 900 } });
    const seen: Seen = { page, messages: [], outside: [] };
    page.on("console", (message) => seen.messages.push(message.text()));
    page.on("pageerror", (error) => seen.messages.push(error.message));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(server.origin) && !url.startsWith("data:")) seen.outside.push(url);
    });
    await page.goto(server.origin + path, { waitUntil: "load" });
    return seen;
  }

  /** What is wrong with the look of a page. */
  async function faultsOf(page: Page, path: string, width: number, colorScheme: "light" | "dark") {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const name = `${path.slice(1).replaceAll("/", "-") || "home"}-${width}-${colorScheme}.png`;
    await page.screenshot({ path: join(SHOTS, name), fullPage: true });
    const scrolled = Number(await page.evaluate("document.documentElement.scrollWidth"));
    const wide = scrolled > width ? [`${scrolled} px wide`] : [];
    return [...wide, ...(await violations(page))];
  }

  for (const path of PATHS) {
    test(`${path}: nothing from outside, no message, no sideways scroll, axe clean`, async () => {
      const { page, messages, outside } = await open(path);
      for (const width of WIDTHS) {
        for (const scheme of ["light", "dark"] as const) {
          expect(await faultsOf(page, path, width, scheme), `${width} px, ${scheme}`).toEqual([]);
        }
      }
      expect(messages).toEqual([]);
      expect(outside).toEqual([]);
      await page.close();
    });
  }

  test("the calculator answers a key press, says the verdict, and its link shows the same", async () => {
    const { page } = await open("/check");
    await page.getByRole("slider", { name: "Sharpe ratio" }).focus();
    for (let press = 0; press < 30; press++) await page.keyboard.press("ArrowRight");
    const verdict = page.locator(".verdict");
    expect(await verdict.textContent()).toContain("Yours shows 3.30");
    const address = page.url();
    expect(address).toContain("sharpe=3.3");
    const said = await verdict.textContent();
    await page.goto(address, { waitUntil: "load" });
    expect(await page.locator(".verdict").textContent()).toBe(said);
    await page.close();
  });

  test("pages that compute nothing need no script", async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${server.origin}/coins/btc`);
    expect(await page.locator("h1").textContent()).toContain("Bitcoin");
    expect(await page.locator("svg.wide").first().isVisible()).toBe(true);
    await context.close();
  });
});
