import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright-core";

/** A folder for a screenshot of each page, if one is wanted. */
const SHOTS = process.env["HINDSIGHT_SCREENSHOTS"] ?? "";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A page, with what it wrote to the console and requested from elsewhere. */
export interface SeenPage {
  readonly page: Page;
  readonly messages: string[];
  readonly outside: string[];
  readonly requests: Request[];
}

/** Opens a page of a server, with its network recorded. */
export async function openPage(browser: Browser, origin: string, path: string): Promise<SeenPage> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const seen: SeenPage = { page, messages: [], outside: [], requests: [] };
  page.on("console", (message) => seen.messages.push(message.text()));
  page.on("pageerror", (error) => seen.messages.push(error.message));
  page.on("request", (request) => {
    seen.requests.push(request);
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("data:")) seen.outside.push(url);
  });
  await page.goto(origin + path, { waitUntil: "load" });
  return seen;
}

/** What is wrong with the look of a page: sideways scroll, texts over texts in charts, and what axe finds. */
export async function faultsOf(
  page: Page,
  path: string,
  width: number,
  colorScheme: "light" | "dark",
): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  if (SHOTS !== "") {
    const name = `${path.slice(1).replaceAll("/", "-") || "home"}-${width}-${colorScheme}.png`;
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, name), fullPage: true });
  }
  const covered = (await page.evaluate(COVERED)) as string[];
  return [...(await sidewaysScroll(page, width)), ...covered, ...(await violations(page))];
}

/** Whether a page scrolls sideways at a width. */
export async function sidewaysScroll(page: Page, width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 900 });
  const scrolled = Number(await page.evaluate("document.documentElement.scrollWidth"));
  return scrolled > width ? [`${scrolled} px wide at ${width}`] : [];
}

/** Finds texts of charts that lie over another one. */
const COVERED = `[...document.querySelectorAll("svg")].flatMap((svg) => {
  const texts = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
  return texts.filter(([, a], at) => texts.slice(0, at).some(([, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4));
}).map(([text]) => "covered: " + text)`;

/** Bytes that came over the network, as compressed: scripts, and all else. */
export async function weightOf({ requests }: SeenPage): Promise<{ script: number; rest: number }> {
  const weight = { script: 0, rest: 0 };
  for (const request of requests) {
    if (request.url().startsWith("data:")) continue;
    const { responseBodySize } = await request.sizes();
    weight[request.resourceType() === "script" ? "script" : "rest"] += responseBodySize;
  }
  return weight;
}

/** What axe finds against WCAG 2.2 AA: the rule with the elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Through the debugger's protocol, because the page's policy allows no script of ours.
  if (await page.evaluate("!('axe' in window)")) await page.evaluate(AXE);
  const found = (await page.evaluate(
    `axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
      resultTypes: ["violations"],
    })`,
  )) as { violations: { id: string; nodes: { html: string }[] }[] };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}
