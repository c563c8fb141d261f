import { describe, expect, test } from "vitest";
import type { Accounts } from "../../../accounts/accounts.ts";
import { tinyPlans } from "../accounts-fixture.ts";
import {
  benchOfEachTest,
  calledBy,
  callerOf,
  DAY_MS,
  served,
  type AccountsBench,
} from "./bench.ts";
import { charge } from "../charge.ts";

export function periodsContract(open: () => Promise<AccountsBench>): void {
  const bench = benchOfEachTest(open);

  describe("edges of a period", () => {
    test("a month's last charge and the next one's first, in one turn, go to their own months", async () => {
      const plans = tinyPlans(1);
      const { key } = await bench().account("tiny", "a@example.com", plans);
      const accounts = await bench().server(plans);
      const edge = Date.parse("2026-03-01T00:00:00Z");
      const caller = await callerOf(accounts, key, edge - 1);
      const decisions = await Promise.all(
        [edge - 1, edge, edge - 1, edge].map((at) => charge(accounts, caller, 1, at)),
      );
      expect(decisions.map(({ kind }) => kind === "charged")).toEqual([true, true, false, false]);
      expect(decisions[0]?.quota.resetSeconds).toBe(1);
      expect(decisions[1]?.quota.resetSeconds).toBe(31 * 86_400);
    });

    test("a clock set back goes on with the earlier month where it stood", async () => {
      const { key, accounts } = await served(bench(), "developer");
      const february = bench().nowMs;
      const march = Date.parse("2026-03-05T00:00:00Z");
      const used = [];
      for (const at of [february, march, february, march]) {
        used.push((await charge(accounts, await callerOf(accounts, key, at), 1, at)).used);
      }
      expect(used).toEqual([1, 1, 2, 2]);
    });

    test("a new month has nothing used, before its first charge too", async () => {
      const { key, accounts, now: february, caller } = await calledBy(bench(), "developer");
      const march = Date.parse("2026-03-05T00:00:00Z");
      for (let calls = 0; calls < 5; calls++) await charge(accounts, caller, 1, february);
      const stateAt = async (at: number) =>
        await charge(accounts, await callerOf(accounts, key, at), 0, at);
      expect(await stateAt(march)).toMatchObject({ used: 0, quota: { remaining: 10_000 } });
      expect((await stateAt(february)).used).toBe(5);
    });

    test("a trial's calls count from creation over 14 days, across months, and the free plan starts anew", async () => {
      bench().setWallMs(Date.parse("2026-02-20T00:00:00Z"));
      const { key, account, accounts } = await served(bench(), "trial");
      const at = async (ms: number, units: number) =>
        await charge(accounts, await callerOf(accounts, key, ms), units, ms);
      const created = account.createdMs;
      expect(await at(created, 600)).toMatchObject({ used: 600, quota: { limit: 1_000 } });
      const march = await at(created + 10 * DAY_MS, 400);
      expect(march, "in March, the same count").toMatchObject({ kind: "charged", used: 1_000 });
      expect(march.quota).toMatchObject({ resetSeconds: 4 * 86_400, windowSeconds: 14 * 86_400 });
      expect((await at(created + 14 * DAY_MS - 1, 1)).kind).toBe("quota_exceeded");
      const free = await at(created + 14 * DAY_MS, 1);
      expect(free).toMatchObject({
        kind: "charged",
        used: 1,
        plan: { name: "free" },
        quota: { limit: 100 },
      });
    });

    test("a trial that ends between a request's key and its charge is charged to the free plan", async () => {
      const { key, account, accounts } = await served(bench(), "trial");
      const endsMs = account.createdMs + 14 * DAY_MS;
      const caller = await callerOf(accounts, key, endsMs - 1);
      expect(caller.plan.name).toBe("trial");
      expect(await charge(accounts, caller, 1, endsMs)).toMatchObject({
        plan: { name: "free" },
        used: 1,
      });
    });
  });

  describe("a change of plan", () => {
    /** Charges once every server has seen the changes. */
    async function chargeLater(accounts: Accounts, key: string, units: number) {
      await bench().pass(10);
      const now = bench().nowMs;
      return await charge(accounts, await callerOf(accounts, key, now), units, now);
    }

    test("keeps what is used, from a trial to a sold plan and back", async () => {
      const { key, account, accounts, admin } = await served(bench(), "trial");
      const use = (units: number) => chargeLater(accounts, key, units);
      expect((await use(900)).used).toBe(900);
      await admin.setPlan(account.id, "developer");
      expect(await use(1)).toMatchObject({ used: 901, quota: { limit: 10_000 } });
      await admin.setPlan(account.id, "startup");
      expect(await use(1)).toMatchObject({ used: 902, quota: { limit: 100_000 } });
      await admin.setPlan(account.id, "trial");
      expect(await use(98)).toMatchObject({
        kind: "charged",
        used: 1_000,
        quota: { limit: 1_000 },
      });
      expect((await use(1)).kind).toBe("quota_exceeded");
      await admin.setPlan(account.id, "free");
      expect(await use(1)).toMatchObject({
        kind: "quota_exceeded",
        used: 1_000,
        quota: { remaining: 0 },
      });
    });

    test("back to a trial gives none of it back, also where a new month has begun between", async () => {
      bench().setWallMs(Date.parse("2026-02-25T00:00:00Z"));
      const { key, account, accounts, admin } = await served(bench(), "trial");
      const use = (units: number) => chargeLater(accounts, key, units);
      await use(900);
      await admin.setPlan(account.id, "developer");
      await bench().pass(5 * DAY_MS);
      expect((await use(3)).used, "March begins anew").toBe(3);
      await admin.setPlan(account.id, "trial");
      expect((await use(1)).used).toBe(901);
      await admin.setPlan(account.id, "developer");
      expect((await use(1)).used, "the larger count moves along").toBe(902);
    });

    test("that falls between a request's key and its charge decides the charge", async () => {
      const { account, accounts, now, caller } = await calledBy(bench(), "trial");
      await charge(accounts, caller, 1_000, now);
      await (await bench().admin()).setPlan(account.id, "developer"); // not seen yet: no time has passed
      expect(await charge(accounts, caller, 1, now)).toMatchObject({
        kind: "charged",
        plan: { name: "developer" },
        used: 1_001,
      });
      expect((await (await bench().admin()).usageOf(account.id)).allowances[0]).toMatchObject({
        period: "2026-02",
        used: 1_001,
      });
    });

    test("back to a trial that is over is refused", async () => {
      const { account, admin } = await served(bench(), "trial");
      await admin.setPlan(account.id, "developer");
      await bench().pass(14 * DAY_MS);
      await expect(admin.setPlan(account.id, "trial")).rejects.toMatchObject({
        code: "trial_over",
      });
      expect((await admin.findAccount(account.id)).plan).toBe("developer");
    });
  });

  describe("test keys", () => {
    test("have an allowance of their own, as large as the free plan's, by the month even on a trial", async () => {
      const { key, account } = await bench().account("trial");
      const made = await (await bench().admin()).createKey(account.id, "test");
      const accounts = await bench().server();
      const now = bench().nowMs;
      const caller = await callerOf(accounts, made.key, now);
      expect(caller.plan).toMatchObject({
        callsPerMonth: 100,
        ratePerMinute: 30,
        backtestUnits: null,
      });
      expect(await charge(accounts, caller, 100, now)).toMatchObject({
        used: 100,
        quota: { limit: 100 },
      });
      expect((await charge(accounts, caller, 1, now)).kind).toBe("quota_exceeded");
      expect((await charge(accounts, await callerOf(accounts, key, now), 1, now)).used).toBe(1);
      const march = Date.parse("2026-03-01T00:00:00Z");
      expect((await charge(accounts, caller, 1, march)).used).toBe(1);
    });
  });
}
