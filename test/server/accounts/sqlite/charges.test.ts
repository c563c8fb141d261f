import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ChargeDecision } from "../../../../server/accounts/accounts.ts";
import { openStateFile } from "../../../../server/accounts/sqlite/state-file.ts";
import { AccountsFixture, callerOf } from "../../../support/accounts-fixture.ts";
import { charge } from "../../../support/charge.ts";

/** Rules that hold for charges in any store are tested in test/support/accounts-contract/. */
let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

describe("a charge in the callback form", () => {
  test("is counted and settled before the call returns, after the account's first", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    await charge(accounts, caller, 1, now, "/dca");
    const used: number[] = [];
    const settle = (outcome: ChargeDecision | Error) => {
      if (!(outcome instanceof Error)) used.push(outcome.used);
    };
    for (let count = 0; count < 5; count++) {
      accounts.charge({ caller, units: 1, nowMs: now, endpoint: "/dca", settle });
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
    accounts.charge(request);
    const other = openStateFile(fixture.file, { busyMs: 0 });
    other.exec("BEGIN IMMEDIATE");
    const leaving = { ...request, wanted: true };
    accounts.charge(leaving);
    const staying = charge(accounts, caller, 1, now, "/dca");
    leaving.wanted = false;
    other.exec("ROLLBACK");
    other.close();
    expect((await staying).used).toBe(1);
    expect(accounts.quota(caller, now).used).toBe(1);
  });
});

describe("a full disk", () => {
  test("charges nothing as a row and says what is wrong; calls are still counted in the meter file", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    await charge(accounts, caller, 1, now, "/signals");
    const db = openStateFile(fixture.file, { busyMs: 0 });
    const ledger = accounts.ledgerOn(db);
    const pages = (db.prepare("PRAGMA page_count").raw().get() as [number])[0];
    db.exec(`PRAGMA max_page_count = ${pages}`);
    const endpoint = "/".padEnd(3_000, "x");
    const chargeByRow = () =>
      ledger.transaction(() => ledger.chargeNow({ caller, units: 5, nowMs: now, endpoint }));
    expect(chargeByRow).toThrow(/database or disk is full/);
    expect(accounts.quota(caller, now).used).toBe(1);
    expect((await charge(accounts, caller, 1, now, "/signals")).used).toBe(2);
    db.exec(`PRAGMA max_page_count = ${pages + 1_000}`);
    expect(chargeByRow().decision).toMatchObject({ charged: true, used: 7 });
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
