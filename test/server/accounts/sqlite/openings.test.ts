import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openMeterFile } from "../../../../server/accounts/sqlite/meter-file.ts";
import { dateOf } from "../../../../server/accounts/period.ts";
import { openStateFile } from "../../../../server/accounts/sqlite/state-file.ts";
import { AccountsFixture, callerOf, callerSoon } from "../../../support/accounts-fixture.ts";
import { charge } from "../../../support/charge.ts";

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

/** Its version changes with every commit by another connection. */
function watchCommits(): { version(): number; close(): void } {
  const db = openStateFile(fixture.file, { busyMs: 1_000 });
  const read = db.prepare("PRAGMA data_version").raw();
  return { version: () => (read.get() as [number])[0], close: () => db.close() };
}

describe("the first calls of accounts", () => {
  test("share transactions, each counted for its own account", async () => {
    const keys: string[] = [];
    for (let n = 0; n < 70; n++) {
      keys.push((await fixture.account("developer", `a${n}@example.com`)).key);
    }
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const used = await Promise.all(
      keys.map(async (key) => {
        const caller = await callerSoon(accounts, key, now);
        await accounts.admit(caller, now);
        return (await charge(accounts, caller, 1, now, "/dca")).used;
      }),
    );
    expect(used).toEqual(keys.map(() => 1));
  });

  test("write nothing where another process opened the day, until something changes", async () => {
    const { key, record } = await fixture.account("developer");
    const now = fixture.clock.wallMs;
    const first = fixture.server();
    await charge(first, callerOf(first, key, now), 1, now, "/dca");
    const second = fixture.server();
    const commits = watchCommits();
    const before = commits.version();
    const decision = await charge(second, callerOf(second, key, now), 1, now, "/dca");
    expect([decision.used, commits.version()]).toEqual([2, before]);
    commits.close();
    const admin = fixture.admin();
    await admin.setPlan(record.accountId, "scale");
    await admin.close();
    const third = fixture.server();
    const changed = await charge(third, callerOf(third, key, now), 1, now, "/dca");
    expect([changed.plan.name, changed.used]).toEqual(["scale", 3]);
  });

  test("count what the state file has of the month, where that changed under an open day", async () => {
    const { key, record } = await fixture.account("developer");
    const now = fixture.clock.wallMs;
    const first = fixture.server();
    await charge(first, callerOf(first, key, now), 1, now, "/dca");
    const db = openStateFile(fixture.file, { busyMs: 1_000 });
    const period = dateOf(now).slice(0, 7);
    db.prepare("INSERT INTO usage VALUES (?, 'live', ?, 5)").run(record.accountId, period);
    db.close();
    const second = fixture.server();
    expect((await charge(second, callerOf(second, key, now), 1, now, "/dca")).used).toBe(7);
  });

  test("are decided by the plan in force, where it changed behind the caller's key and the day is open", async () => {
    const { key, record } = await fixture.account("developer");
    const now = fixture.clock.wallMs;
    const first = fixture.server();
    await charge(first, callerOf(first, key, now), 1, now, "/dca");
    const second = fixture.server();
    const caller = callerOf(second, key, now);
    const admin = fixture.admin();
    await admin.setPlan(record.accountId, "scale");
    await admin.close();
    await charge(first, callerOf(first, key, now), 1, now, "/dca");
    const decision = await charge(second, caller, 1, now, "/dca");
    expect([decision.plan.name, decision.used]).toEqual(["scale", 3]);
  });

  test("are not made for a client that goes while they wait for the state file", async () => {
    const { key } = await fixture.account("developer");
    const now = fixture.clock.wallMs;
    const accounts = fixture.server();
    const caller = callerOf(accounts, key, now);
    const other = openStateFile(fixture.file, { busyMs: 1_000 });
    other.exec("BEGIN IMMEDIATE");
    const settled: unknown[] = [];
    const settle = (outcome: unknown) => void settled.push(outcome);
    const gone = { caller, units: 1, nowMs: now, endpoint: "/dca", wanted: true, settle };
    accounts.charge(gone);
    const behind = charge(accounts, caller, 1, now, "/dca");
    gone.wanted = false;
    other.exec("COMMIT");
    other.close();
    expect((await behind).used).toBe(1);
    expect(settled).toEqual([]);
  });

  test("do not wait for one whose record another process has", async () => {
    const held = await fixture.account("developer", "held@example.com");
    const free = await fixture.account("developer", "free@example.com");
    const now = fixture.clock.wallMs;
    const before = fixture.server();
    for (const { key } of [held, free]) {
      await charge(before, await callerSoon(before, key, now), 1, now, "/dca");
    }
    fixture.clock.pass(86_400_000);
    const tomorrow = fixture.clock.wallMs;
    const other = openMeterFile(fixture.file);
    const record = other.at(1); // the first account's
    expect(record.lock()).toBe(true);
    const accounts = fixture.server();
    const heldBy = await callerSoon(accounts, held.key, tomorrow);
    const freeBy = await callerSoon(accounts, free.key, tomorrow);
    const waits = charge(accounts, heldBy, 1, tomorrow, "/dca");
    const goes = charge(accounts, freeBy, 1, tomorrow, "/dca");
    expect((await goes).used).toBe(2);
    record.unlock();
    expect((await waits).used).toBe(2);
    other.close();
  });
});
