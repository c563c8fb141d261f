/** The threats of `docs/accounts.md` by browser. The titles are those of the document. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { drawToken } from "../../../accounts/access-tokens.ts";
import { FRESH_MS } from "../../../accounts/sign-in.ts";
import { accountPagesFault } from "../../../server/account-pages/open-account-pages.ts";
import { publicAddressOf } from "../../../server/account-pages/public-address.ts";
import { AccountServer, hiddenIn, type FakeBrowser } from "../../support/account-server.ts";

const HOUR_MS = 3_600_000;

let all: AccountServer;
beforeAll(async () => {
  const server = { trustedProxies: ["127.0.0.1"] };
  all = await AccountServer.start({ server });
});
beforeEach(() => {
  all.server.clock.pass(24 * HOUR_MS);
});
afterAll(async () => {
  await all.close();
});

const ask = (browser: FakeBrowser, email: string, once = drawToken()) =>
  browser.post("/account/sign-in", { email, once });
const pathOf = (link: string) => link.slice(new URL(link).origin.length);

describe("A session chosen by somebody else", () => {
  test("a cookie that the server did not make is worth nothing, and sign-in replaces it", async () => {
    const browser = all.browser();
    const planted = `hs=${drawToken()}`;
    browser.cookie = planted;
    expect(await (await browser.get("/account")).text()).toContain("Get a key");
    await ask(browser, "fixed@example.com");
    await browser.follow(all.box.link);
    expect(browser.cookie).not.toBe(planted);
    const first = browser.cookie;
    all.server.clock.pass(HOUR_MS);
    await ask(browser, "fixed@example.com");
    await browser.follow(all.box.link);
    const former = all.browser();
    former.cookie = first;
    expect(await (await former.get("/account")).text()).toContain("Get a key");
  });
});

describe("Forms sent by other pages", () => {
  test.each([
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "none" }, 403],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{}, 403],
    [{ "sec-fetch-site": "cross-site", origin: "OWN" }, 403],
    [{ origin: "OWN" }, 303],
    [{ "sec-fetch-site": "same-origin" }, 303],
  ])("%j gets %d", async (headers, status) => {
    const browser = await all.signedIn("forged@example.com");
    const sent = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace("OWN", all.origin),
    ]);
    const answer = await browser.post(
      "/account/sessions/end",
      { session: "all" },
      Object.fromEntries(sent) as Record<string, string>,
    );
    expect(answer.status).toBe(status);
  });

  test("no answer may be read by another origin, and no endpoint takes the cookie", async () => {
    const open = await AccountServer.start({ server: { corsOrigins: ["*"] } });
    try {
      const browser = await open.signedIn("cors@example.com");
      const page = await browser.get("/account", { origin: "https://evil.example" });
      expect(page.headers.get("access-control-allow-origin")).toBeNull();
      expect((await browser.get("/v1/usage")).status).toBe(401);
      const { key } = await open.server.state.admin.createKey(
        (await open.server.state.admin.findAccount("cors@example.com")).id,
        "live",
      );
      const withKey = await fetch(`${open.origin}/account`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(await withKey.text(), "a key opens no page").toContain("Get a key");
    } finally {
      await open.close();
    }
  });
});

describe("Pages shown inside another page", () => {
  test("no page of accounts can be framed, or runs what is not this server's", async () => {
    const browser = await all.signedIn("framed@example.com");
    for (const path of ["/account", "/account/link?token=x"]) {
      const policy = (await browser.get(path)).headers.get("content-security-policy");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).not.toContain("unsafe");
    }
  });
});

describe("Being led elsewhere", () => {
  test("every redirect goes to /account, whatever a request says", async () => {
    const browser = all.browser({ host: "evil.example", "x-forwarded-host": "evil.example" });
    const evil = "?next=https://evil.example&url=//evil.example&return_to=//evil.example";
    await browser.post(`/account/sign-in${evil}`, {
      email: "led@example.com",
      once: drawToken(),
      next: "https://evil.example",
    });
    expect(all.box.link.startsWith(`${all.origin}/account/link?token=`)).toBe(true);
    const page = await (await browser.get(`${pathOf(all.box.link)}&next=//evil.example`)).text();
    const form = { ...hiddenIn(page), next: "//evil.example" };
    const answer = await browser.post(`/account/link${evil}`, form);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/account"]);
  });
});

describe("A cookie that is stolen", () => {
  test("after a day it makes no key, changes no address and deletes nothing", async () => {
    const browser = await all.signedIn("stolen@example.com");
    const made = await browser.post("/account/keys", { once: await browser.once() });
    expect(made.status).toBe(200);
    const page = await (await browser.get("/account")).text();
    const { id = "", once = "" } = hiddenIn(page);
    all.server.clock.pass(FRESH_MS);
    const mails = all.box.mails.length;
    for (const [path, fields] of [
      ["/account/keys", { once: drawToken() }],
      ["/account/keys/rotate", { once, id, grace: "0" }],
      ["/account/address", { once, email: "thief@example.com" }],
      ["/account/delete", { once }],
    ] as const) {
      const answer = await browser.post(path, fields);
      expect([path, answer.status]).toEqual([path, 403]);
      expect(await answer.text()).toContain("sign in once more");
    }
    expect(all.box.mails.length).toBe(mails);
    expect((await browser.post("/account/keys/revoke", { id })).status, "ending one").toBe(303);
  });

  test("it ends in all other browsers when the address changes", async () => {
    const owner = await all.signedIn("moves@example.com");
    all.server.clock.pass(3_600_000);
    const thief = await all.signedIn("moves@example.com");
    await owner.post("/account/address", { email: "moved@example.com", once: await owner.once() });
    expect((await owner.follow(all.box.link)).status).toBe(200);
    expect(await (await thief.get("/account")).text()).toContain("Get a key");
    expect(await (await owner.get("/account")).text()).toContain("moved@example.com");
  });

  test("its owner ends it, alone or with all others, and it does not come back", async () => {
    const [owner, thief] = [await all.signedIn("owner@example.com"), all.browser()];
    thief.cookie = owner.cookie;
    expect((await owner.post("/account/sessions/end", { session: "all" })).status).toBe(303);
    expect(await (await thief.get("/account")).text()).toContain("Get a key");
    expect((await thief.post("/account/keys", { once: drawToken() })).status).toBe(303);
  });

  test("it is out of reach of scripts, of other sites, and of connections that can be read", async () => {
    const browser = all.browser();
    await ask(browser, "flags@example.com");
    const set = (await browser.follow(all.box.link)).headers.get("set-cookie");
    expect(set).toMatch(
      /^hs=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax, hs-known=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const secure = publicAddressOf("https://api.example.com/sub")!;
    expect(secure.session.set("x")).toBe(
      "\r\nSet-Cookie: __Host-hs=x; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure",
    );
    expect(secure.session.read("hs=1; __Host-hs=2; other=3")).toBe("2");
    expect(secure.session.read("__Host-hs=1; __Host-hs=2"), "two are none").toBe("");
    expect(secure.known.read("__Host-hs=1; __Host-hs-known=2")).toBe("2");
    const fault = (publicUrl: string | undefined, smtpUrl?: string) =>
      accountPagesFault({ publicUrl, smtpUrl });
    expect(fault("http://api.example.com", "smtp://127.0.0.1")).toContain("https");
    expect(fault("http://127.0.0.1.evil.example", "smtp://127.0.0.1")).toContain("https");
    expect(fault("https://api.example.com")).toContain("HINDSIGHT_SMTP_URL");
    expect(fault(undefined, "smtp://127.0.0.1")).toContain("--public-url");
    expect(fault("https://api.example.com", "smtp://127.0.0.1")).toBeUndefined();
    expect(fault("http://localhost:8080")).toBeUndefined();
  });

  test("nothing keeps a page of accounts", async () => {
    const browser = await all.signedIn("kept@example.com");
    for (const path of ["/account", "/account/usage.csv", "/account/link?token=x"]) {
      expect((await browser.get(path)).headers.get("cache-control")).toBe("no-store");
    }
  });
});
