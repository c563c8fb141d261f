import Database from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsUnavailable } from "../../../../server/accounts/accounts.ts";
import {
  AccountsFixture,
  callerOf,
  callerSoon,
  chargeMany,
} from "../../../support/accounts-fixture.ts";
import { charge } from "../../../support/charge.ts";

const DAY_MS = 86_400_000;

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

describe("the minute", () => {
  test("is the account's, over all its keys, live and test", async () => {
    const { key, account } = await fixture.account("free");
    const admin = fixture.admin();
    const test = await admin.createKey(account.id, "test");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const callers = [
      await callerSoon(accounts, key, now),
      await callerSoon(accounts, test.key, now),
    ];
    let admitted = 0;
    for (let n = 0; n < 12; n++) {
      if ((await accounts.admit(callers[n % 2]!, now)).admitted) admitted++;
    }
    expect(admitted).toBe(10);
  });

  test("does not move with the wall clock", async () => {
    const { key } = await fixture.account("free");
    const accounts = fixture.server();
    const caller = callerOf(accounts, key, fixture.clock.wallMs);
    for (let n = 0; n < 10; n++) await accounts.admit(caller, fixture.clock.wallMs);
    for (const jump of [DAY_MS, -DAY_MS]) {
      expect((await accounts.admit(caller, fixture.clock.wallMs + jump)).admitted).toBe(false);
    }
    fixture.clock.pass(60_000);
    expect((await accounts.admit(caller, fixture.clock.wallMs)).admitted).toBe(true);
  });
});

describe("a store in trouble", () => {
  test("fails charges after a while where another process keeps the lock, and recovers", async () => {
    const { key } = await fixture.account("free");
    const accounts = fixture.server({ lockWaitMs: 50 });
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    const other = new Database(fixture.file);
    other.exec("BEGIN IMMEDIATE");
    const charges = [charge(accounts, caller, 1, now), charge(accounts, caller, 1, now)];
    const settled = Promise.allSettled(charges);
    await new Promise((resolve) => setImmediate(resolve)); // the first attempt, before time passes
    fixture.clock.pass(50);
    for (const outcome of await settled) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { name: "AccountsUnavailable" },
      });
    }
    expect(accounts.quota(caller, now).used, "reads need no lock").toBe(0);
    other.exec("ROLLBACK");
    other.close();
    await expect(charge(accounts, caller, 1, now)).resolves.toMatchObject({
      charged: true,
      used: 1,
    });
  });

  test("waits for a lock until it is released, without holding up the event loop", async () => {
    const { key } = await fixture.account("free");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    const other = new Database(fixture.file);
    other.exec("BEGIN IMMEDIATE");
    let settled = false;
    const first = charge(accounts, caller, 1, now).finally(() => {
      settled = true;
    });
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(false);
    const joined = charge(accounts, caller, 1, now);
    other.exec("ROLLBACK");
    other.close();
    expect((await first).used).toBe(1);
    expect((await joined).used).toBe(2);
  });

  test("answers nobody once it is closed", async () => {
    const { key } = await fixture.account("free");
    const accounts = fixture.server();
    const caller = callerOf(accounts, key, fixture.clock.wallMs);
    const pending = chargeMany(accounts, caller, [1, 1], fixture.clock.wallMs);
    await accounts.close();
    expect(
      (await pending).map(({ used }) => used),
      "what was pending is settled first",
    ).toEqual([1, 2]);
    await expect(charge(accounts, caller, 1, fixture.clock.wallMs)).rejects.toThrow(
      AccountsUnavailable,
    );
    await accounts.close();
  });
});
