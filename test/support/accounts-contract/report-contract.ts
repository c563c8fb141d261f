import { describe, expect, test } from "vitest";
import { benchOfEachTest, callerOf, served, type AccountsBench } from "./bench.ts";
import { charge } from "../charge.ts";

export function reportContract(open: () => Promise<AccountsBench>): void {
  const bench = benchOfEachTest(open);

  describe("an account's report", () => {
    test("has both allowances, the keys in force and the month's calls by day and endpoint", async () => {
      const { key, account, record, admin } = await served(bench(), "developer");
      const made = await admin.createKey(account.id, "test");
      const revoked = await admin.createKey(account.id, "live");
      await admin.revokeKey({ id: revoked.record.id });
      const accounts = await bench().server();
      const now = bench().nowMs;
      const live = await callerOf(accounts, key, now);
      await charge(accounts, live, 1, now, "/signals");
      await charge(accounts, live, 10, now, "/backtests");
      const tester = await callerOf(accounts, made.key, now);
      await charge(accounts, tester, 1, now, "/signals");

      const report = await accounts.report(live, now);
      const day = "2026-02-10";
      const month = { period: "2026-02", endsMs: Date.parse("2026-03-01") };
      expect(report).toEqual({
        allowances: [
          { env: "live", used: 11, limit: 10_000, ...month },
          { env: "test", used: 1, limit: 100, ...month },
        ],
        endpoints: [
          { day, env: "live", endpoint: "/backtests", calls: 1, units: 10 },
          { day, env: "live", endpoint: "/signals", calls: 1, units: 1 },
          { day, env: "test", endpoint: "/signals", calls: 1, units: 1 },
        ],
        keys: expect.arrayContaining([record, made.record]) as unknown,
      });
      expect(report.keys).toHaveLength(2);
      expect(await accounts.report(tester, now), "it is the account's").toEqual(report);
    });

    test("says when a trial ends", async () => {
      const { key, account, accounts } = await served(bench(), "trial");
      const now = bench().nowMs;
      const report = await accounts.report(await callerOf(accounts, key, now), now);
      const [live] = report.allowances;
      expect(live).toMatchObject({ period: "trial", limit: 1_000, endsMs: account.trialEndsMs });
    });

    test("shows a rotated key until its grace is over", async () => {
      const { key, record } = await bench().account("developer");
      const rotated = await (await bench().admin()).rotateKey({ id: record.id }, 60_000);
      const accounts = await bench().server();
      const keysNow = async () => {
        const now = bench().nowMs;
        const report = await accounts.report(await callerOf(accounts, rotated.key, now), now);
        return report.keys.map(({ id }) => id);
      };
      expect(key).not.toBe(rotated.key);
      expect((await keysNow()).sort()).toEqual([record.id, rotated.record.id].sort());
      await bench().pass(60_000);
      expect(await keysNow()).toEqual([rotated.record.id]);
    });
  });
}
