import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { checkFile, type CheckFileOptions } from "../../check/check-file.ts";
import { needsMarket } from "../../check/market.ts";
import { CheckReport } from "../../api/check-report.ts";
import { reportJson } from "../../api/report-json.ts";
import { MoreNeeded, type ReadExport } from "../../check/formats/export.ts";
import { knownRunsOf } from "../../snapshots/tables/dataset-runs.ts";
import { htmlReport } from "../../web/report/html-report.tsx";
import { normalColumns } from "../quant/check/panels.ts";
import { returnsCsv, TRADES_CSV } from "../support/check-files.ts";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";
import { exportFiles } from "../support/exports.ts";
import { violations } from "../support/seen-page.ts";
import { FIRST_DAY, marketSnapshot } from "../support/server-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { faultsIn } from "./no-faults.ts";

const DONE = "[data-verdict]";
const FAILED = ".failed";
const ASKED = "form[aria-labelledby=check-question]";

interface SentFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const payload = ({ name, bytes }: SentFile) => ({ name, mimeType: "", buffer: bytes });

function fileOf(name: string, text: string): SentFile {
  return { name, bytes: Buffer.from(text) };
}

/** A CSV of daily returns that ends with the market's prices. */
function returnsFile(name: string, columns: readonly Float64Array[]): SentFile {
  const first = FIRST_DAY + 900 - columns[0]!.length;
  return fileOf(name, returnsCsv(first, columns));
}

/** Half of each day's return of a coin of the market, and something else. */
function followingFile(name: string, coin: string): SentFile {
  const { close } = marketSnapshot().bars(coin)!;
  const returns = Float64Array.from({ length: 300 }, (_, row) => {
    const at = close.length - 300 + row;
    return 0.5 * (close[at]! / close[at - 1]! - 1) + 0.002 * Math.sin(7 * row);
  });
  return returnsFile(name, [returns]);
}

const FOLLOWING = followingFile("following.csv", "btc");
const GRID = returnsFile("grid.csv", normalColumns(3, 300, [2, 0, 0, 0, 0, 0]));
const SINGLE = returnsFile("single.csv", normalColumns(3, 400, [3]));
const WORDS = fileOf("words.csv", "date,a\n2024-01-01,much\n2024-01-02,more\n");
const TRADES = fileOf("trades.csv", TRADES_CSV);

/** The same check without a browser, as the command does it. */
async function expected({ bytes }: SentFile, options: CheckFileOptions = {}) {
  const snapshot = marketSnapshot();
  const market = {
    coins: new Set(snapshot.coins.map(({ ticker }) => ticker)),
    barsOf: snapshot.bars,
    known: () => knownRunsOf(snapshot.runs()),
    isSynthetic: true,
  };
  const marketFor = async (read: ReadExport) =>
    needsMarket(read, options.coin) ? market : undefined;
  const checked = await checkFile(bytes, options, { marketFor });
  return { ...checked, report: CheckReport.from(checked.report) };
}

/** What the command prints, or why it refuses, but for the first letter. */
async function outcome(file: SentFile, options: CheckFileOptions = {}) {
  try {
    const { report, isSynthetic } = await expected(file, options);
    return { text: `${reportJson(report, isSynthetic)}\n`, asks: false };
  } catch (error) {
    return { text: (error as Error).message.slice(1), asks: error instanceof MoreNeeded };
  }
}

describeInBrowser("the check page, in a browser", () => {
  const pages = new PagesOfTests();

  async function open() {
    const { page, messages } = await pages.open("/check");
    const sent: Request[] = [];
    page.on("request", (request) => sent.push(request));
    return { page, sent, messages };
  }

  async function drop(page: Page, file: SentFile): Promise<void> {
    await page.setInputFiles("#check-file", payload(file));
    await page.waitForSelector(`${DONE},${FAILED},${ASKED}`);
  }

  async function answer(page: Page, text: string): Promise<void> {
    await page.fill(`${ASKED} input`, text);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`${DONE},${FAILED}`);
  }

  /** The report as JSON, or why there is none. */
  async function said(page: Page): Promise<string | null> {
    const failed = page.locator(FAILED);
    return (await failed.isVisible()) ? failed.textContent() : savedJson(page);
  }

  async function savedJson(page: Page): Promise<string> {
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save JSON" }).click();
    return readFileSync((await (await saving).path())!, "utf8");
  }

  test(
    "of one export after the other, the page says what the command says",
    { timeout: 300_000 },
    async () => {
      const { page, sent, messages } = await open();
      for (const file of exportFiles()) {
        const first = await outcome(file);
        await drop(page, file);
        expect(await page.locator(ASKED).isVisible(), `of ${file.name}`).toBe(first.asks);
        if (first.asks) await answer(page, "10000");
        const { text } = first.asks ? await outcome(file, { startingCapital: 10_000 }) : first;
        expect(await said(page), `of ${file.name}`).toContain(text);
      }
      expect(messages).toEqual([]);
      expectNothingSent(sent);
    },
  );

  test("of a made file, where the exports aren't at hand, the page says the same", async () => {
    const { page, sent } = await open();
    await drop(page, GRID);
    expect(await savedJson(page)).toBe((await outcome(GRID)).text);
    expectNothingSent(sent);
  });

  test("with a coin, its prices are requested by its name, and the peers are the command's", async () => {
    const { page, sent } = await open();
    await page.fill("#check-coin", "btc");
    await drop(page, FOLLOWING);
    const { report, isSynthetic } = await expected(FOLLOWING, { coin: "btc" });
    expect(report.peers!.same_days.runs).toBeGreaterThan(100);
    expect(await savedJson(page)).toBe(`${reportJson(report, isSynthetic)}\n`);
    expect(await page.locator(".notice").textContent()).toContain("Made-up prices");
    const paths = sent.map((request) => new URL(request.url()).pathname);
    expect(paths.filter((path) => path.startsWith("/coins/"))).toEqual(["/coins/btc/bars.json"]);
    expect(paths).toContain("/dataset/runs.json");
    expectNothingSent(sent);
  });

  test.each([
    { name: "report", file: GRID },
    { name: "question", file: TRADES },
    { name: "error", file: WORDS },
  ])("a file can be dropped, and its $name is free of faults", async ({ name, file }) => {
    const { page, messages } = await open();
    const dataTransfer = await page.evaluateHandle(
      ([text, named]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text!], named!));
        return transfer;
      },
      [file.bytes.toString(), file.name],
    );
    await page.dispatchEvent(".drop", "drop", { dataTransfer });
    await page.waitForSelector(`${DONE},${FAILED},${ASKED}`);
    for (const width of [390, 768, 1440])
      expect(await faultsIn(page, `/check-${name}`, [width, "light"], [width, "dark"])).toEqual([]);
    expect(messages).toEqual([]);
  });

  test("the keyboard alone leads from the file to the saved report", async () => {
    const { page } = await open();
    const choosing = page.waitForEvent("filechooser");
    await tabTo(page, "check-file");
    await page.keyboard.press("Enter");
    await (await choosing).setFiles(payload(GRID));
    await page.waitForSelector(DONE);
    // The focus moves after the report is painted.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("report-title");
    const described = await page.locator(":focus").getAttribute("aria-describedby");
    const read = `${await page.locator(":focus").textContent()} ${await page.locator(`#${described}`).textContent()}`;
    const { event, sentence } = (await expected(GRID)).report.verdict;
    expect(read.toLowerCase()).toBe(sentence.replace(`${event}: `, `${event}. `).toLowerCase());
    expect(await page.getByRole("status").allTextContents(), "read once").toEqual([""]);
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save HTML" }).focus();
    await page.keyboard.press("Enter");
    const download = await saving;
    expect(download.suggestedFilename()).toBe("grid.csv-report.html");
    const saved = readFileSync((await download.path())!, "utf8");
    const { report, series } = await expected(GRID);
    const made = /Made by Hindsight (\S+) on (\S+) at <a href="([^"]+)"/.exec(saved)!.slice(1);
    const [version, date, link] = made as [string, string, string];
    expect(link).toBe(page.url());
    expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(2 * 86_400_000);
    const props = { report, series, isSynthetic: false, fileName: GRID.name };
    expect(saved).toBe(htmlReport(props, { version, date, link }));
  });

  test("a saved report opens by itself, without a request, and prints", async () => {
    const { report, series } = await expected(GRID);
    const text = htmlReport({ report, series, isSynthetic: false, fileName: GRID.name });
    const page = await pages.browser.newPage();
    const [sent, messages]: [string[], string[]] = [[], []];
    page.on("request", (request) => sent.push(request.url()));
    page.on("console", (message) => messages.push(message.text()));
    const path = join(temporaryFolder("report"), "report.html");
    writeFileSync(path, text);
    await page.goto(`file://${path}`);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
    expect(await page.locator("script").count()).toBe(0);
    expect(sent).toEqual([`file://${path}`]);
    expect(messages).toEqual([]);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".event").isVisible()).toBe(true);
  });

  test("one curve asks how many were tried, and the answer counts", async () => {
    const { page } = await open();
    await drop(page, SINGLE);
    expect(await page.locator(".said").textContent()).toContain("tried is not known");
    await page.getByRole("spinbutton", { name: "How many settings did you try?" }).last().fill("2");
    expect(await page.locator(".old").count(), "the old answer turns grey").toBe(1);
    await page.getByRole("button", { name: "Count them" }).click();
    await page.waitForFunction(
      () => !document.querySelector(".said")?.textContent?.includes("not known"),
    );
    const { report, isSynthetic } = await expected(SINGLE, { nTrials: 2 });
    expect(await page.locator(".old").count()).toBe(0);
    expect(await savedJson(page)).toBe(`${reportJson(report, isSynthetic)}\n`);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#check-file").isVisible()).toBe(false);
    expect(await page.locator(".actions").first().isVisible()).toBe(false);
  });

  test("a check shows how far it is, and can be cancelled", async () => {
    const { page } = await open();
    const large = returnsFile("large.csv", normalColumns(5, 800, Array<number>(300).fill(0)));
    await page.setInputFiles("#check-file", payload(large));
    await page.waitForFunction(() =>
      document.querySelector(".working")?.textContent?.includes(" of 300"),
    );
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await page.locator(".working").count()).toBe(0);
    await drop(page, GRID);
    expect(await page.locator(".file-name").textContent()).toBe("grid.csv");
  });
});

/** Requests name scripts and coins; none has a body or a query. */
function expectNothingSent(sent: readonly Request[]): void {
  for (const request of sent) {
    const { pathname, search } = new URL(request.url());
    if (request.url().startsWith("blob:")) continue; // a file being saved
    expect([request.method(), request.postData(), search]).toEqual(["GET", null, ""]);
    expect(pathname).toMatch(
      /^\/(check|assets\/[\w.-]+|coins\/\w+\/bars\.json|dataset\/runs\.json)$/,
    );
  }
}

async function tabTo(page: Page, id: string): Promise<void> {
  for (let press = 0; press < 30; press++) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.id)) === id) return;
  }
  throw new Error(`the keyboard does not reach "${id}"`);
}
