import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";
import { csv, liveFiles } from "../support/live-files.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { pictureOf, faultsIn } from "./no-faults.ts";
import { A, L3, L4, series } from "../quant/live/series.ts";

const DONE = "[data-verdict]";
const { backtest, live, both } = liveFiles();
const AFTER = dayOfDate("2023-05-23")!;
/** Half a year of a backtest, the best of five, and as much of live days that lead nowhere. */
const SHORT = csv(["a"], [A.slice(0, 180)], dayOfDate("2022-01-08")!);
const AFTER_SHORT = dayOfDate("2022-07-07")!;
const BELOW = series(31, 60, -0.003, 0.02);
const FLAT = series(31, 210, 0.0004, 0.02);

async function choose(page: Page, label: string | RegExp, text: string, name: string) {
  const input = page.getByLabel(label);
  await input.setInputFiles({ name, mimeType: "", buffer: Buffer.from(text) });
}

describeInBrowser("a second file on the check page", () => {
  const pages = new PagesOfTests();

  async function compared(liveText: string, first = backtest) {
    const seen = await pages.open("/check");
    await choose(seen.page, /Drop the file/, first, "grid.csv");
    await seen.page.waitForSelector(DONE);
    await choose(seen.page, "Is it live? Add what it did", liveText, "live.csv");
    await seen.page.waitForSelector("section.live");
    return seen;
  }

  test("says whether live is what was promised, in a picture, and how long it takes", async () => {
    const { page, messages, outside } = await compared(live);
    expect(await page.locator("section.live h2").textContent()).toBe("Stop: it loses live.");
    expect(await page.locator("section.live .said").textContent()).toMatch(
      /^It lost 84 % in 300 days \(10,000 → 1,630\)\. Since 2023-12-03 /,
    );
    expect(await page.locator("section.live svg.wide .stop-ring").count()).toBe(1);
    expect(await page.getByText("It took 195 days to know").count()).toBe(1);
    expect(messages).toEqual([]);
    expect(outside).toEqual([]);
    expect(await faultsIn(page, "/check-live-stop", [390, "light"], [1440, "dark"])).toEqual([]);
    await page.getByText("live: live.csv · change").click();
    await page.getByRole("button", { name: "Leave it out" }).click();
    await page.waitForSelector(DONE);
    expect(await page.locator("section.live").count()).toBe(0);
  });

  test("may come first, and is too early where nothing is decided; the saved report has it", async () => {
    const { page } = await pages.open("/check");
    await choose(page, "Is it live? Add what it did", csv(["returns"], [L4], AFTER), "live.csv");
    await choose(page, /Drop the file/, backtest, "grid.csv");
    await page.waitForSelector("section.live");
    expect(await page.locator("section.live h2").textContent()).toBe("Too early to tell.");
    expect(await page.getByText(/^One can know in 1\d\d days, at even odds$/).count()).toBe(1);
    expect(await faultsIn(page, "/check-live-open", [390, "light"])).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save HTML" }).click(),
    ]);
    const saved = readFileSync((await download.path())!, "utf8");
    expect(saved).toContain("Too early to tell.");
    expect(saved).toContain("How long until one can know");
    expect(saved).not.toContain("<script");
  });

  test("need not be there: one file is live from a day on", async () => {
    const { page } = await pages.open("/check");
    await page.getByText("From which day live counts").click();
    await page.getByLabel("Live counts from").fill("2023-05-23");
    await choose(page, /Drop the file/, both, "both.csv");
    await page.waitForSelector("section.live");
    expect(await page.locator("section.live h2").textContent()).toBe("Stop: it loses live.");
  });

  test("is asked about by itself", async () => {
    const percents = live.replaceAll(/,-?(\d).*/g, ",0.$1").replaceAll(",0.0", ",-0.9");
    const { page } = await pages.open("/check");
    await choose(page, /Drop the file/, backtest, "grid.csv");
    await page.waitForSelector(DONE);
    await choose(page, "Is it live? Add what it did", percents, "live.csv");
    await page.waitForSelector("form[aria-labelledby=check-question]");
    expect(await page.locator("#check-question").textContent()).toContain("about the live file");
    expect(await page.locator("form.asked pre").textContent()).toMatch(
      /hindsight check grid\.csv[^]*--live live\.csv/,
    );
    await page.getByText("Percent", { exact: true }).click();
    await page.getByRole("button", { name: "Check it" }).click();
    await page.waitForSelector("section.live");
  });

  test("as a list of trades is matched with the backtest's, and the matched trades are saved", async () => {
    const list = (name: string) =>
      readFileSync(
        new URL(`../check/reconcile-cases/04-slippage/${name}.csv`, import.meta.url),
        "utf8",
      );
    const { page } = await pages.open("/check");
    const answer = async () => {
      await page.waitForSelector("form[aria-labelledby=check-question]");
      await page.locator("form.asked input[type=number]").fill("10000");
      await page.getByRole("button", { name: "Check it" }).click();
    };
    await choose(page, /Drop the file/, list("backtest"), "backtest.csv");
    await answer();
    await page.waitForSelector(DONE);
    await choose(page, "Is it live? Add what it did", list("live"), "live.csv");
    await answer();
    const differs = page.getByRole("region", { name: "Why it differs" });
    await differs.waitFor();
    expect(await differs.locator("svg").first().isVisible()).toBe(true);
    expect(await faultsIn(page, "/check-differs", [390, "light"], [1440, "dark"])).toEqual([]);
    const saving = page.waitForEvent("download");
    await differs.getByRole("button", { name: "Save trades (CSV)" }).click();
    const saved = readFileSync((await (await saving).path())!, "utf8")
      .trim()
      .split("\n");
    expect(saved[0]).toContain("backtest_entry");
    expect(saved).toHaveLength(1 + 97 + 85); // those before the live days, and the pairs
  });

  test.each([
    ["too-early", backtest, L4, AFTER, "5", "Too early to tell."],
    ["below", backtest, BELOW, AFTER, "20", "Worse than promised, not yet proof."],
    ["stop", backtest, L3.slice(0, 165), AFTER, "13", "Stop: live contradicts the backtest."],
    ["nobody-can-tell", SHORT, FLAT, AFTER_SHORT, "5", "No one can tell yet."],
  ] as const)("is drawn in the documentation: %s", async (...row) => {
    const [name, first, days, from, tries, title] = row;
    const { page } = await pages.open("/check");
    await page.getByLabel("How many settings did you try?").fill(tries);
    await choose(page, "Is it live? Add what it did", csv(["returns"], [days], from), "live.csv");
    await choose(page, /Drop the file/, first, "grid.csv");
    await page.waitForSelector("section.live");
    expect(await page.locator("section.live h2").textContent()).toBe(title);
    await page.setViewportSize({ width: 1000, height: 900 });
    const picture = await pictureOf(page, "section.live", `live-${name}`, "live.md");
    expect(picture.kept, `HINDSIGHT_GOLDEN=write rewrites ${picture.path}`).toBe(picture.drawn);
    expect(picture.bytes).toBeLessThan(30_000);
    expect(picture.isShown).toBe(true);
  });

  test("that is long says how far it is", async () => {
    const years = csv(["returns"], [series(41, 2_500, 0.001, 0.02)], AFTER);
    const { page } = await compared(years);
    expect(await page.locator("section.live .hint").textContent()).toContain("2,500 days");
    expect(await faultsIn(page, "/check-live-long", [1440, "light"])).toEqual([]);
  });
});
