import { describe, expect, test } from "vitest";
import { AccountsUnavailable } from "../../../accounts/accounts.ts";
import { environmentOf, makeKey } from "../../../accounts/keys.ts";
import { BUILT_IN_PLANS } from "../../../accounts/plans.ts";
import { tinyPlans } from "../accounts-fixture.ts";
import {
  benchOfEachTest,
  calledBy,
  callerOf,
  DAY_MS,
  SEEN_MS,
  served,
  type AccountsBench,
} from "./bench.ts";
import { bearer } from "../bearer.ts";
import { charge } from "../charge.ts";

export function authenticationContract(open: () => Promise<AccountsBench>): void {
  const bench = benchOfEachTest(open);

  describe("authentication", () => {
    test("finds the account, key, environment and plan of a key", async () => {
      const { key, account, record } = await bench().account("developer");
      const caller = await callerOf(await bench().server(), key, bench().nowMs);
      expect(caller).toMatchObject({
        accountId: account.id,
        keyId: record.id,
        env: "live",
        plan: BUILT_IN_PLANS.get("developer"),
      });
    });

    test("finds no account for malformed, mistyped and unknown keys", async () => {
      const { key, accounts } = await served(bench(), "developer");
      const mistyped = key.slice(0, -1) + (key.endsWith("x") ? "y" : "x");
      const unknown = makeKey("live");
      expect(environmentOf(unknown)).toBe("live");
      for (const text of ["", "x", mistyped, unknown, unknown, `${key} `]) {
        expect(await accounts.authenticate(bearer(text), bench().nowMs)).toBeUndefined();
      }
      for (const header of ["", "Bearer", key, `Basic ${key}`, `${bearer(key)}, ${bearer(key)}`]) {
        expect(await accounts.authenticate(header, bench().nowMs)).toBeUndefined();
      }
    });

    test("knows a key however its header is spelled, again and again", async () => {
      const { key, accounts } = await served(bench(), "developer");
      for (const header of [bearer(key), `bearer ${key}`, `BEARER   ${key}`, bearer(key)]) {
        for (let time = 0; time < 3; time++) {
          expect(await accounts.authenticate(header, bench().nowMs)).toBeDefined();
        }
      }
    });

    test("sees a key that was unknown once it is made", async () => {
      const { account, accounts, admin } = await served(bench(), "developer");
      await accounts.authenticate(bearer(makeKey("live")), bench().nowMs);
      const { key } = await admin.createKey(account.id, "test");
      await bench().pass(SEEN_MS);
      expect((await callerOf(accounts, key, bench().nowMs)).env).toBe("test");
    });

    test("refuses a key that another process revoked, within the poll", async () => {
      const { key, record, accounts, admin } = await served(bench(), "developer");
      expect(await accounts.authenticate(bearer(key), bench().nowMs)).toBeDefined();
      await admin.revokeKey({ id: record.id });
      await bench().pass(SEEN_MS);
      expect(await accounts.authenticate(bearer(key), bench().nowMs)).toBeUndefined();
      bench().setWallMs(bench().nowMs - DAY_MS);
      await bench().pass(SEEN_MS);
      expect(
        await accounts.authenticate(bearer(key), bench().nowMs),
        "a clock set back does not bring it to life",
      ).toBeUndefined();
    });

    test("finds the caller in whose name a link is, by the id of the key while it is in force", async () => {
      const { record, account, accounts, admin } = await served(bench(), "developer");
      const found = async () => await accounts.callerOf(record.id, bench().nowMs);
      expect(await found()).toMatchObject({ accountId: account.id, keyId: record.id, env: "live" });
      expect(await accounts.callerOf("key_none", bench().nowMs)).toBeUndefined();
      await admin.suspend(account.id);
      await bench().pass(SEEN_MS);
      expect(await found()).toBeUndefined();
      await admin.resume(account.id);
      await admin.revokeKey({ id: record.id });
      await bench().pass(SEEN_MS);
      expect(await found()).toBeUndefined();
    });

    test("has one secret for all servers, which signs links", async () => {
      const { accounts, admin } = await served(bench(), "developer");
      const secret = await accounts.secret();
      expect(secret.length).toBeGreaterThanOrEqual(32);
      expect(await admin.store.secret()).toBe(secret);
    });

    test("keeps a rotated key for its grace period and not an instant longer", async () => {
      const { key, accounts, admin } = await served(bench(), "developer");
      await accounts.authenticate(bearer(key), bench().nowMs);
      const made = await admin.rotateKey({ key }, DAY_MS);
      await bench().pass(DAY_MS - 1);
      expect(await accounts.authenticate(bearer(key), bench().nowMs)).toBeDefined();
      expect(await accounts.authenticate(bearer(made.key), bench().nowMs)).toBeDefined();
      await bench().pass(1);
      expect(await accounts.authenticate(bearer(key), bench().nowMs)).toBeUndefined();
      expect(await accounts.authenticate(bearer(made.key), bench().nowMs)).toBeDefined();
    });

    test("sees a plan change made by another process at the next request", async () => {
      const { key, account, accounts, admin } = await served(bench(), "developer");
      expect((await callerOf(accounts, key, bench().nowMs)).plan.name).toBe("developer");
      await admin.setPlan(account.id, "scale");
      await bench().pass(SEEN_MS);
      expect((await callerOf(accounts, key, bench().nowMs)).plan.name).toBe("scale");
    });

    test("ends a trial at its last instant, at the first request after it", async () => {
      const { key, account, accounts } = await served(bench(), "trial");
      const endsMs = account.createdMs + 14 * DAY_MS;
      expect(account.trialEndsMs).toBe(endsMs);
      expect((await callerOf(accounts, key, endsMs - 1)).plan.name).toBe("trial");
      expect((await callerOf(accounts, key, endsMs)).plan).toBe(BUILT_IN_PLANS.get("free"));
    });

    test("writes a key's last use, to the minute", async () => {
      const { key, account, accounts, admin } = await served(bench(), "developer");
      const firstMs = bench().nowMs;
      for (const at of [firstMs, firstMs + 59_999]) {
        await accounts.authenticate(bearer(key), at);
        await bench().write(accounts);
        expect((await admin.listKeys(account.id))[0]?.lastUsedMs).toBe(firstMs);
      }
      await accounts.authenticate(bearer(key), firstMs + 60_000);
      await accounts.close();
      const later = await bench().admin();
      expect((await later.listKeys(account.id))[0]?.lastUsedMs, "also when closing").toBe(
        firstMs + 60_000,
      );
    });

    test("writes a key's use anew after a clock that was more than a day ahead is set back, and not after less", async () => {
      const { key, account, accounts, admin } = await served(bench(), "developer");
      const atMs = bench().nowMs;
      const useAt = async (ms: number) => {
        await accounts.authenticate(bearer(key), ms);
        await bench().write(accounts);
        return (await admin.listKeys(account.id))[0]?.lastUsedMs;
      };
      expect(await useAt(atMs + DAY_MS)).toBe(atMs + DAY_MS);
      expect(await useAt(atMs), "two servers' clocks may differ").toBe(atMs + DAY_MS);
      expect(await useAt(atMs + 31 * DAY_MS)).toBe(atMs + 31 * DAY_MS);
      expect(await useAt(atMs)).toBe(atMs);
      expect(await useAt(atMs + 59_999)).toBe(atMs);
      expect(await useAt(atMs + 60_000)).toBe(atMs + 60_000);
    });
  });

  describe("plans that the table does not have", () => {
    test("are named at start, and their accounts are not served, rather than served wrongly", async () => {
      const plans = tinyPlans(5);
      const tiny = await bench().account("tiny", "tiny@example.com", plans);
      const other = await bench().account("free", "other@example.com");
      const accounts = await bench().server();
      expect(bench().warnings).toContainEqual(expect.stringContaining('"tiny"'));
      const now = bench().nowMs;
      await expect(
        (async () => await accounts.authenticate(bearer(tiny.key), now))(),
      ).rejects.toThrow(AccountsUnavailable);
      expect((await callerOf(accounts, other.key, now)).plan.name).toBe("free");
    });
  });

  describe("the rate limit", () => {
    test("is the account's, over all its keys, live and test", async () => {
      const { key, account, admin } = await served(bench(), "free");
      const test = await admin.createKey(account.id, "test");
      const accounts = await bench().server();
      const now = bench().nowMs;
      const callers = [await callerOf(accounts, key, now), await callerOf(accounts, test.key, now)];
      let admitted = 0;
      for (let n = 0; n < 12; n++) {
        if ((await charge(accounts, callers[n % 2]!, 0, now)).rate.admitted) admitted++;
      }
      expect(admitted).toBe(10);
    });

    test("refuses a request before the quota does, and a refused one counts against nothing", async () => {
      const { accounts, caller } = await calledBy(bench(), "free");
      for (let n = 0; n < 10; n++) await charge(accounts, caller, 1, bench().nowMs);
      const refused = await charge(accounts, caller, 1, bench().nowMs);
      expect(refused).toMatchObject({
        kind: "rate_limited",
        used: 10,
        quota: { remaining: 90 },
        rate: { admitted: false, retryAfterSeconds: 60, window: { remaining: 0 } },
      });
      await bench().pass(60_001);
      expect(await charge(accounts, caller, 1, bench().nowMs)).toMatchObject({ used: 11 });
    });

    test("does not move with the wall clock", async () => {
      const { accounts, caller } = await calledBy(bench(), "free");
      for (let n = 0; n < 10; n++) await charge(accounts, caller, 0, bench().nowMs);
      for (const jump of [DAY_MS, -DAY_MS]) {
        const { kind } = await charge(accounts, caller, 0, bench().nowMs + jump);
        expect(kind).toBe("rate_limited");
      }
    });
  });
}
