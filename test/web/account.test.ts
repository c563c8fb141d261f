import { chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AccountServer } from "../support/account-server.ts";
import { describeInBrowser, EXECUTABLE } from "../support/chromium.ts";
import { faultsOf, openPage, weightOf } from "../support/seen-page.ts";

const LOOKS = [
  [390, "light"],
  [1440, "light"],
  [1440, "dark"],
] as const;
const SCRIPT_BYTES_MAX = 5 * 1024;
const MINUTE_MS = 60_000;

describeInBrowser("the pages of accounts, in a browser", () => {
  let all: AccountServer;
  let browser: Awaited<ReturnType<typeof chromium.launch>>;
  beforeAll(async () => {
    all = await AccountServer.start({ upgradeUrl: "https://example.com/plans" });
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser.close();
    await all.close();
  });

  /** Asks for a link on a page, opens it, and presses its button. */
  async function signIn(page: Page, email: string): Promise<void> {
    await page.goto(`${all.origin}/`);
    await page.getByRole("navigation").getByRole("link", { name: "Get a key" }).click();
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Send me a link" }).click();
    await page.getByText("on its way").waitFor();
    await page.goto(all.box.link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Your account" }).waitFor();
  }

  async function looksRight(page: Page, name: string): Promise<void> {
    for (const [width, scheme] of LOOKS) {
      const faults = await faultsOf(page, `/${name}`, width, scheme);
      expect(faults, `${name}, ${width} px, ${scheme}`).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  test("from the home page to a first answer with one's own key", async () => {
    const seen = await openPage(browser, all.origin, "/account");
    const { page, messages, outside } = seen;
    await looksRight(page, "account-ask");
    await page.getByLabel("E-mail address").fill("shots@example.com");
    await page.getByRole("button").click();
    await looksRight(page, "account-sent");
    await page.goto(all.box.link);
    await looksRight(page, "account-link");
    await signIn(page, "ann@example.com");
    await looksRight(page, "account-new");
    await page.getByLabel("Name, for you").fill("laptop");
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByRole("button", { name: "Try it: one call" }).click();
    await page.getByText("HTTP 200").waitFor();
    await looksRight(page, "account-key");
    const { script } = await weightOf(seen);
    expect(script).toBeLessThan(3 * 60 * 1024); // with those of the home page
    await page.goto(`${all.origin}/account`);
    expect(await page.getByText("1 call this month").first().isVisible()).toBe(true);
    const reload = await openPage(browser, all.origin, "/account/link?token=x");
    await looksRight(reload.page, "account-no-link");
    expect(messages.filter((each) => !each.includes("favicon"))).toEqual([]);
    expect(outside).toEqual([]);
  });

  test("an account in use: chart, keys, browsers, backtests", async () => {
    const { page } = await openPage(browser, all.origin, "/");
    await signIn(page, "busy@example.com");
    const { admin } = all.server.state;
    const { id } = await admin.findAccount("busy@example.com");
    await admin.setPlan(id, "paid");
    const { key } = await admin.createKey(
      id,
      "live",
      "a key with a rather long name, for a server",
    );
    await admin.createKey(id, "test", "tests");
    const paths = ["/signals?coin=btc", "/strategies", "/buy-hold?coin=sol", "/dca?coin=btc"];
    for (const path of [...paths, ...paths, "/signals", "/signals?coin=eth"]) {
      await all.server.get(`/v1${path}`, key);
    }
    const body = {
      strategy: "macd_cross",
      coin: "btc",
      start_date: "2021-01-01",
      starting_cash: 1000,
    };
    await all.server.post("/v1/backtests", key, body);
    all.server.runNext();
    await all.server.post("/v1/backtests", key, body);
    all.server.clock.pass(MINUTE_MS);
    await page.goto(`${all.origin}/account`);
    await page.getByText("As a table").click();
    await looksRight(page, "account-busy");
    await page.getByLabel(/^Change the key "tests"/).click();
    await looksRight(page, "account-busy-open");
    await page.getByRole("button", { name: "Revoke for good" }).click();
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    expect(await page.getByText("Revoke for good").count()).toBe(1);
  });

  test("without a script, all of it works but copying and trying", async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await signIn(page, "plain@example.com");
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByText("Copy it now").waitFor();
    expect(await page.getByRole("button", { name: "Copy the key" }).isVisible()).toBe(false);
    expect(await page.locator(".shown pre").first().textContent()).toMatch(/^hs_live_/);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("button", { name: "Send me a link" }).waitFor();
    await context.close();
  });

  test("the script of the page is small", async () => {
    const seen = await openPage(browser, all.origin, "/");
    await signIn(seen.page, "small@example.com");
    seen.requests.length = 0;
    await seen.page.goto(`${all.origin}/account`);
    const { script, rest } = await weightOf(seen);
    expect(script).toBeLessThan(SCRIPT_BYTES_MAX);
    expect(rest).toBeLessThan(100 * 1024);
  });
});
