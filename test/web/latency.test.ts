import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";

const PHONE = { width: 390, height: 800 };
const LATENCY = 150;

describeInBrowser("a phone with 150 ms of latency", () => {
  const pages = new PagesOfTests();

  async function opened(path: string): Promise<Page> {
    const context = await pages.browser.newContext({ viewport: PHONE, hasTouch: true });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: LATENCY,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await page.goto(pages.server.origin + path, { waitUntil: "domcontentloaded" });
    return page;
  }

  async function tap(page: Page, selector: string): Promise<void> {
    const place = page.locator(selector);
    await place.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await place.boundingBox())!;
    await page.touchscreen.tap(x + width / 2, y + height / 2);
  }

  test("the first tap on a study runs it", { timeout: 120_000 }, async () => {
    const page = await opened("/strategies/ma_cross");
    await tap(page, "#study button[type=submit]");
    await page.waitForSelector("#study article.report", { timeout: 100_000 });
    const asked = new URL(page.url()).searchParams.get("coin");
    expect(asked).not.toBeNull();
  });

  test("a link to a study runs it", { timeout: 120_000 }, async () => {
    const page = await opened("/strategies/ma_cross?coin=eth&p.fast=5&p.slow=30");
    await page.waitForSelector("#study article.report", { timeout: 100_000 });
    expect(await page.locator("#study-title").innerText()).toContain("on ETH: 1 setting");
  });

  test.each(["/", "/luck/1.8_2_100"])(
    "what the calculator of %s refuses leaves no answer",
    { timeout: 60_000 },
    async (path) => {
      const page = await opened(path);
      await page.waitForLoadState("load");
      const verdict = page.locator(".card > .verdict");
      const typed = (words: string) => page.getByLabel(`${words}, typed`);
      const tries = typed("Settings you tried");
      for (const [box, refused, said, taken] of [
        [tries, "2000000000", "Tries are a whole number from 1 to 1,000,000,000.", "1000000000"],
        [tries, "0.5", "Tries are a whole number", "100000"],
        [typed("Years of daily data"), "0.04", "Years are from 0.05 to 100.", "0.25"],
        [typed("Sharpe ratio"), "", "A Sharpe ratio is a number", "-1"],
      ] as const) {
        await box.fill(refused);
        await expect.poll(() => verdict.innerText()).toContain(`No answer yet: ${said}`);
        expect(await verdict.innerText()).not.toMatch(/Luck|Yours|Too close/);
        expect(await page.locator("svg.chart .dot.fill-accent").count()).toBe(
          await page
            .locator("#index svg.chart .dot.fill-accent, #finding svg.chart .dot.fill-accent")
            .count(),
        );
        expect(await page.locator(".refused").innerText()).toContain(said);
        await box.fill(taken);
        await expect.poll(() => verdict.innerText()).toContain("Yours shows");
      }
      expect(await verdict.innerText()).toContain("Luck does this often.");
    },
  );

  test("what the savings calculator refuses leaves no answer", { timeout: 60_000 }, async () => {
    const page = await opened("/coins/btc");
    await page.waitForLoadState("load");
    const amount = page.getByLabel("Dollars a purchase");
    await amount.fill("0");
    await expect
      .poll(() => page.locator("#dca .verdict").innerText())
      .toMatch(/^An amount above 0/);
    expect(await page.locator("#dca figure").count()).toBe(0);
    await amount.fill("50");
    await expect.poll(() => page.locator("#dca .verdict").innerText()).toContain("in all, became");
  });
});
