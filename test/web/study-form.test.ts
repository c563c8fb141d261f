import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { StudyResult } from "../../api/study.ts";
import { DEFAULT_COSTS } from "../../quant/engine/costs.ts";
import { ENGINE_VERSION } from "../../quant/engine/version.ts";
import { runAskedStudy } from "../../quant/studies/asked-study.ts";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";
import { faultsIn } from "./no-faults.ts";
import { AS_OF, FIRST_DAY, marketSnapshot } from "../support/server-market.ts";

const PATH = "/strategies/ma_cross";
const REPORT = "#study article.report";
const PHONE = { width: 390, height: 800 };

const field = (page: Page, words: string) => page.getByLabel(words, { exact: false });

async function run(page: Page, fast: string, slow: string): Promise<string> {
  await field(page, "Fast").fill(fast);
  await field(page, "Slow").fill(slow);
  await page.getByRole("button", { name: /^Run/ }).click();
  await page.waitForSelector("#study progress", { state: "detached" });
  await page.waitForSelector(REPORT);
  return await page.locator(REPORT).innerText();
}

async function savedResult(page: Page): Promise<object> {
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save all as JSON" }).click();
  return JSON.parse(readFileSync((await (await saving).path())!, "utf8")) as object;
}

/** The same without a browser, as the server does it. */
function expected(fast: readonly number[], known: number) {
  const study = runAskedStudy(
    {
      strategy: "ma_cross",
      coin: "btc",
      startDay: FIRST_DAY + 201,
      parameters: { fast, slow: [30, 40] },
      endDay: AS_OF,
      ...DEFAULT_COSTS,
      folds: 6,
      nTrials: known,
    },
    marketSnapshot().bars("btc")!,
    { known, peers: null, resamples: 1_000 },
  );
  const result = StudyResult.from({ ...study, engineVersion: ENGINE_VERSION, snapshotId: "" });
  return JSON.parse(JSON.stringify(result)) as object;
}

describeInBrowser("the form of a study, in a browser", () => {
  const pages = new PagesOfTests();

  test(
    "says the verdict first, counts what ran in this tab, and has the figures of the server",
    { timeout: 180_000 },
    async () => {
      const { page, messages, outside } = await pages.open(PATH);
      await page.setViewportSize(PHONE);
      const first = await run(page, "5, 10", "30, 40");
      expect(first).toMatch(/best of 4 settings · /);
      // The focus moves after the report is painted.
      const focused = () => page.evaluate(() => document.activeElement?.id);
      await expect.poll(focused).toBe("study-title");
      expect(await savedResult(page)).toEqual(expected([5, 10], 4));
      await field(page, "4 are known from this tab").waitFor();
      const second = await run(page, "5, 15", "30, 40");
      expect(second).toContain("the best of 4 settings and 2 tried before");
      expect(await page.locator(`${REPORT} .event`).count()).toBe(1);
      expect(await page.locator(`${REPORT} .said`).textContent()).toContain("6 tries");
      expect(await savedResult(page)).toEqual(expected([5, 15], 6));
      await field(page, "6 are known from this tab").waitFor();
      const { best, start_date: from, end_date: to } = expected([5, 15], 6) as StudyResult;
      const years = (Date.parse(to) - Date.parse(from) + 86_400_000) / 86_400_000 / 365.25;
      const figures = `${Number(best!.run.sharpe!.toFixed(2))}_${Number(years.toFixed(2))}_6`;
      await expect
        .poll(() => new URL(page.url()).pathname)
        .toBe(`/strategies/ma_cross/btc_${figures}`);
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save picture" }).click();
      const picture = readFileSync((await (await saving).path())!);
      expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
      expect(await faultsIn(page, `${PATH}-study`, [390, "light"], [1440, "light"])).toEqual([]);
      await page.reload();
      await page.waitForSelector(REPORT);
      expect(await page.locator(`${REPORT} .said`).textContent()).toContain("4 tries");
      expect(messages).toEqual([]);
      expect(outside).toEqual([]);
    },
  );

  test(
    "runs a single set, beside holding, and says what is wrong with a field",
    { timeout: 60_000 },
    async () => {
      const { page } = await pages.open(`${PATH}?coin=eth&p.fast=5&p.slow=30`);
      await page.setViewportSize(PHONE);
      const said = await run(page, "5", "30");
      expect(said).toContain("Moving-average cross on ETH: 1 setting");
      expect(said).toContain("What 1,000 became, after costs");
      await field(page, "Fast").fill("50");
      await page.getByText('"fast" must be below "slow"').waitFor();
      expect(await page.getByRole("button", { name: /^Run/ }).isDisabled()).toBe(true);
      expect(await faultsIn(page, `${PATH}-single`, [390, "dark"])).toEqual([]);
    },
  );
});

describeInBrowser("the form of a study where prices are withheld", () => {
  const pages = new PagesOfTests({ withholdsPrices: true });

  test("is not there, and the page says why", async () => {
    const { page, messages } = await pages.open(PATH);
    await page.setViewportSize(PHONE);
    expect(await page.locator("#study").count()).toBe(0);
    await page.getByText("Daily prices are not shown here").waitFor();
    expect(await faultsIn(page, `${PATH}-withheld`, [390, "light"])).toEqual([]);
    expect(messages).toEqual([]);
  });
});
