/** The threats of `docs/accounts.md` by mail or form. The titles are those of the document. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { drawToken } from "../../../accounts/access-tokens.ts";
import { LINK_MS } from "../../../accounts/records.ts";
import { AccountServer, hiddenIn, type FakeBrowser } from "../../support/account-server.ts";

const HOUR_MS = 3_600_000;
const ANSWER_MS = 300;
const KEY = /hs_(?:live|test)_[0-9A-Za-z]{36}/;

let all: AccountServer;
let slow: AccountServer;
beforeAll(async () => {
  const server = { trustedProxies: ["127.0.0.1"] };
  all = await AccountServer.start({ server });
  slow = await AccountServer.start({ answerMs: ANSWER_MS });
});
beforeEach(() => {
  all.server.clock.pass(24 * HOUR_MS);
  slow.server.clock.pass(24 * HOUR_MS);
});
afterEach(() => {
  all.box.behaviour = "takes";
});
afterAll(async () => {
  await all.close();
  await slow.close();
});

const from = (network: string) => all.browser({ "x-forwarded-for": network });
const ask = (browser: FakeBrowser, email: string, once = drawToken()) =>
  browser.post("/account/sign-in", { email, once });
const pathOf = (link: string) => link.slice(new URL(link).origin.length);

describe("Finding out who has an account", () => {
  test("answer, time and mails are the same for known, unknown and suspended addresses, and beyond the limit", async () => {
    const { admin } = slow.server.state;
    await admin.createAccount({ email: "known@example.com", plan: "free" });
    const { account } = await admin.createAccount({ email: "ended@example.com", plan: "free" });
    await admin.suspend(account.id);
    const browser = slow.browser();
    const answers: string[] = [];
    for (const name of ["known", "other", "ended", "known", "known", "known"]) {
      const [startedMs, mails] = [performance.now(), slow.box.mails.length];
      const answer = await ask(browser, `${name}@example.com`);
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(ANSWER_MS - 2);
      const text = (await answer.text()).replaceAll(`${name}@`, "x@");
      answers.push(`${answer.status} ${text}`);
      expect(slow.box.mails.length - mails).toBe(answers.length === 6 ? 0 : 1);
    }
    expect(new Set(answers).size).toBe(1);
    const raws = slow.box.mails.slice(0, 3).map(({ raw }) => raw.split("\r\n\r\n").slice(1).join());
    const plain = raws.map((raw) =>
      raw.replaceAll(/token=3D[\w=\r\n-]+|----_[^\r]*/g, "").replaceAll(/=\r\n/g, ""),
    );
    expect(new Set(plain.map((raw) => raw.slice(0, 200))).size).toBe(1);
  });

  test("only the link's button says that an account is suspended", async () => {
    const { admin } = all.server.state;
    const { account } = await admin.createAccount({ email: "ended@example.com", plan: "free" });
    await admin.suspend(account.id);
    const browser = all.browser();
    await ask(browser, "ended@example.com");
    const answer = await browser.follow(all.box.link);
    expect([answer.status, browser.cookie]).toEqual([403, ""]);
    expect(await answer.text()).toContain("suspended");
  });
});

describe("A link used twice, guessed, or old", () => {
  test("a link signs in once, in one browser", async () => {
    const [first, second] = [all.browser(), all.browser()];
    await ask(first, "once@example.com");
    const { link } = all.box;
    const form = hiddenIn(await (await second.get(pathOf(link))).text());
    expect((await first.follow(link)).status).toBe(303);
    expect((await second.post("/account/link", form)).status).toBe(410);
    expect((await second.get(pathOf(link))).status).toBe(410);
    expect(second.cookie).toBe("");
    const again = await first.get(pathOf(link));
    expect([again.status, again.headers.get("location")]).toEqual([303, "/account"]);
  });

  test("a link ends after 15 minutes, and none can be guessed", async () => {
    const browser = all.browser();
    await ask(browser, "late@example.com");
    all.server.clock.pass(LINK_MS);
    expect((await browser.get(pathOf(all.box.link))).status).toBe(410);
    for (const token of ["", "x", drawToken(), "%00", "a".repeat(5_000)]) {
      const status = (await browser.get(`/account/link?token=${token}`)).status;
      expect(status).toBe(410);
      expect((await browser.post("/account/link", { token, once: drawToken() })).status).toBe(410);
    }
  });

  test("a new address is confirmed by the account's owner alone: a mistyped one is a stranger's", async () => {
    const browser = await all.signedIn("mistypes@example.com");
    const form = { email: "stranger@example.com", once: await browser.once() };
    await browser.post("/account/address", form);
    const { link } = all.box;
    expect((await all.browser().follow(link)).status).toBe(403);
    const other = await all.signedIn("someone@example.com");
    expect((await other.follow(link)).status).toBe(403);
    expect(await (await browser.get("/account")).text()).toContain("mistypes@example.com");
    expect((await browser.follow(link)).status).toBe(200);
    expect(await (await browser.get("/account")).text()).toContain("stranger@example.com");
  });

  test("a link does nothing but what it is for", async () => {
    const browser = await all.signedIn("purpose@example.com");
    await browser.post("/account/delete", { once: await browser.once() });
    const other = all.browser();
    await other.follow(all.box.link);
    expect(other.cookie, "it does not sign in").toBe("");
  });
});

describe("Programs that open links", () => {
  test("looking at a link changes nothing, however often, and nothing of it leaves with a referrer", async () => {
    const browser = all.browser();
    await ask(browser, "scanned@example.com");
    for (let n = 0; n < 5; n++) {
      const seen = await all.browser().get(pathOf(all.box.link));
      expect([seen.status, seen.headers.get("set-cookie")]).toEqual([200, null]);
      expect(seen.headers.get("referrer-policy")).toBe("same-origin");
      expect(await seen.text()).not.toMatch(/https?:\/\/(?!creativecommons)/);
      await fetch(all.box.link, { method: "HEAD" });
    }
    expect((await browser.follow(all.box.link)).status).toBe(303);
  });
});

describe("An address that is more than one", () => {
  test.each([
    "a@example.com\r\nBcc: b@example.com",
    "a@example.com, b@example.com",
    "a@example.com b@example.com",
    '"a\r\nBcc: b"@example.com',
    "Ann <a@example.com>",
    "a@exämple.com",
    "ａ@example.com",
    "a@example.com\u0000",
    `${"a".repeat(250)}@example.com`,
    "a@localhost",
    "",
  ])("%j is refused, and no mail is sent", async (email) => {
    const mails = all.box.mails.length;
    const answer = await ask(all.browser(), email);
    expect(answer.status).toBe(400);
    expect(all.box.mails.length).toBe(mails);
  });

  test("mail goes to the stored address, and one that looks like it is another", async () => {
    const { admin } = all.server.state;
    await admin.createAccount({ email: "Stored+tag@example.com", plan: "free" });
    await ask(all.browser(), "stored+TAG@EXAMPLE.com");
    expect(all.box.mails.at(-1)?.to).toBe("Stored+tag@example.com");
    await ask(all.browser(), "stored@example.com");
    expect(all.box.mails.at(-1)?.to).toBe("stored@example.com");
  });
});

describe("A log that tells", () => {
  test("no line has an address, a link, a cookie, a key or a network", async () => {
    const browser = await all.signedIn("logged@example.com");
    const made = await browser.post("/account/keys", { once: await browser.once() });
    const [key = ""] = KEY.exec(await made.text()) ?? [];
    all.box.behaviour = "refuses";
    await ask(from("203.0.113.77"), "refused@example.com");
    const token = all.box.link.split("token=")[1]!;
    await browser.get(`/account/link?token=${token}`);
    const log = all.lines.join("");
    expect(log.length).toBeGreaterThan(1000);
    for (const secret of [
      "logged@",
      "refused@",
      token,
      browser.cookie.slice("hs=".length),
      key.slice(9),
      "203.0.113.77",
    ]) {
      expect(log).not.toContain(secret);
    }
  });

  test("a link is printed on this machine alone, where there is no mail server", async () => {
    const printing = await AccountServer.start({ smtpUrl: undefined });
    try {
      const browser = printing.browser();
      expect(await (await ask(browser, "dev@example.com")).text()).toContain("in its log");
      const [line = "{}"] = printing.lines.filter((each) => each.includes("token="));
      const { link } = JSON.parse(line) as { link: string };
      expect((await browser.follow(link)).status).toBe(303);
      expect(printing.box.mails).toEqual([]);
    } finally {
      await printing.close();
    }
  });
});

describe("Trials without end", () => {
  test("a network opens five accounts a day and its site ten, by the address that named proxies say", async () => {
    const opened: number[] = [];
    for (let n = 0; n < 12; n++) {
      const browser = from(`198.51.100.9, 2001:db8:1:${(n < 6 ? 0 : n * 256).toString(16)}::1`);
      await ask(browser, `farm${n}@example.com`);
      if ((await browser.follow(all.box.link)).status === 303) opened.push(n);
    }
    expect(opened, "the sixth and the twelfth are not").toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9, 10]);
    const elsewhere = from("2001:db8:2::1");
    await ask(elsewhere, "elsewhere@example.com");
    expect((await elsewhere.follow(all.box.link)).status).toBe(303);
  });

  test("a mailbox has one trial, whatever is behind the plus", async () => {
    await all.signedIn("pluses@example.com");
    const second = all.browser();
    await ask(second, "pluses+1@example.com");
    const answer = await second.follow(all.box.link);
    expect([answer.status, second.cookie]).toEqual([403, ""]);
    expect(await answer.text()).toContain("This mailbox has a trial");
  });

  test("an account that is deleted and opened again continues its trial", async () => {
    const browser = await all.signedIn("again@example.com");
    all.server.clock.pass(HOUR_MS);
    await browser.post("/account/delete", { once: await browser.once() });
    await browser.follow(all.box.link);
    all.server.clock.pass(10 * 24 * HOUR_MS);
    const anew = await all.signedIn("again@example.com");
    expect(await (await anew.get("/account")).text()).toContain("ends in 4 days");
  });

  test("where sign-up is closed, the answer is the same and no account is opened", async () => {
    const closed = await AccountServer.start({ signup: "closed" });
    try {
      const browser = closed.browser();
      expect((await ask(browser, "new@example.com")).status).toBe(200);
      expect((await browser.follow(closed.box.link)).status).toBe(403);
      expect(await closed.server.state.admin.listAccounts(undefined, 10)).toEqual([]);
    } finally {
      await closed.close();
    }
  });
});

describe("Buttons pressed twice, and answers that are lost", () => {
  test("one mail, one session, one key", async () => {
    const browser = all.browser();
    const once = drawToken();
    const mails = all.box.mails.length;
    await Promise.all([1, 2].map(() => ask(browser, "twice@example.com", once)));
    expect(all.box.mails.length - mails).toBe(1);
    const form = hiddenIn(await (await browser.get(pathOf(all.box.link))).text());
    const entered = await Promise.all([1, 2].map(() => browser.post("/account/link", form)));
    expect(entered.map(({ status }) => status)).toEqual([303, 303]);
    const home = await (await browser.get("/account")).text();
    expect(home.match(/, this one/g)).toHaveLength(1);
    const fields = { ...hiddenIn(home), name: "one" };
    const made = await Promise.all([1, 2].map(() => browser.post("/account/keys", fields)));
    const keys = await Promise.all(made.map(async (each) => KEY.exec(await each.text())?.[0]));
    expect(new Set(keys).size).toBe(1);
    const page = await (await browser.get("/account")).text();
    expect(page.match(/Revoke for good/g)).toHaveLength(1);
  });
});
