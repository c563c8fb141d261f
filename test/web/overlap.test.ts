import { expect, test } from "vitest";
import { SAMPLES } from "../../web/browser/sample-files.ts";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";
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
