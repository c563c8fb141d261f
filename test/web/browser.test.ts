import { afterAll, beforeAll, expect, test } from "vitest";
import { browserOfTests, describeInBrowser } from "../support/chromium.ts";
import { faultsOf, openPage } from "../support/seen-page.ts";
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
describeInBrowser("the pages, in a browser", () => {
  const browser = browserOfTests();
  let server: ServerFixture;
  beforeAll(async () => {
    server = await ServerFixture.start();
  });
  afterAll(() => server.close());

  const open = (path: string) => openPage(browser(), server.origin, path);

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
