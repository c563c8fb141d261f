import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dollars } from "../../web/format.ts";
import { SAMPLES } from "../../web/browser/sample-files.ts";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";
import { parsedCsv } from "../support/parsed-csv.ts";
import { textFaultsAt, type Look } from "./no-faults.ts";

const LOOKS = [390, 768, 1440].flatMap((width): Look[] => [
  [width, "light"],
  [width, "dark"],
]);

describeInBrowser("the texts of charts", () => {
  const pages = new PagesOfTests();

  test(
    "of the report on a sample file: none meets another, is cut or lies over a line",
    { timeout: 60_000 },
    async () => {
      const { page } = await pages.open("/check");
      for (const { words } of SAMPLES) {
        await page.goto(`${pages.server.origin}/check`);
        await page.getByRole("button", { name: words }).click();
        await page.waitForSelector("[data-verdict]");
        for (const look of LOOKS) expect(await textFaultsAt(page, look), `on ${words}`).toEqual([]);
      }
    },
  );

  test("a tap on a chart shows its value, which stays until one elsewhere or Escape", async () => {
    const { page } = await pages.open("/index");
    await page.setViewportSize({ width: 390, height: 900 });
    const chart = page.locator("svg.chart.narrow").first();
    const bubble = chart.locator(".bubble");
    const touch = { pointerType: "touch", bubbles: true };
    const box = (await chart.boundingBox())!;
    const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    await chart.dispatchEvent("pointerdown", { ...touch, ...at });
    await chart.dispatchEvent("pointerleave", touch);
    expect(await bubble.count()).toBe(1);
    await page.locator("h1").dispatchEvent("pointerdown", touch);
    expect(await bubble.count()).toBe(0);
    await chart.dispatchEvent("pointerdown", { ...touch, ...at });
    await chart.press("Escape");
    expect(await bubble.count()).toBe(0);
  });

  test("on a phone a coin is a row of the map, a tap shows its run, and a second leads there", async () => {
    const context = await pages.browser.newContext({
      viewport: { width: 390, height: 900 },
      hasTouch: true,
    });
    const page = await context.newPage();
    await page.goto(`${pages.server.origin}/dataset`);
    const map = page.locator("#map svg.narrow");
    expect(await map.locator("text", { hasText: "BTC" }).count()).toBe(1);
    const cell = map.locator(".follow rect").first();
    await cell.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await cell.boundingBox())!;
    const tap = () => page.touchscreen.tap(x + width / 2, y + height / 2);
    await tap();
    await expect.poll(() => map.locator(".bubble").count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe("/dataset");
    await tap();
    await page.waitForURL("**/dataset/coins/*");
  });

  test("the picture of savings has its files and its address", async () => {
    const { page } = await pages.open("/coins/btc");
    await page.getByLabel("Dollars a purchase").fill("50");
    const saved = async (name: string) => {
      const saving = page.waitForEvent("download");
      await page.locator("#dca").getByRole("button", { name, exact: true }).click();
      return readFileSync((await (await saving).path())!, "utf8");
    };
    const rows = parsedCsv(await saved("CSV"));
    const sentence = await page.locator("#dca .verdict").innerText();
    expect(sentence).toContain(dollars(Number(rows.at(-1)!["bit_by_bit_usd"])));
    expect(sentence).toContain(dollars(Number(rows.at(-1)!["paid_in_usd"])));
    expect(await saved("SVG")).toMatch(/^<svg xmlns=.*amount=50/s);
    const link = await page.evaluate("document.querySelector('#dca a[data-copy]').href");
    expect(link).toContain("amount=50");
  });

  test("the first screen of a phone has the door", async () => {
    const { page } = await pages.open("/");
    await page.setViewportSize({ width: 390, height: 844 });
    const door = (await page.locator(".door").boundingBox())!;
    expect(door.y + door.height).toBeLessThan(844);
    expect(door.height).toBeGreaterThanOrEqual(44);
    const nav = (await page.locator(".bar nav").boundingBox())!;
    expect(nav.height, "one line").toBeLessThan(50);
    const last = (await page.locator(".bar nav a").last().boundingBox())!;
    expect(last.x + last.width, "the last link is seen").toBeLessThanOrEqual(390);
  });

  test("the board is sorted by the column that is pressed, and filtered by name", async () => {
    const { page } = await pages.open("/coins");
    const column = async (place: number) =>
      await page
        .locator(`table[data-sorts] tbody tr:not([hidden]) td:nth-child(${place})`)
        .allTextContents();
    const heading = page.locator("table[data-sorts] th").last();
    await heading.getByRole("button").click();
    expect(await heading.getAttribute("aria-sort")).toBe("descending");
    const width = await page.locator("table[data-sorts] th").count();
    const falls = (await column(width)).map((text) =>
      Number(text.replace("−", "-").replaceAll(/[^\d.-]/g, "")),
    );
    expect(falls).toEqual(falls.toSorted((a, b) => b - a));
    await heading.getByRole("button").press("Enter");
    expect(await heading.getAttribute("aria-sort")).toBe("ascending");
    await page.getByLabel("Find in coins").fill("bitc");
    expect(await column(1)).toEqual([expect.stringContaining("BTC")]);
  });
});
