import Database from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsUnavailable } from "../../../../server/accounts/accounts.ts";
import { environmentOf, makeKey } from "../../../../server/accounts/keys.ts";
import { BUILT_IN_PLANS } from "../../../../server/accounts/plans.ts";
import {
  AccountsFixture,
  callerOf,
  chargeMany,
  tinyPlans,
} from "../../../support/accounts-fixture.ts";

const DAY_MS = 86_400_000;
/** How long a change made by another process may take to be seen; the contract allows two seconds. */
const POLL_MS = 10;

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

describe("authentication", () => {
  test("knows the account, key, environment and plan behind a key", async () => {
    const { key, account, record } = await fixture.account("developer");
    const caller = callerOf(fixture.server(), key, fixture.clock.wallMs);
    expect(caller).toEqual({
      accountId: account.id,
      keyId: record.id,
      env: "live",
      plan: BUILT_IN_PLANS.get("developer"),
    });
  });

  test("knows nobody behind malformed, mistyped and unknown keys", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const mistyped = key.slice(0, -1) + (key.endsWith("x") ? "y" : "x");
    const unknown = makeKey("live");
    expect(environmentOf(unknown)).toBe("live");
    for (const text of ["", "x", mistyped, unknown, unknown, `${key} `]) {
      expect(accounts.authenticate(text, fixture.clock.wallMs)).toBeUndefined();
    }
  });

  test("sees a key that was unknown once it is made", async () => {
    const { account } = await fixture.account("developer");
    const accounts = fixture.server();
    const admin = fixture.admin();
    accounts.authenticate(makeKey("live"), fixture.clock.wallMs);
    const { key } = await admin.createKey(account.id, "test");
    fixture.clock.pass(POLL_MS);
    expect(callerOf(accounts, key, fixture.clock.wallMs).env).toBe("test");
  });

  test("refuses a key that another process revoked, within the poll", async () => {
    const { key, record } = await fixture.account("developer");
    const accounts = fixture.server();
    const admin = fixture.admin();
    expect(accounts.authenticate(key, fixture.clock.wallMs)).toBeDefined();
    await admin.revokeKey({ id: record.id });
    fixture.clock.pass(POLL_MS);
    expect(accounts.authenticate(key, fixture.clock.wallMs)).toBeUndefined();
    fixture.clock.wallMs -= DAY_MS;
    fixture.clock.pass(POLL_MS);
    expect(
      accounts.authenticate(key, fixture.clock.wallMs),
      "a clock set back does not bring it to life",
    ).toBeUndefined();
  });

  test("keeps a rotated key for its grace period and not an instant longer", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const admin = fixture.admin();
    accounts.authenticate(key, fixture.clock.wallMs);
    const made = await admin.rotateKey({ key }, DAY_MS);
    fixture.clock.pass(DAY_MS - 1);
    expect(accounts.authenticate(key, fixture.clock.wallMs)).toBeDefined();
    expect(accounts.authenticate(made.key, fixture.clock.wallMs)).toBeDefined();
    fixture.clock.pass(1);
    expect(accounts.authenticate(key, fixture.clock.wallMs)).toBeUndefined();
    expect(accounts.authenticate(made.key, fixture.clock.wallMs)).toBeDefined();
  });

  test("sees a plan change made by another process at the next request", async () => {
    const { key, account } = await fixture.account("developer");
    const accounts = fixture.server();
    const admin = fixture.admin();
    expect(callerOf(accounts, key, fixture.clock.wallMs).plan.name).toBe("developer");
    await admin.setPlan(account.id, "scale");
    fixture.clock.pass(POLL_MS);
    expect(callerOf(accounts, key, fixture.clock.wallMs).plan.name).toBe("scale");
  });

  test("forgets only the account that changed", async () => {
    const ann = await fixture.account("developer");
    const bob = await fixture.account("developer", "bob@example.com");
    const accounts = fixture.server();
    const admin = fixture.admin();
    const now = fixture.clock.wallMs;
    const before = [callerOf(accounts, ann.key, now), callerOf(accounts, bob.key, now)];
    await admin.setPlan(ann.account.id, "scale");
    fixture.clock.pass(POLL_MS);
    expect(callerOf(accounts, ann.key, now)).not.toBe(before[0]);
    expect(callerOf(accounts, bob.key, now), "the very same object").toBe(before[1]);
  });

  test("sees more changes at once than are named one by one", async () => {
    const { key, record } = await fixture.account("free");
    const accounts = fixture.server();
    const admin = fixture.admin();
    expect(accounts.authenticate(key, fixture.clock.wallMs)).toBeDefined();
    await admin.revokeKey({ id: record.id });
    for (let index = 0; index < 1_100; index++) {
      await admin.createAccount({ email: `user${index}@example.com`, plan: "free" });
    }
    fixture.clock.pass(POLL_MS);
    expect(accounts.authenticate(key, fixture.clock.wallMs)).toBeUndefined();
  });

  test("ends a trial at its last instant, at the first request after it", async () => {
    const { key, account } = await fixture.account("trial");
    const accounts = fixture.server();
    const endsMs = account.createdMs + 14 * DAY_MS;
    expect(account.trialEndsMs).toBe(endsMs);
    expect(callerOf(accounts, key, endsMs - 1).plan.name).toBe("trial");
    expect(callerOf(accounts, key, endsMs).plan).toBe(BUILT_IN_PLANS.get("free"));
  });

  test("writes a key's last use, to the minute", async () => {
    const { key, account } = await fixture.account("developer");
    const accounts = fixture.server();
    const admin = fixture.admin();
    const firstMs = fixture.clock.wallMs;
    for (const at of [firstMs, firstMs + 59_999]) {
      accounts.authenticate(key, at);
      await accounts.housekeep();
      expect((await admin.listKeys(account.id))[0]?.lastUsedMs).toBe(firstMs);
    }
    accounts.authenticate(key, firstMs + 60_000);
    await accounts.close();
    expect((await admin.listKeys(account.id))[0]?.lastUsedMs, "also when closing").toBe(
      firstMs + 60_000,
    );
  });
});

describe("plans that the table does not have", () => {
  test("are named at start, and their accounts are not served, rather than served wrongly", async () => {
    const plans = tinyPlans(5);
    const tiny = await fixture.account("tiny", "tiny@example.com", plans);
    const other = await fixture.account("free", "other@example.com");
    const accounts = fixture.server();
    expect(fixture.warnings).toEqual([expect.stringContaining('"tiny"')]);
    const now = fixture.clock.wallMs;
    expect(() => accounts.authenticate(tiny.key, now)).toThrow(AccountsUnavailable);
    expect(callerOf(accounts, other.key, now).plan.name).toBe("free");
  });

  test("do not take other accounts' charges of the same turn with them", async () => {
    const plans = tinyPlans(5);
    const ann = await fixture.account("free");
    const bob = await fixture.account("free", "bob@example.com");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const callers = [callerOf(accounts, ann.key, now), callerOf(accounts, bob.key, now)];
    await fixture.admin(plans).setPlan(ann.account.id, "tiny");
    const charges = callers.map((caller) => accounts.charge(caller, 1, now));
    await expect(charges[0]).rejects.toThrow(AccountsUnavailable);
    await expect(charges[1]).resolves.toMatchObject({ charged: true, used: 1 });
  });
});

describe("the minute", () => {
  test("is the account's, over all its keys, live and test", async () => {
    const { key, account } = await fixture.account("free");
    const admin = fixture.admin();
    const test = await admin.createKey(account.id, "test");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const callers = [callerOf(accounts, key, now), callerOf(accounts, test.key, now)];
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
    const charges = [accounts.charge(caller, 1, now), accounts.charge(caller, 1, now)];
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
    await expect(accounts.charge(caller, 1, now)).resolves.toMatchObject({
      charged: true,
      used: 1,
    });
  });

  test("waits for a lock that is let go, without holding up the event loop", async () => {
    const { key } = await fixture.account("free");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    const other = new Database(fixture.file);
    other.exec("BEGIN IMMEDIATE");
    let settled = false;
    const first = accounts.charge(caller, 1, now).finally(() => {
      settled = true;
    });
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(false);
    const joined = accounts.charge(caller, 1, now);
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
    await expect(accounts.charge(caller, 1, fixture.clock.wallMs)).rejects.toThrow(
      AccountsUnavailable,
    );
    await accounts.close();
  });
});
