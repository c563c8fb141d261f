import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { decimal, dollars } from "../../web/format.ts";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";
import { sidewaysScroll } from "../support/seen-page.ts";

/** The width of A4 at 96 dots an inch. */
const PAPER_WIDTH = 794;
/** A page's menu, links, tables and charts, with all details closed. */
const TAB_STOPS_MAX = 60;

describeInBrowser("without a pointer, and on paper", () => {
  const pages = new PagesOfTests();
  const open = async (path: string) => (await pages.open(path)).page;
  const focused = (page: Page) =>
    page.evaluate("document.activeElement.textContent") as Promise<string>;

  test("the first key skips to the content, the menu follows and leads on", async () => {
    const page = await open("/index");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to content");
    for (const name of ["Hindsight", "Check", "Index", "Dataset", "Coins"]) {
      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe(name);
    }
    await page.keyboard.press("Enter");
    await page.waitForURL("**/coins");
  });

  test("a table opens by key, and no page is a walk of hundreds of stops", async () => {
    for (const path of ["/", "/dataset", "/dataset/coins/btc", "/strategies/macd_cross"]) {
      const page = await open(path);
      let stops = 0;
      do {
        await page.keyboard.press("Tab");
        stops++;
      } while ((await page.evaluate("document.activeElement !== document.body")) && stops < 200);
      expect(stops, `of ${path}`).toBeLessThan(TAB_STOPS_MAX);
    }
    const page = await open("/index");
    await page.locator("summary").first().focus();
    await page.keyboard.press("Enter");
    expect(await page.locator("table").first().isVisible()).toBe(true);
  });

  test("arrow keys tell a chart's values, and Enter leads from a point to its run", async () => {
    const page = await open("/dataset");
    const figure = page.locator("figure", { hasText: "did worse afterwards" }).first();
    await figure.locator("svg.wide").focus();
    await page.keyboard.press("ArrowRight");
    const said = await figure.getByRole("status").textContent();
    expect(said).toMatch(/ on [A-Z]+, −?\d\.\d\d while choosing, −?\d\.\d\d afterwards$/);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dataset/coins/*#*");
    const row = await page.locator("tr:target").textContent();
    const [, choosing, afterwards] = /(−?\d\.\d\d) while choosing, (−?\d\.\d\d)/.exec(said!)!;
    expect(row).toContain(choosing!);
    expect(row).toContain(afterwards!);
  });

  test("a pointer shows the value that the index had", async () => {
    const page = await open("/index");
    const chart = page.locator("svg.wide").first();
    await chart.hover({ position: { x: 300, y: 150 } });
    const shown = (await page.locator(".cursor text").first().textContent())!;
    const [month, value] = shown.split(": ");
    expect(month).toMatch(/^[A-Z][a-z]+ \d{4}$/);
    await page.locator("summary").first().click();
    expect(await page.locator("table").first().textContent()).toContain(value!);
  });

  test("the calculator of a coin computes what GET /dca answers", async () => {
    const page = await open("/coins/btc");
    await page.getByLabel("Dollars a purchase").focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("250");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.getByLabel("First purchase").fill("2020-05-31");
    const query = "coin=btc&amount=250&frequency=biweekly&start_date=2020-05-31";
    const response = await pages.server.get(`/v1/dca?${query}`, await pages.server.key());
    const { data } = (await response.json()) as {
      data: { purchases: number; value_usd: number; lump_sum: { value_usd: number } };
    };
    const said = await page.locator("#dca .verdict").textContent();
    expect(said).toContain(`${decimal(data.purchases, 0)} purchases`);
    expect(said).toContain(`became ${dollars(data.value_usd)}`);
    expect(said).toContain(`first day: ${dollars(data.lump_sum.value_usd)}`);
    await page.getByLabel("First purchase").fill("2001-01-01");
    expect(await page.locator("#dca .verdict").textContent()).toContain("days from 2020-01-01");
  });

  test("on paper there is no menu, charts fit and tables are whole", async () => {
    for (const path of ["/index", "/dataset/coins/btc", "/coins/btc"]) {
      const page = await open(path);
      await page.evaluate(
        "document.querySelectorAll('details').forEach((each) => (each.open = true))",
      );
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      expect(await sidewaysScroll(page, PAPER_WIDTH), `of ${path}`).toEqual([]);
      expect(await page.locator("header nav").isVisible()).toBe(false);
      const cut = await page.evaluate(`Array.from(document.querySelectorAll("svg, table"))
        .map((each) => each.getBoundingClientRect().right).filter((right) => right > ${PAPER_WIDTH})`);
      expect(cut, `of ${path}`).toEqual([]);
      const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      expect(ground, "paper is white in a dark scheme, too").toBe("rgb(255, 255, 255)");
    }
  });
});
