import Database from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsFixture, callerOf } from "../../../support/accounts-fixture.ts";
import { charge } from "../../../support/charge.ts";

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

test("the minute opens again by the clock that is never set", async () => {
  const { key } = await fixture.account("free");
  const accounts = fixture.server();
  const now = fixture.clock.wallMs;
  const caller = callerOf(accounts, key, now);
  for (let n = 0; n < 10; n++) await accounts.admit(caller, now);
  expect((await accounts.admit(caller, now)).admitted).toBe(false);
  fixture.clock.pass(60_000);
  expect((await accounts.admit(caller, now)).admitted).toBe(true);
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
});
