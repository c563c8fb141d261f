import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsFixture, callerOf, tinyPlans } from "../../../support/accounts-fixture.ts";

const DAY_MS = 86_400_000;

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

describe("edges of a period", () => {
  test("a month's last charge and the next one's first, in one turn, go to their own months", async () => {
    const plans = tinyPlans(1);
    const { key } = await fixture.account("tiny", "a@example.com", plans);
    const accounts = fixture.server({ plans });
    const edge = Date.parse("2026-03-01T00:00:00Z");
    const caller = callerOf(accounts, key, edge - 1);
    const decisions = await Promise.all(
      [edge - 1, edge, edge - 1, edge].map((at) => accounts.charge(caller, 1, at)),
    );
    expect(decisions.map(({ charged }) => charged)).toEqual([true, true, false, false]);
    expect(decisions[0]?.quota.resetSeconds).toBe(1);
    expect(decisions[1]?.quota.resetSeconds).toBe(31 * 86_400);
  });

  test("a clock set back goes on with the earlier month where it stood", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const february = fixture.clock.wallMs;
    const march = Date.parse("2026-03-05T00:00:00Z");
    const used = [];
    for (const at of [february, march, february, march]) {
      used.push((await accounts.charge(callerOf(accounts, key, at), 1, at)).used);
    }
    expect(used).toEqual([1, 1, 2, 2]);
  });

  test("a trial's calls count from creation over 14 days, across months, and the free plan starts anew", async () => {
    fixture.clock.wallMs = Date.parse("2026-02-20T00:00:00Z");
    const { key, account } = await fixture.account("trial");
    const accounts = fixture.server();
    const at = async (ms: number, units: number) =>
      await accounts.charge(callerOf(accounts, key, ms), units, ms);
    const created = account.createdMs;
    expect(await at(created, 600)).toMatchObject({ used: 600, quota: { limit: 1_000 } });
    const march = await at(created + 10 * DAY_MS, 400);
    expect(march, "in March, the same count").toMatchObject({ charged: true, used: 1_000 });
    expect(march.quota).toMatchObject({ resetSeconds: 4 * 86_400, windowSeconds: 14 * 86_400 });
    expect((await at(created + 14 * DAY_MS - 1, 1)).charged).toBe(false);
    const free = await at(created + 14 * DAY_MS, 1);
    expect(free).toMatchObject({
      charged: true,
      used: 1,
      plan: { name: "free" },
      quota: { limit: 100 },
    });
  });

  test("a trial that ends between a request's key and its charge is charged to the free plan", async () => {
    const { key, account } = await fixture.account("trial");
    const accounts = fixture.server();
    const endsMs = account.createdMs + 14 * DAY_MS;
    const caller = callerOf(accounts, key, endsMs - 1);
    expect(caller.plan.name).toBe("trial");
    expect(await accounts.charge(caller, 1, endsMs)).toMatchObject({
      plan: { name: "free" },
      used: 1,
    });
  });
});

describe("a change of plan", () => {
  test("keeps what is used, from a trial to a sold plan and back", async () => {
    const { key, account } = await fixture.account("trial");
    const accounts = fixture.server();
    const admin = fixture.admin();
    const charge = async (units: number) => {
      fixture.clock.pass(10);
      const now = fixture.clock.wallMs;
      return await accounts.charge(callerOf(accounts, key, now), units, now);
    };
    expect((await charge(900)).used).toBe(900);
    await admin.setPlan(account.id, "developer");
    expect(await charge(1)).toMatchObject({ used: 901, quota: { limit: 10_000 } });
    await admin.setPlan(account.id, "startup");
    expect(await charge(1)).toMatchObject({ used: 902, quota: { limit: 100_000 } });
    await admin.setPlan(account.id, "trial");
    expect(await charge(98)).toMatchObject({ charged: true, used: 1_000, quota: { limit: 1_000 } });
    expect((await charge(1)).charged).toBe(false);
    await admin.setPlan(account.id, "free");
    expect(await charge(1)).toMatchObject({ charged: false, used: 1_000, quota: { remaining: 0 } });
  });

  test("that falls between a request's key and its charge decides the charge", async () => {
    const { key, account } = await fixture.account("trial");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    await accounts.charge(caller, 1_000, now);
    await fixture.admin().setPlan(account.id, "developer"); // unseen: no time passed
    expect(await accounts.charge(caller, 1, now)).toMatchObject({
      charged: true,
      plan: { name: "developer" },
      used: 1_001,
    });
    expect((await fixture.admin().usageOf(account.id)).allowances[0]).toMatchObject({
      period: "2026-02",
      used: 1_001,
    });
  });

  test("back to a trial that is over is refused", async () => {
    const { account } = await fixture.account("trial");
    const admin = fixture.admin();
    await admin.setPlan(account.id, "developer");
    fixture.clock.pass(14 * DAY_MS);
    await expect(admin.setPlan(account.id, "trial")).rejects.toMatchObject({ code: "trial_over" });
    expect((await admin.findAccount(account.id)).plan).toBe("developer");
  });
});

describe("test keys", () => {
  test("have an allowance of their own, as large as the free plan's, by the month even on a trial", async () => {
    const { key, account } = await fixture.account("trial");
    const made = await fixture.admin().createKey(account.id, "test");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, made.key, now);
    expect(caller.plan).toMatchObject({
      callsPerMonth: 100,
      ratePerMinute: 30,
      backtestUnits: null,
    });
    expect(await accounts.charge(caller, 100, now)).toMatchObject({
      used: 100,
      quota: { limit: 100 },
    });
    expect((await accounts.charge(caller, 1, now)).charged).toBe(false);
    expect((await accounts.charge(callerOf(accounts, key, now), 1, now)).used).toBe(1);
    const march = Date.parse("2026-03-01T00:00:00Z");
    expect((await accounts.charge(caller, 1, march)).used).toBe(1);
  });
});
