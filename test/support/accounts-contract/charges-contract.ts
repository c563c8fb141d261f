import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AccountsUnavailable, type ChargeOutcome } from "../../../accounts/accounts.ts";
import { BUILT_IN_PLANS } from "../../../accounts/plans.ts";
import { tinyPlans } from "../accounts-fixture.ts";
import {
  benchOfEachTest,
  calledBy,
  callerOf,
  chargeMany,
  DAY_MS,
  served,
  type AccountsBench,
} from "./bench.ts";
import { charge } from "../charge.ts";

const usedIn = (decisions: readonly ChargeOutcome[]) => decisions.map(({ used }) => used);

export function chargesContract(open: () => Promise<AccountsBench>): void {
  const bench = benchOfEachTest(open);

  describe("charges", () => {
    test("state the account after the call they stand for", async () => {
      const { accounts, now, caller } = await calledBy(bench(), "developer");
      expect(await charge(accounts, caller, 1, now, "/signals")).toEqual({
        kind: "charged",
        plan: BUILT_IN_PLANS.get("developer"),
        used: 1,
        quota: {
          limit: 10_000,
          remaining: 9_999,
          resetSeconds: (Date.parse("2026-03-01T00:00:00Z") - now) / 1000,
          windowSeconds: 28 * 86_400,
        },
        rate: {
          admitted: true,
          window: { limit: 60, remaining: 59, resetSeconds: 60, windowSeconds: 60 },
          retryAfterSeconds: 0,
        },
      });
      expect(usedIn(await chargeMany(accounts, caller, [1, 10, 1], now))).toEqual([2, 12, 13]);
      expect(await charge(accounts, caller, 0, now)).toMatchObject({
        used: 13,
        quota: { remaining: 9_987 },
      });
    });

    test("are all or nothing each, and stop exactly at the limit", async () => {
      const { accounts, now, caller } = await calledBy(bench(), "tiny", tinyPlans(10));
      const decisions = await chargeMany(accounts, caller, [8, 3, 1, 1, 1], now);
      expect(decisions.map(({ kind }) => kind === "charged")).toEqual([
        true,
        false,
        true,
        true,
        false,
      ]);
      expect(usedIn(decisions)).toEqual([8, 8, 9, 10, 10]);
      expect(decisions[4]?.quota.remaining).toBe(0);
      expect((await charge(accounts, caller, 0, now)).used).toBe(10);
    });

    test("come to the same as deciding one after the other, however they fall into turns", async () => {
      const plans = tinyPlans(25);
      const accounts = await bench().server(plans);
      const now = bench().nowMs;
      const turns = fc.array(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }), {
        maxLength: 8,
      });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(turns, async (groups) => {
          run++;
          const { key } = await bench().account("tiny", `run${run}@example.com`, plans);
          await bench().pass(10);
          const caller = await callerOf(accounts, key, now);
          let used = 0;
          for (const units of groups) {
            const decisions = await chargeMany(accounts, caller, units, now);
            units.forEach((each, index) => {
              const fits = used + each <= 25;
              if (fits) used += each;
              const kind = fits ? "charged" : "quota_exceeded";
              expect(decisions[index]).toMatchObject({ kind, used });
            });
          }
          expect((await charge(accounts, caller, 0, now)).used).toBe(used);
        }),
        { numRuns: 60 },
      );
    });

    test("by a copy of a caller are charged to its account", async () => {
      const { accounts, now, caller } = await calledBy(bench(), "developer");
      const rate = accounts.admit(caller, now);
      const copied = { admit: () => rate, charge: accounts.charge.bind(accounts) };
      await expect(charge(copied, { ...caller }, 1, now)).resolves.toMatchObject({ used: 1 });
      await expect(charge(accounts, caller, 1, now)).resolves.toMatchObject({ used: 2 });
    });

    test("of more than one group's worth in a turn are all settled", async () => {
      const { accounts, now, caller } = await calledBy(bench(), "scale");
      const decisions = await chargeMany(accounts, caller, Array<number>(600).fill(1), now);
      expect(usedIn(decisions)).toEqual(decisions.map((_, index) => index + 1));
    });

    test("are counted by day, endpoint and environment, and add up to what was used", async () => {
      const { key, account, admin } = await served(bench(), "developer");
      const test = await admin.createKey(account.id, "test");
      const accounts = await bench().server();
      const now = bench().nowMs;
      const live = await callerOf(accounts, key, now);
      const sandbox = await callerOf(accounts, test.key, now);
      await Promise.all([
        charge(accounts, live, 1, now - DAY_MS, "/signals"),
        charge(accounts, live, 1, now, "/signals"),
        charge(accounts, live, 1, now, "/signals"),
        charge(accounts, live, 10, now, "/backtests"),
        charge(accounts, sandbox, 1, now, "/signals"),
      ]);
      const usage = await admin.usageOf(account.id);
      expect(usage.allowances).toMatchObject([
        { env: "live", period: "2026-02", used: 13, limit: 10_000 },
        { env: "test", period: "2026-02", used: 1, limit: 100 },
      ]);
      expect(usage.endpoints).toEqual([
        { day: "2026-02-09", env: "live", endpoint: "/signals", calls: 1, units: 1 },
        { day: "2026-02-10", env: "live", endpoint: "/backtests", calls: 1, units: 10 },
        { day: "2026-02-10", env: "live", endpoint: "/signals", calls: 2, units: 2 },
        { day: "2026-02-10", env: "test", endpoint: "/signals", calls: 1, units: 1 },
      ]);
    });
  });

  describe("a charge", () => {
    test("is not made for a client that has gone", async () => {
      const { accounts, now, caller } = await calledBy(bench(), "developer");
      const settle = () => {
        throw new Error("not waited for");
      };
      const rate = accounts.admit(caller, now);
      const call = { caller, units: 1, nowMs: now, endpoint: "/dca" };
      accounts.charge({ ...call, rate, connection: { open: false }, settle });
      expect((await charge(accounts, caller, 1, now, "/dca")).used).toBe(1);
      expect((await charge(accounts, caller, 0, now)).used).toBe(1);
    });
  });

  describe("units for work that followed the request", () => {
    test("stop exactly at the quota, and count for no rate limit", async () => {
      const { accounts, now, caller } = await calledBy(bench(), "tiny", tinyPlans(3));
      const counted = await Promise.all(
        Array.from({ length: 20 }, () => charge(accounts, caller, 0, now, "/check")),
      );
      const decisions = await Promise.all(
        counted.map(async ({ rate }) => {
          const spending = { caller, nowMs: now + 5_000, endpoint: "/check", units: 1, rate };
          return accounts.spend({ ...spending, connection: { open: true } });
        }),
      );
      expect(decisions.filter(({ charged }) => charged).map(({ used }) => used)).toEqual([1, 2, 3]);
      expect(decisions.at(-1)).toMatchObject({ charged: false, used: 3, quota: { remaining: 0 } });
      const after = await charge(accounts, caller, 0, now, "/check");
      expect(after.rate.window.remaining).toBe(after.rate.window.limit - 21);
      const { endpoints } = await accounts.report(caller, now);
      expect(endpoints).toMatchObject([{ endpoint: "/check", calls: 3, units: 3 }]);
    });

    test("are decided beside requests of the same turn", async () => {
      const { accounts, now, caller } = await calledBy(bench(), "tiny", tinyPlans(2));
      const { rate } = await charge(accounts, caller, 0, now, "/check");
      const connection = { open: true };
      const spending = { caller, nowMs: now, endpoint: "/check", units: 1, rate, connection };
      const [spent, called, refused] = await Promise.all([
        accounts.spend(spending),
        charge(accounts, caller, 1, now),
        accounts.spend({ ...spending, units: 2 }),
      ]);
      expect(spent.charged).toBe(true);
      expect(refused.charged).toBe(false);
      expect(called.rate.window.remaining).toBe(called.rate.window.limit - 2);
      expect((await charge(accounts, caller, 0, now)).used).toBe(2);
    });
  });

  describe("what is pending", () => {
    test("is settled when the store is closed, and nothing after that", async () => {
      const { accounts, now, caller } = await calledBy(bench(), "free");
      const pending = chargeMany(accounts, caller, [1, 1], now);
      await accounts.close();
      expect(usedIn(await pending)).toEqual([1, 2]);
      await expect(charge(accounts, caller, 1, now)).rejects.toThrow(AccountsUnavailable);
      await accounts.close();
    });
  });
}
