/** The threats of `docs/accounts.md` by mail or form. The titles are those of the document. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { drawToken } from "../../../server/accounts/access-tokens.ts";
import { LINK_MS } from "../../../server/accounts/access-store.ts";
import { LINK_LIMITS } from "../../../server/accounts/shares.ts";
import { until } from "../../support/until.ts";
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

describe("A mail server that is slow, down, or refuses", () => {
  test("the page says so, and the link that was not sent does not hold", async () => {
    const down = await AccountServer.start();
    try {
      const { admin } = down.server.state;
      await down.box.close();
      const answers: number[] = [];
      for (let n = 0; n < 2 * LINK_LIMITS.address; n++) {
        answers.push((await ask(down.browser(), "down@example.com")).status);
      }
      expect(answers, "none of them counts").toEqual(answers.map(() => 503));
      expect(await admin.listAccounts(undefined, 10)).toEqual([]);
    } finally {
      await down.server.close();
    }
  });

  test.each(["defers", "fails-at-the-end"] as const)(
    "that %s is asked ten times an hour for a network, two at once, and the address is free after it",
    async (behaviour) => {
      all.box.behaviour = behaviour;
      const { attempts } = all.box;
      all.box.mostUnderWay = 0;
      const forms = Array.from({ length: 60 }, (_, n) =>
        ask(from("203.0.113.60"), `bad${n}@example.com`),
      );
      const statuses = (await Promise.all(forms)).map(({ status }) => status);
      for (let n = 0; n < 12; n++) {
        statuses.push((await ask(from("203.0.113.60"), "bad@example.com")).status);
      }
      expect(new Set(statuses)).toEqual(new Set([503, 429]));
      expect(statuses.filter((status) => status === 503)).toHaveLength(LINK_LIMITS.networks[0]);
      expect(all.box.attempts - attempts, "each is tried twice").toBe(2 * LINK_LIMITS.networks[0]);
      expect(all.box.mostUnderWay).toBeLessThanOrEqual(2);
      all.box.behaviour = "takes";
      expect((await ask(from("203.0.114.60"), "bad@example.com")).status).toBe(200);
    },
    30_000,
  );

  test("that refuses an address is asked again the next time", async () => {
    all.box.behaviour = "refuses";
    for (let n = 0; n < 4; n++) {
      expect((await ask(from(`203.0.${n}.1`), "lied@example.com")).status).toBe(422);
    }
    all.box.behaviour = "takes";
    expect((await ask(from("203.0.118.1"), "lied@example.com")).status).toBe(200);
    expect(all.box.mails.at(-1)?.to).toBe("lied@example.com");
  });

  test("that hangs holds two places of a network, and others are served", async () => {
    all.box.behaviour = "hangs";
    all.outcomes.length = 0;
    const { attempts } = all.box;
    const hanging = Array.from({ length: 25 }, (_, n) =>
      ask(from("203.0.119.1"), `hang${n}@example.com`),
    );
    const first = await Promise.race(hanging);
    expect(first.status, "the third at the latest is refused at once").toBe(429);
    await until(() => all.outcomes.length === 23 && all.box.attempts - attempts === 2);
    all.box.behaviour = "takes";
    const startedMs = performance.now();
    expect((await ask(from("203.0.120.1"), "other@example.com")).status).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(3000);
    const statuses = (await Promise.all(hanging)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503)).toHaveLength(2);
  }, 30_000);
});

describe("A limit that others use up", () => {
  /** As many forms from networks, each for an address of its own. Returns how many mails went out. */
  async function flood(count: number, networkOf: (n: number) => string) {
    const before = all.box.mails.length;
    for (let n = 0; n < count; n++) await ask(from(networkOf(n)), `flood${n}@example.com`);
    return all.box.mails.length - before;
  }
  const statusOf = async (browser: FakeBrowser, email: string) =>
    (await ask(browser, email)).status;

  test("one site takes its share and no more, and is told so", async () => {
    const networkOf = (n: number) => `2001:db8:1:${((n % 12) * 256).toString(16)}::1`;
    expect(await flood(120, networkOf)).toBe(LINK_LIMITS.networks[1]);
    const refused = await ask(from("2001:db8:1:ff00::1"), "late@example.com");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "600"]);
    expect(await refused.text()).toContain("No mail was sent");
    expect(await statusOf(from("81.2.3.4"), "newcomer@example.com")).toBe(200);
    expect(all.box.mails.at(-1)?.to).toBe("newcomer@example.com");
  });

  test("once all is taken, a new network and a browser that has signed in get their mail", async () => {
    const customer = from("203.0.113.7");
    await ask(customer, "customer@example.com");
    await customer.follow(all.box.link);
    await customer.post("/account/sessions/end", { session: "all", once: await customer.once() });
    expect(customer.cookie).toBe("");
    all.server.clock.pass(HOUR_MS);
    const lines = all.lines.length;
    const mails = await flood(260, (n) => `198.${Math.floor(n / 20)}.100.${n % 20}`);
    expect(mails, "and the first of three more sites").toBe(LINK_LIMITS.all + 3);
    expect(all.outcomes.at(-1)).toBe("limited_all");
    const said = all.lines.slice(lines).filter((line) => line.includes("limit in all"));
    expect(said, "one line a minute").toHaveLength(1);
    expect(await statusOf(from("81.2.3.4"), "newcomer@example.com")).toBe(200);
    expect(all.box.mails.at(-1)?.to).toBe("newcomer@example.com");
    expect(await statusOf(from("198.1.100.99"), "neighbour@example.com")).toBe(429);
    const again = from("198.1.100.98");
    again.known = customer.known;
    expect(await statusOf(again, "neighbour@example.com"), "another address").toBe(429);
    expect(await statusOf(again, "Customer@example.com")).toBe(200);
    expect(all.box.mails.at(-1)?.to).toBe("customer@example.com");
    expect((await again.follow(all.box.link)).status).toBe(303);
  });

  test("known and unknown addresses are refused alike, so no account shows", async () => {
    await all.server.state.admin.createAccount({ email: "has@example.com", plan: "free" });
    await flood(12, () => "203.0.113.50");
    const texts: string[] = [];
    for (const name of ["has", "none"]) {
      const refused = await ask(from("203.0.113.50"), `${name}@example.com`);
      texts.push(`${refused.status} ${await refused.text()}`);
    }
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toMatch(/^429/);
  });

  test("asking for somebody else's address keeps nobody out of it", async () => {
    for (let n = 0; n < 3; n++) await ask(from(`203.0.${n}.7`), "victim@example.com");
    all.server.clock.pass(16 * 60_000);
    const victim = from("81.5.5.5");
    await ask(victim, "victim@example.com");
    expect((await victim.follow(all.box.link)).status).toBe(303);
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
