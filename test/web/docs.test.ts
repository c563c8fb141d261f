import { beforeAll, expect, test } from "vitest";
import { describeInBrowser, PagesOfTests } from "../support/chromium.ts";
import { docsInProcess } from "../support/pages-in-process.ts";
import { faultsIn } from "./no-faults.ts";

/** One page of each kind. */
const PATHS = [
  "/docs",
  "/docs/check",
  "/docs/methods",
  "/docs/methods/indicators",
  "/docs/errors",
  "/docs/api/get-dca",
  "/docs/api/post-backtests",
  "/docs/search?q=deflated+sharpe",
];

/** 300 daily returns around nothing. */
const RETURNS = [
  "date,return",
  ...Array.from({ length: 300 }, (_, day) => {
    const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
    return `${date},${(Math.sin(day * day) / 50).toFixed(6)}`;
  }),
].join("\n");

describeInBrowser("the documentation, in a browser", () => {
  const pages = new PagesOfTests({ open: docsInProcess() });
  let key: string;
  beforeAll(async () => (key = await pages.server.key()));

  for (const path of PATHS) {
    test(`${path}: nothing from outside, no message, no sideways scroll, axe clean`, async () => {
      const { page, messages, outside } = await pages.open(path);
      for (const width of [390, 1440])
        expect(await faultsIn(page, path, [width, "light"], [width, "dark"])).toEqual([]);
      expect(messages).toEqual([]);
      expect(outside).toEqual([]);
    });
  }

  test("pictures are served, under a policy of their own, and shown", async () => {
    const { page } = await pages.open("/docs/check");
    const pictures = await page.locator(".prose img").all();
    expect(pictures.length).toBeGreaterThan(0);
    for (const picture of pictures) {
      await picture.scrollIntoViewIfNeeded();
      const width = () =>
        picture.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth);
      await expect.poll(width).toBeGreaterThan(300);
      const { headers } = await fetch(pages.server.origin + (await picture.getAttribute("src"))!);
      expect(headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'unsafe-inline'",
      );
    }
  });

  test("code is copied by its button", async () => {
    const { page } = await pages.open("/docs/check");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const code = page.locator(".prose pre", { hasText: "curl" }).first();
    const button = code.locator("xpath=following-sibling::button[1]");
    await button.click();
    await expect.poll(() => button.textContent()).toBe("Copied");
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe((await code.textContent())!.trimEnd());
  });

  test("the search is used by keyboard alone and leads to the section", async () => {
    const { page, messages } = await pages.open("/docs");
    await page.keyboard.press("/");
    await page.keyboard.type("deflated sharpe");
    const first = page.locator(".hits a").first();
    // Each letter lists its own hits, so the last one's are waited for.
    const status = page.locator("[role=status]");
    await expect
      .poll(() => status.textContent())
      .toMatch(/^\d+ sections found for “deflated sharpe”\.$/);
    expect(await page.locator(".hits mark").first().textContent()).toMatch(/deflated|sharpe/i);
    expect(await faultsIn(page, "/docs-searched", [390, "dark"])).toEqual([]);
    await page.keyboard.press("ArrowDown");
    const target = await first.getAttribute("href");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${target}`);
    expect(await page.locator("main").textContent()).toMatch(/deflated sharpe/i);
    expect(messages).toEqual([]);
  });

  test("without a script, the search is a form and the languages and contents can be chosen", async () => {
    const context = await pages.browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await page.goto(`${pages.server.origin}/docs/api/get-dca`);
    await page.getByLabel("Python").check();
    expect(await page.locator("[data-language=Python]").isVisible()).toBe(true);
    expect(await page.locator("[data-language=curl]").isVisible()).toBe(false);
    await page.getByText("Send it with your key").click();
    expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("link", { name: "Glossary" }).click();
    await page.waitForURL("**/docs/glossary");
    await page.getByRole("searchbox").fill("deflated sharpe");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/search?q=deflated+sharpe");
    expect(await page.locator(".hits li").count()).toBeGreaterThan(3);
  });

  test("the form sends a request with the reader's key and shows the answer", async () => {
    const { page, messages } = await pages.open("/docs/api/get-dca");
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
    await page.getByText("Send it with your key").click();
    await page.getByLabel("Your key").fill(key);
    await page.getByLabel("frequency").selectOption("monthly");
    expect(await page.locator("[data-language=curl]").textContent()).toContain("frequency=monthly");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".answer").waitFor();
    expect(sent).toEqual([`GET ${pages.server.origin}/v1/dca?coin=btc&frequency=monthly`]);
    const shown = await page.locator(".answer").textContent();
    for (const part of ["200 OK", " ms", "RateLimit", '"frequency": "monthly"']) {
      expect(shown).toContain(part);
    }
    expect(await faultsIn(page, "/docs-answered", [1440, "light"])).toEqual([]);
    // The key is in no address and, unless the reader wishes it, in no storage.
    expect(page.url()).not.toContain(key);
    expect(await page.evaluate("JSON.stringify([sessionStorage, localStorage])")).not.toContain(
      key,
    );
    await page.getByLabel("Python").check();
    await page.getByLabel("Keep it until this tab is closed").check();
    await page.goto(`${pages.server.origin}/docs/api/post-overfitting`);
    await page.locator("[data-language=Python]").waitFor(); // the language is remembered, too
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".answer").waitFor();
    expect(await page.locator(".answer").textContent()).toContain('"deflated_sharpe_ratio"');
    expect(messages).toEqual([]);
  });

  test("the form sends a file where the body is one", async () => {
    const { page, messages } = await pages.open("/docs/api/post-check");
    await page.getByText("Send it with your key").click();
    await page.getByLabel("Your key").fill(key);
    await page.getByLabel("File", { exact: true }).setInputFiles({
      name: "mine.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(RETURNS),
    });
    await page.getByLabel("n_trials").fill("20");
    expect(await page.locator("[data-language=curl]").textContent()).toContain("'@mine.csv'");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".answer").waitFor();
    const shown = await page.locator(".answer").textContent();
    for (const part of ["200 OK", '"verdict"', '"bars": 300']) expect(shown).toContain(part);
    expect(messages).toEqual([]);
  });

  test("a link from when a file was one page arrives at the section", async () => {
    const { page } = await pages.open("/docs/methods#technical-rating");
    await page.waitForURL("**/docs/methods/indicators#technical-rating");
    expect(await page.locator(":target").textContent()).toContain("Technical rating");
  });

  test("a mistyped address is a page that leads on", async () => {
    const { page, outside } = await pages.open("/docs/apii");
    expect(await page.title()).toBe("Page not found · Hindsight");
    expect(await faultsIn(page, "/docs-missing", [390, "dark"], [1440, "dark"])).toEqual([]);
    expect(outside).toEqual([]);
    await page.getByRole("link", { name: "/docs/api", exact: true }).click();
    await page.waitForURL("**/docs/api");
  });
});
