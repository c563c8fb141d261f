import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ChargeDecision } from "../../../../server/accounts/accounts.ts";
import { openStateFile } from "../../../../server/accounts/embedded/state-file.ts";
import { BUILT_IN_PLANS } from "../../../../server/accounts/plans.ts";
import {
  AccountsFixture,
  callerOf,
  chargeMany,
  tinyPlans,
} from "../../../support/accounts-fixture.ts";

const DAY_MS = 86_400_000;

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

const usedIn = (decisions: readonly ChargeDecision[]) => decisions.map(({ used }) => used);

describe("charges", () => {
  test("state the account after the call they stand for", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    expect(await accounts.charge(caller, 1, now, "/signals")).toEqual({
      charged: true,
      plan: BUILT_IN_PLANS.get("developer"),
      used: 1,
      quota: {
        limit: 10_000,
        remaining: 9_999,
        resetSeconds: (Date.parse("2026-03-01T00:00:00Z") - now) / 1000,
        windowSeconds: 28 * 86_400,
      },
    });
    expect(usedIn(await chargeMany(accounts, caller, [1, 10, 1], now))).toEqual([2, 12, 13]);
    expect(accounts.quota(caller, now)).toMatchObject({ used: 13, quota: { remaining: 9_987 } });
  });

  test("are all or nothing each, and stop exactly at the limit", async () => {
    const plans = tinyPlans(10);
    const { key } = await fixture.account("tiny", "a@example.com", plans);
    const accounts = fixture.server({ plans });
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    const decisions = await chargeMany(accounts, caller, [8, 3, 1, 1, 1], now);
    expect(decisions.map(({ charged }) => charged)).toEqual([true, false, true, true, false]);
    expect(usedIn(decisions)).toEqual([8, 8, 9, 10, 10]);
    expect(decisions[4]?.quota.remaining).toBe(0);
    expect(accounts.quota(caller, now).used).toBe(10);
  });

  test("come to the same as deciding one after the other, however they fall into turns", async () => {
    const plans = tinyPlans(25);
    const accounts = fixture.server({ plans });
    const now = fixture.clock.wallMs;
    const turns = fc.array(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }), {
      maxLength: 8,
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(turns, async (groups) => {
        run++;
        const { key } = await fixture.account("tiny", `run${run}@example.com`, plans);
        fixture.clock.pass(10);
        const caller = callerOf(accounts, key, now);
        let used = 0;
        for (const units of groups) {
          const decisions = await chargeMany(accounts, caller, units, now);
          units.forEach((each, index) => {
            const fits = used + each <= 25;
            if (fits) used += each;
            expect(decisions[index]).toMatchObject({ charged: fits, used });
          });
        }
        expect(accounts.quota(caller, now).used).toBe(used);
      }),
      { numRuns: 60 },
    );
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "of %d units are a defect",
    async (units) => {
      const { key } = await fixture.account("developer");
      const accounts = fixture.server();
      const caller = callerOf(accounts, key, fixture.clock.wallMs);
      await expect(accounts.charge(caller, units, fixture.clock.wallMs)).rejects.toThrow(
        RangeError,
      );
    },
  );

  test("by a caller of our making are a defect of that request alone", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    await expect(accounts.charge({ ...caller }, 1, now)).rejects.toThrow(
      "did not come from authenticate",
    );
    await expect(accounts.charge(caller, 1, now)).resolves.toMatchObject({ used: 1 });
  });

  test("of more than one group's worth in a turn are all settled", async () => {
    const { key } = await fixture.account("scale");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    const decisions = await chargeMany(
      accounts,
      caller,
      Array.from({ length: 10_000 }, () => 1),
      now,
    );
    expect(usedIn(decisions)).toEqual(decisions.map((_, index) => index + 1));
  });

  test("are counted by day, endpoint and environment, and add up to what was used", async () => {
    const { key, account } = await fixture.account("developer");
    const admin = fixture.admin();
    const test = await admin.createKey(account.id, "test");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const live = callerOf(accounts, key, now);
    const sandbox = callerOf(accounts, test.key, now);
    await Promise.all([
      accounts.charge(live, 1, now - DAY_MS, "/signals"),
      accounts.charge(live, 1, now, "/signals"),
      accounts.charge(live, 1, now, "/signals"),
      accounts.charge(live, 10, now, "/backtests"),
      accounts.charge(sandbox, 1, now, "/signals"),
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

describe("a charge in the callback form", () => {
  test("is counted and settled before the call returns, behind the account's first", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    await accounts.charge(caller, 1, now, "/dca");
    const used: number[] = [];
    const settle = (outcome: ChargeDecision | Error) => {
      if (!(outcome instanceof Error)) used.push(outcome.used);
    };
    for (let count = 0; count < 5; count++) {
      accounts.chargeLater({ caller, units: 1, nowMs: now, endpoint: "/dca", settle });
    }
    expect(used).toEqual([2, 3, 4, 5, 6]);
  });

  test("is not made for a client that has gone, also while it waits", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    const settle = () => {
      throw new Error("nobody waits for this");
    };
    const request = { caller, units: 1, nowMs: now, endpoint: "/dca", wanted: false, settle };
    accounts.chargeLater(request);
    const other = openStateFile(fixture.file, { busyMs: 0 });
    other.exec("BEGIN IMMEDIATE");
    const leaving = { ...request, wanted: true };
    accounts.chargeLater(leaving);
    const staying = accounts.charge(caller, 1, now, "/dca");
    leaving.wanted = false;
    other.exec("ROLLBACK");
    other.close();
    expect((await staying).used).toBe(1);
    expect(accounts.quota(caller, now).used).toBe(1);
  });
});

describe("a full disk", () => {
  test("charges nothing by a row and says what is the matter; calls go on in the meter file", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    await accounts.charge(caller, 1, now, "/signals");
    const db = openStateFile(fixture.file, { busyMs: 0 });
    const ledger = accounts.ledgerOn(db);
    const pages = (db.prepare("PRAGMA page_count").raw().get() as [number])[0];
    db.exec(`PRAGMA max_page_count = ${pages}`);
    const endpoint = "/".padEnd(3_000, "x");
    const charge = () =>
      ledger.transaction(() => ledger.chargeNow({ caller, units: 5, nowMs: now, endpoint }));
    expect(charge).toThrow(/database or disk is full/);
    expect(accounts.quota(caller, now).used).toBe(1);
    expect((await accounts.charge(caller, 1, now, "/signals")).used).toBe(2);
    db.exec(`PRAGMA max_page_count = ${pages + 1_000}`);
    expect(charge().decision).toMatchObject({ charged: true, used: 7 });
    db.close();
  });
});

describe("a charge inside a larger transaction", () => {
  test("is undone with it, and says what to refund", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const db = openStateFile(fixture.file, { busyMs: 100 });
    const ledger = accounts.ledgerOn(db);
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    const charge = { caller, units: 10, nowMs: now, endpoint: "/backtests" };
    expect(ledger.transaction(() => ledger.chargeNow(charge))).toMatchObject({
      decision: { charged: true, used: 10 },
      period: "2026-02",
    });
    const failing = () =>
      ledger.transaction(() => {
        ledger.chargeNow(charge);
        throw new Error("no job after all");
      });
    expect(failing).toThrow("no job after all");
    expect(accounts.quota(caller, now).used).toBe(10);
    db.close();
  });
});
