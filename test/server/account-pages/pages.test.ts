import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { drawToken } from "../../../accounts/access-tokens.ts";
import { AccountServer, hiddenIn } from "../../support/account-server.ts";
import { linkIn } from "../../support/mail-box.ts";

const KEY = /hs_(?:live|test)_[0-9A-Za-z]{36}/;
const HOUR_MS = 3_600_000;

describe("the pages of accounts", () => {
  let all: AccountServer;
  beforeAll(async () => {
    all = await AccountServer.start({ upgradeUrl: "https://example.com/plans?from=hs" });
  });
  beforeEach(() => {
    all.box.behaviour = "takes";
    all.server.clock.pass(HOUR_MS);
  });
  afterAll(() => all.close());

  test("lead from an address to a first answer with one's own key, without a script", async () => {
    const browser = all.browser({ "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" });
    const form = await (await browser.get("/account")).text();
    expect(form).toContain("Get a key");
    const asked = await browser.post("/account/sign-in", {
      email: "New@Example.com",
      ...hiddenIn(form),
    });
    expect(await asked.text()).toContain("on its way to New@Example.com");
    const mail = all.box.mails.at(-1)!;
    expect([mail.to, mail.from]).toEqual(["New@example.com", "hindsight@127.0.0.1"]);
    expect(mail.raw).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(mail.raw).toMatch(/^Content-Type: text\/plain[^]*^Content-Type: text\/html/m);
    expect(mail.raw).not.toMatch(/<img/i);
    const link = await browser.get(linkIn(mail.raw).slice(all.origin.length));
    const page = await link.text();
    expect(page).toContain("New@Example.com");
    const entered = await browser.post("/account/link", hiddenIn(page));
    expect([entered.status, entered.headers.get("location")]).toEqual([303, "/account"]);
    const home = await (await browser.get("/account")).text();
    for (const words of ["trial", "14 days", "You have none yet", "Firefox on Linux, this one"]) {
      expect(home).toContain(words);
    }
    expect(home).toContain("https://example.com/plans?from=hs&amp;account=acc_");
    const made = await browser.post("/account/keys", {
      ...hiddenIn(home),
      name: "laptop",
      env: "live",
    });
    const shown = await made.text();
    const [key = ""] = KEY.exec(shown) ?? [];
    expect(shown).toContain("laptop");
    expect((await all.server.get("/v1/signals?coin=btc", key)).status).toBe(200);
    const later = await (await browser.get("/account")).text();
    expect(later).not.toContain(key);
    expect(later).toContain(key.slice(-4));
    expect(later).toContain("1 call this month");
    const file = await (await browser.get("/account/usage.csv")).text();
    expect(file).toMatch(/^day,env,endpoint,calls,units\r\n[\d-]{10},live,\/signals,1,1\r\n$/);
  });

  test("replace a key with a grace, and revoke one", async () => {
    const browser = await all.signedIn("rotates@example.com");
    const made = await browser.post("/account/keys", { once: await browser.once(), env: "live" });
    const [first = ""] = KEY.exec(await made.text()) ?? [];
    const idOf = async () =>
      /name="id" value="(key_\w+)"/.exec(await (await browser.get("/account")).text())?.[1] ?? "";
    const form = { id: await idOf(), once: await browser.once(), grace: "24" };
    const rotated = await (await browser.post("/account/keys/rotate", form)).text();
    expect(rotated).toContain("works until");
    const again = await (await browser.post("/account/keys/rotate", form)).text();
    expect(KEY.exec(again)?.[0], "pressed twice").toBe(KEY.exec(rotated)?.[0]);
    const status = async (key: string) => (await all.server.get("/v1/strategies", key)).status;
    const second = KEY.exec(rotated)?.[0] ?? "";
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    await browser.post("/account/keys/revoke", { id: form.id });
    expect([await status(first), await status(second)]).toEqual([401, 200]);
    const other = await all.signedIn("other@example.com");
    const foreign = await other.post("/account/keys/revoke", { id: await idOf() });
    expect(await foreign.text()).toContain("no such key");
    expect(await status(second)).toBe(200);
  });

  test("say that a key has ended to a form that is sent again after it", async () => {
    const browser = await all.signedIn("again@example.com");
    const form = { once: await browser.once(), name: "gone" };
    expect((await browser.post("/account/keys", form)).status).toBe(200);
    const { id = "" } = hiddenIn(await (await browser.get("/account")).text());
    await browser.post("/account/keys/revoke", { id });
    const again = await browser.post("/account/keys", form);
    expect(again.status).toBe(400);
    expect(await again.text()).toMatch(/This key has ended already(?![^]*hs_live_)/);
  });

  test("change the address by a link to the new one, and tell the old one", async () => {
    const browser = await all.signedIn("old@example.com");
    await browser.post("/account/address", {
      email: "next@example.com",
      once: await browser.once(),
    });
    expect(all.box.mails.at(-1)?.to).toBe("next@example.com");
    const moved = await browser.follow(all.box.link);
    expect(await moved.text()).toContain("Your address is changed");
    await expect.poll(() => all.box.mails.at(-1)?.to).toBe("old@example.com");
    expect(all.box.mails.at(-1)?.raw).not.toContain("token=");
    expect(await (await browser.get("/account")).text()).toContain("next@example.com");
  });

  test("delete an account by a link, and say so to a second press of the button", async () => {
    const browser = await all.signedIn("leaves@example.com");
    await browser.post("/account/delete", { once: await browser.once() });
    const path = all.box.link.slice(all.origin.length);
    const form = hiddenIn(await (await browser.get(path)).text());
    const [first, second] = [
      await browser.post("/account/link", form),
      await browser.post("/account/link", form),
    ];
    expect(await first.text()).toContain("Your account is deleted");
    expect(await second.text()).toContain("Your account is deleted");
    expect(browser.cookie).toBe("");
  });

  test("list backtests by status", async () => {
    const browser = await all.signedIn("runs@example.com");
    const { admin } = all.server.state;
    const { id } = await admin.findAccount("runs@example.com");
    await admin.setPlan(id, "paid");
    const { key } = await admin.createKey(id, "live");
    const body = {
      strategy: "macd_cross",
      coin: "btc",
      start_date: "2021-01-01",
      starting_cash: 1000,
    };
    const accepted = await all.server.post("/v1/backtests", key, body);
    expect(accepted.status).toBe(200);
    expect(await (await browser.get("/account")).text()).toContain("The newest 1: 1 waiting.");
    all.server.runNext();
    const page = await (await browser.get("/account")).text();
    expect(page).toContain("The newest 1: 1 done.");
    expect(page).toContain("macd_cross on btc");
  });

  test("say when the mail server refuses, fails once, or is gone; nothing is half made", async () => {
    const browser = all.browser();
    const ask = async (email: string) =>
      await (await browser.post("/account/sign-in", { email, once: drawToken() })).text();
    all.box.behaviour = "refuses";
    expect(await ask("nobody@example.com")).toContain("The mail was refused");
    all.box.behaviour = "fails-once";
    const before = all.box.attempts;
    expect(await ask("later@example.com")).toContain("on its way");
    expect(all.box.attempts - before).toBe(2);
    expect(await all.server.state.admin.listChanges(0, 1000)).not.toContainEqual(
      expect.objectContaining({ what: expect.stringContaining("later@") }),
    );
  });

  test("take a form that is none, or one from nowhere, with a page that says so", async () => {
    const browser = await all.signedIn("forms@example.com");
    const json = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
    expect((await browser.post("/account/keys", { once: "x" }, json)).status).toBe(400);
    expect((await browser.post("/account/keys", { env: "live" })).status).toBe(400);
    const long = await browser.post("/account/keys", {
      once: await browser.once(),
      name: "x".repeat(61),
    });
    expect(await long.text()).toContain("at most 60 characters");
    expect((await browser.post("/account", {})).status).toBe(405);
    expect((await browser.get("/account/keys")).status).toBe(405);
    expect((await browser.get("/account/nothing")).status).toBe(404);
  });
});
