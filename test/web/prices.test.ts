import { describe, expect, test } from "vitest";
import { PRICE_RANGES, priceSeriesOf, type PriceRange } from "../../web/price-view.ts";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";
import { FIRST_DAY, marketSnapshot } from "../support/server-market.ts";

const RANGES = Object.keys(PRICE_RANGES) as PriceRange[];

describe("the prices of a coin", () => {
  const market = [{ ticker: "btc", name: "Bitcoin", firstDay: FIRST_DAY, days: 1300 }];
  const snapshot = marketSnapshot(undefined, market);

  test.each(RANGES)("of %s have the pipeline's bands and trend", (range) => {
    const series = priceSeriesOf(snapshot.bars("btc")!, range);
    const columns = snapshot.indicators("btc")!;
    const days = Math.min(PRICE_RANGES[range], 1300);
    expect(series.dates.length).toBe(days);
    for (const [drawn, made] of [
      [series.upper, columns.bollingerUpper],
      [series.lower, columns.bollingerLower],
      [series.trend, columns.supertrend],
      [series.direction, columns.supertrendDirection],
    ] as const)
      expect(drawn).toEqual(made.slice(-days));
  });
});

describeInBrowser("the price picture", () => {
  const pages = new PagesOfTests();

  test("shows the period and the scale that are pressed, and follows a finger", async () => {
    const { page, messages, requests } = await pages.open("/coins/btc");
    const picture = page.locator("#price-picture");
    const subtitle = picture.locator("figcaption span");
    const line = async () => (await picture.locator("svg.wide path.follow").getAttribute("d"))!;
    const days = async () => (await line()).split("L").length;
    expect(await subtitle.textContent()).toMatch(/up to \d{4}-\d\d-\d\d, logarithmic/);
    expect(requests.some((request) => request.url().endsWith("bars.json"))).toBe(false);
    await page.getByRole("button", { name: "3M" }).click();
    await expect.poll(days).toBe(91);
    const logarithmic = await line();
    await page.getByRole("button", { name: "linear" }).click();
    await expect.poll(line).not.toBe(logarithmic);
    expect(await subtitle.textContent()).not.toContain("logarithmic");
    expect(await page.getByRole("button", { name: "3M" }).getAttribute("aria-pressed")).toBe(
      "true",
    );
    await page.getByRole("button", { name: "all" }).click();
    await expect.poll(days).toBeGreaterThan(365);
    await picture.locator("svg.wide").press("ArrowLeft");
    expect(await picture.locator(".bubble").count()).toBe(1);
    expect(messages).toEqual([]);
  });

  test("keeps the period and the scale in the address, beside the calculator's numbers", async () => {
    const { page, messages } = await pages.open("/coins/btc?amount=50");
    await page.getByRole("button", { name: "3M" }).click();
    await page.getByRole("button", { name: "linear" }).click();
    const address = new URL(page.url());
    expect(Object.fromEntries(address.searchParams)).toEqual({
      amount: "50",
      period: "3M",
      scale: "linear",
    });
    await page.goto(address.href);
    const picture = page.locator("#price-picture");
    const line = picture.locator("svg.wide path.follow");
    await expect.poll(async () => (await line.getAttribute("d"))!.split("L").length).toBe(91);
    expect(await picture.locator("figcaption span").textContent()).not.toContain("logarithmic");
    const pressed = page.locator("#price-tools [aria-pressed=true]");
    expect(await pressed.allTextContents()).toEqual(["3M", "linear"]);
    expect(await page.getByLabel("Dollars a purchase").inputValue()).toBe("50");
    await page.goto(`${address.origin}/coins/btc?period=9Y`);
    expect(await pressed.allTextContents()).toEqual(["1Y", "log"]);
    expect(messages).toEqual([]);
  });

  test("says where the server has no prices now", async () => {
    const { page } = await pages.open("/coins/btc");
    await page.route("**/bars.json", (route) => route.abort());
    await page.getByRole("button", { name: "3Y" }).click();
    const status = page.locator("#price-tools [role=status]");
    await expect
      .poll(() => status.textContent())
      .toBe("The prices can’t be had from the server now.");
  });
});
