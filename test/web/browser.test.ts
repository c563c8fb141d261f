import { expect, test } from "vitest";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";
import { sidewaysScroll, weightOf } from "../support/seen-page.ts";
import { faultsIn, textFaultsAt } from "./no-faults.ts";

const PATHS = [
  "/",
  "/check",
  "/index",
  "/dataset",
  "/dataset/coins/btc",
  "/dataset/strategies/macd_cross",
  "/coins",
  "/coins/btc",
  "/coins/new",
  "/strategies",
  "/strategies/macd_cross",
];
/** Colours differ between the schemes, not between widths. */
const LOOKS = [
  [390, "light"],
  [1440, "light"],
  [1440, "dark"],
] as const;
/** At which charts are drawn in other colours or for other widths, whose texts must not meet either. */
const FURTHER_LOOKS = [
  [390, "dark"],
  [768, "light"],
  [768, "dark"],
] as const;
const FURTHER_WIDTHS = [520, 768, 900, 1600];
const SCRIPT_BYTES_MAX = 60 * 1024;
const CHECK_SCRIPT_BYTES_MAX = 120 * 1024;
const REST_BYTES_MAX = 100 * 1024;

describeInBrowser("the pages, in a browser", () => {
  const pages = new PagesOfTests();

  for (const path of PATHS) {
    test(`${path}: nothing from outside, no message, no sideways scroll, no texts that meet, axe clean, light`, async () => {
      const seen = await pages.open(path);
      const { page, messages, outside } = seen;
      expect(await faultsIn(page, path, ...LOOKS)).toEqual([]);
      for (const look of FURTHER_LOOKS) expect(await textFaultsAt(page, look)).toEqual([]);
      for (const width of FURTHER_WIDTHS) expect(await sidewaysScroll(page, width)).toEqual([]);
      expect(messages).toEqual([]);
      expect(outside).toEqual([]);
      const { script, rest } = await weightOf(seen);
      expect(rest).toBeLessThan(REST_BYTES_MAX);
      expect(script).toBeLessThan(path === "/check" ? CHECK_SCRIPT_BYTES_MAX : SCRIPT_BYTES_MAX);
    });
  }

  test("a number can be typed beside each slider, within its range", async () => {
    const { page } = await pages.open("/");
    const box = page.getByRole("spinbutton", { name: "Settings you tried, typed" });
    await box.fill("512");
    const tries = page.getByText("The best of 512 tries");
    await expect.poll(() => tries.count()).toBe(1);
    await box.fill("2000000000");
    await expect.poll(() => tries.count()).toBe(0);
  });

  test("the calculator answers a key press, says the verdict, and its link shows the same", async () => {
    const { page } = await pages.open("/");
    await page.getByRole("slider", { name: "Sharpe ratio" }).focus();
    for (let press = 0; press < 30; press++) await page.keyboard.press("ArrowRight");
    const verdict = page.locator(".verdict");
    await expect.poll(() => verdict.textContent()).toContain("Yours shows 3.30");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/luck/3.3_2_100");
    const address = page.url();
    const said = await verdict.textContent();
    await page.goto(address, { waitUntil: "load" });
    await expect.poll(() => page.locator(".verdict").textContent()).toBe(said);
    await page.goto(`${pages.server.origin}/check?sharpe=3.3&years=2&tries=100`);
    await page.waitForURL("**/?sharpe=3.3&years=2&tries=100");
    await expect.poll(() => page.locator(".verdict").textContent()).toBe(said);
  });

  test("pages that compute nothing need no script", async () => {
    const context = await pages.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${pages.server.origin}/coins/btc`);
    expect(await page.locator("h1").textContent()).toContain("Bitcoin");
    expect(await page.locator("svg.wide").first().isVisible()).toBe(true);
  });
});
