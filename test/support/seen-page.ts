import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";

/** Screenshots stay there for whoever wants to look. */
const SHOTS = join(tmpdir(), "hindsight-pages");
const AXE = createRequire(import.meta.url).resolve("axe-core");

/** A page, with what it wrote to the console and requested from elsewhere. */
export interface SeenPage {
  readonly page: Page;
  readonly messages: string[];
  readonly outside: string[];
}

/** Opens a page of a server, with its network recorded. */
export async function openPage(browser: Browser, origin: string, path: string): Promise<SeenPage> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const seen: SeenPage = { page, messages: [], outside: [] };
  page.on("console", (message) => seen.messages.push(message.text()));
  page.on("pageerror", (error) => seen.messages.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("data:")) seen.outside.push(url);
  });
  await page.goto(origin + path, { waitUntil: "load" });
  return seen;
}

/** What is wrong with the look of a page: sideways scroll, and what axe finds. */
export async function faultsOf(
  page: Page,
  path: string,
  width: number,
  colorScheme: "light" | "dark",
): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  const name = `${path.slice(1).replaceAll("/", "-") || "home"}-${width}-${colorScheme}.png`;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, name), fullPage: true });
  const scrolled = Number(await page.evaluate("document.documentElement.scrollWidth"));
  const wide = scrolled > width ? [`${scrolled} px wide`] : [];
  return [...wide, ...(await violations(page))];
}

/** What axe finds against WCAG 2.2 AA: the rule with the elements. */
async function violations(page: Page): Promise<readonly string[]> {
  // Through the debugger's protocol, because the page's policy allows no script of ours.
  await page.evaluate(readFileSync(AXE, "utf8"));
  const found = (await page.evaluate(
    "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })",
  )) as { violations: { id: string; nodes: { html: string }[] }[] };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}
