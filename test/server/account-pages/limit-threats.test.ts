/** The threats of `docs/accounts.md` by many forms, and by a mail server. The titles are those of the document. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { drawToken } from "../../../accounts/access-tokens.ts";
import { LINK_LIMITS } from "../../../accounts/shares.ts";
import { AccessRules } from "../../../accounts/access-rules.ts";
import { AccountServer, type FakeBrowser } from "../../support/account-server.ts";
import { until } from "../../support/until.ts";

const HOUR_MS = 3_600_000;

let all: AccountServer;
beforeAll(async () => {
  all = await AccountServer.start({ server: { trustedProxies: ["127.0.0.1"] } });
});
beforeEach(() => {
  all.server.clock.pass(24 * HOUR_MS);
});
afterEach(() => {
  all.box.behaviour = "takes";
});
afterAll(() => all.close());

const from = (network: string) => all.browser({ "x-forwarded-for": network });
const ask = (browser: FakeBrowser, email: string, once = drawToken()) =>
  browser.post("/account/sign-in", { email, once });

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
      const tried = all.box.attempts - attempts;
      expect(tried, "each once or twice").toBeLessThanOrEqual(2 * LINK_LIMITS.networks[0]);
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

  test("a site that goes on is refused without asking the store, and others are not", async () => {
    const asked = vi.spyOn(AccessRules.prototype, "addLink");
    const mails = await flood(300, (n) => `2001:db8:2:${((n % 100) * 256).toString(16)}::1`);
    expect(mails).toBe(LINK_LIMITS.networks[1]);
    expect(asked).toHaveBeenCalledTimes(mails + 5 * 20);
    expect(await statusOf(from("81.2.4.4"), "another@example.com")).toBe(200);
    asked.mockRestore();
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
