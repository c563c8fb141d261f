import { expect, test } from "vitest";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";

const PATHS = [
  "/",
  "/check",
  "/index",
  "/dataset",
  "/dataset/coins/btc",
  "/coins",
  "/coins/btc",
  "/strategies",
  "/strategies/macd_cross",
];

/** In the page: every two texts of a chart whose boxes meet, and every text that leaves the page. */
const FAULTS = `(() => {
  const faults = [];
  for (const svg of document.querySelectorAll("svg.chart")) {
    if (svg.getBoundingClientRect().width === 0) continue;
    const texts = [...svg.querySelectorAll("text")]
      .filter((text) => text.textContent.trim() !== "")
      .map((text) => ({ words: text.textContent.trim(), box: text.getBoundingClientRect() }));
    for (const [at, { words, box }] of texts.entries()) {
      if (box.left < -1 || box.right > innerWidth + 1) faults.push(words + " leaves the page");
      for (const other of texts.slice(at + 1)) {
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 1 && down > 3) faults.push(words + " meets " + other.words);
      }
    }
  }
  // A column that is squeezed to a letter a line is as wide as its heading at least.
  for (const cell of document.querySelectorAll(".scroll th:first-child")) {
    const { width } = cell.getBoundingClientRect();
    if (width > 0 && width < 60 && cell.textContent.trim() !== "" && innerWidth < 520)
      faults.push(cell.textContent + " is " + width + " px wide");
  }
  return faults;
})()`;

describeInBrowser("the texts of charts", () => {
  const pages = new PagesOfTests();

  test.each(PATHS)("%s: none meets another or leaves the page", async (path) => {
    const { page } = await pages.open(path);
    const found: string[] = [];
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const faults = (await page.evaluate(FAULTS)) as string[];
      found.push(...faults.map((fault) => `${width}: ${fault}`));
    }
    expect(found).toEqual([]);
  });

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
