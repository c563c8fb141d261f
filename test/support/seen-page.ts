import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright-core";

/** The folder for screenshots of all pages, if they are wanted. */
const SHOTS = process.env["HINDSIGHT_SCREENSHOTS"] ?? "";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A page, what it wrote to the console, and its requests, those to other servers apart. */
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

/** The faults in the look of a page: sideways scrolling, texts that are covered or cut, and what axe finds. */
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
  const texts = await textFaults(page);
  return [...(await sidewaysScroll(page, width)), ...texts, ...(await violations(page))];
}

/** A fault if the page scrolls sideways at a width. */
export async function sidewaysScroll(page: Page, width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 900 });
  const scrolled = Number(await page.evaluate("document.documentElement.scrollWidth"));
  return scrolled > width ? [`${scrolled} px wide at ${width}`] : [];
}

/** The faults in the texts of charts and tables, also those in closed details. */
export async function textFaults(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(TEXT_FAULTS)) as string[];
}

/**
 * Finds texts of a chart that overlap, texts that the chart or the page cuts, labels under a line, and texts of a
 * table that overlap or are wider than their cells.
 */
const TEXT_FAULTS = `(() => {
  const faults = [];
  const closed = [...document.querySelectorAll("details:not([open])")];
  for (const details of closed) details.open = true;
  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const compare = (texts) => {
    for (const [at, { words, box }] of texts.entries())
      for (const other of texts.slice(at + 1))
        if (meet(box, other.box)) faults.push(words + " meets " + other.words);
  };
  const crosses = (line, box) => {
    const points = [...line.getAttribute("d").matchAll(/([ML])(-?[\\d.]+),(-?[\\d.]+)/g)];
    return points.some(([, pen, x, y], at) => {
      if (pen === "M") return false;
      const [fromX, fromY, toX, toY] = [points[at - 1][2], points[at - 1][3], x, y].map(Number);
      for (let share = 0; share <= 1; share += 0.02) {
        const [px, py] = [fromX + share * (toX - fromX), fromY + share * (toY - fromY)];
        if (px > box.x + 1 && px < box.x + box.width - 1 && py > box.y + 4 && py < box.y + box.height - 4) return true;
      }
      return false;
    });
  };
  for (const svg of document.querySelectorAll("svg.chart")) {
    const chart = svg.getBoundingClientRect();
    if (chart.width === 0) continue;
    const texts = [...svg.querySelectorAll("text")]
      .filter((text) => text.textContent.trim() !== "")
      .map((text) => ({ text, words: text.textContent.trim(), box: text.getBoundingClientRect() }));
    compare(texts);
    for (const { text, words, box } of texts) {
      if (box.left < -1 || box.right > innerWidth + 1) faults.push(words + " leaves the page");
      const isCut = box.left < chart.left - 2 || box.right > chart.right + 2 || box.top < chart.top - 4 || box.bottom > chart.bottom + 4;
      if (isCut) faults.push(words + " is cut by its chart");
      if (!text.matches(".halo")) continue;
      if ([...svg.querySelectorAll("path.line")].some((line) => crosses(line, text.getBBox())))
        faults.push(words + " lies over a line");
    }
  }
  for (const table of document.querySelectorAll("table")) {
    if (table.getBoundingClientRect().width === 0) continue;
    const texts = [];
    for (const cell of table.querySelectorAll("th, td")) {
      const range = document.createRange();
      range.selectNodeContents(cell);
      const [words, box, own] = [cell.textContent.trim(), range.getBoundingClientRect(), cell.getBoundingClientRect()];
      if (words === "" || own.width === 0) continue;
      texts.push({ words, box });
      const isCut = [cell, ...cell.querySelectorAll("*")].some((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== "visible");
      if (isCut || box.right > own.right + 1 || box.left < own.left - 1) faults.push(words + " is wider than its cell");
    }
    // Rows that are far from each other can't meet.
    for (let at = 0; at < texts.length; at += 40) compare(texts.slice(at, at + 60));
  }
  // A column that is squeezed to a letter a line is as wide as its heading at least, and leaves room for the others.
  for (const cell of document.querySelectorAll(".scroll th:first-child")) {
    const { width } = cell.getBoundingClientRect();
    if (innerWidth < 520 && width > 0 && cell.textContent.trim() !== "" && (width < 60 || width > 136))
      faults.push(cell.textContent + " is " + width + " px wide");
  }
  for (const details of closed) details.open = false;
  return faults;
})()`;

/** The bytes that came over the network, compressed: of scripts, and of all else. */
export async function weightOf({ requests }: SeenPage): Promise<{ script: number; rest: number }> {
  const weight = { script: 0, rest: 0 };
  for (const request of requests) {
    if (request.url().startsWith("data:")) continue;
    const { responseBodySize } = await request.sizes();
    weight[request.resourceType() === "script" ? "script" : "rest"] += responseBodySize;
  }
  return weight;
}

/** The violations of WCAG 2.2 AA that axe finds, and landmarks that share a name: each rule with its elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Through the debugger's protocol, because the page's policy allows no script of ours.
  if (await page.evaluate("!('axe' in window)")) await page.evaluate(AXE);
  const found = (await page.evaluate(
    `axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
      rules: { "landmark-unique": { enabled: true } },
      resultTypes: ["violations"],
    })`,
  )) as { violations: { id: string; nodes: { html: string }[] }[] };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}
