import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openMeterFile, type MeterFile } from "../../../../server/accounts/sqlite/meter-file.ts";
import {
  CHUNK_RECORDS,
  HEADER_BYTES,
  METERED_ENDPOINTS,
  METERS,
  MINUTES,
} from "../../../../server/accounts/sqlite/meter-layout.ts";
import { openStateFile } from "../../../../server/accounts/sqlite/state-file.ts";
import { READ_ENDPOINTS } from "../../../../server/routes/endpoints.ts";
import { AccountsFixture, callerOf, tinyPlans } from "../../../support/accounts-fixture.ts";
import { charge } from "../../../support/charge.ts";

const DAY_MS = 86_400_000;

let fixture: AccountsFixture;
let files: MeterFile[] = [];
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(async () => {
  for (const file of files) file.close();
  files = [];
  await fixture.close();
});

const metersFile = () => `${fixture.file}-meters`;
const minutesFile = () => `${fixture.file}-minutes`;

/** The meter file as another process has it open. */
function otherProcess(): MeterFile {
  const file = openMeterFile(fixture.file);
  files.push(file);
  return file;
}

test("every read endpoint is counted in the meter file", () => {
  const counted = new Set<string>(METERED_ENDPOINTS);
  expect(READ_ENDPOINTS.filter(({ path }) => !counted.has(path))).toEqual([]);
});

describe("calls counted in the meter file", () => {
  test("are in the state file after a round of housekeeping, once however often it comes", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    expect(await fixture.chargeCalls(accounts, key, 5)).toBe(5);
    expect(fixture.usedInState()).toBe(0);
    for (let round = 0; round < 3; round++) {
      fixture.clock.pass(1_000);
      await accounts.housekeep();
      expect(fixture.usedInState()).toBe(5);
    }
    expect(await fixture.chargeCalls(accounts, key, 2)).toBe(7);
    await accounts.close();
    expect(fixture.usedInState(), "also when closing").toBe(7);
  });

  test("are settled by the next process after a kill, also by a command, each once", async () => {
    const { key, account } = await fixture.account("developer");
    await fixture.chargeCalls(fixture.server(), key, 5); // not closed before the others look
    const usage = await fixture.admin().usageOf(account.id);
    expect(usage.allowances[0]?.used).toBe(5);
    expect(usage.endpoints).toEqual([
      { day: "2026-02-10", env: "live", endpoint: "/signals", calls: 5, units: 5 },
    ]);
    const next = fixture.server();
    expect(await fixture.chargeCalls(next, key, 1)).toBe(6);
    fixture.clock.pass(1_000);
    await next.housekeep();
    expect(fixture.usedInState()).toBe(6);
  });

  test("go to the day they were made on", async () => {
    const { key, account } = await fixture.account("developer");
    const accounts = fixture.server();
    for (const step of [0, DAY_MS, -DAY_MS]) {
      fixture.clock.wallMs += step;
      await fixture.chargeCalls(accounts, key, 3);
    }
    const { endpoints } = await fixture.admin().usageOf(account.id);
    expect(endpoints.map(({ day, calls }) => [day, calls])).toEqual([["2026-02-10", 6]]);
    fixture.clock.wallMs += DAY_MS;
    const later = await fixture.admin().usageOf(account.id);
    expect(later.endpoints.map(({ day, calls }) => [day, calls])).toEqual([
      ["2026-02-10", 6],
      ["2026-02-11", 3],
    ]);
    expect(later.allowances[0]?.used).toBe(9);
  });

  test("go on while the state file takes nothing, and reach it when it does", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server({ lockWaitMs: 20 });
    await fixture.chargeCalls(accounts, key, 1);
    const other = openStateFile(fixture.file, { busyMs: 0 });
    other.exec("BEGIN IMMEDIATE");
    expect(await fixture.chargeCalls(accounts, key, 4)).toBe(5);
    fixture.clock.pass(1_000);
    await accounts.housekeep();
    other.exec("ROLLBACK");
    other.close();
    expect(fixture.usedInState()).toBe(0);
    fixture.clock.pass(1_000);
    await accounts.housekeep();
    expect(fixture.usedInState()).toBe(5);
  });

  test("are charged under a changed plan from the next request on, in every process", async () => {
    const plans = tinyPlans(3);
    const { key, account } = await fixture.account("tiny", "a@example.com", plans);
    const servers = [fixture.server({ plans }), fixture.server({ plans })];
    const now = fixture.clock.wallMs;
    const callers = servers.map((accounts) => callerOf(accounts, key, now));
    for (const [index, accounts] of servers.entries()) {
      await charge(accounts, callers[index]!, 1, now, "/signals");
    }
    await fixture.admin(plans).setPlan(account.id, "developer"); // not seen yet, because no time has passed
    for (const [index, accounts] of servers.entries()) {
      const decision = await charge(accounts, callers[index]!, 1, now, "/signals");
      expect(decision).toMatchObject({ used: 3 + index, plan: { name: "developer" } });
    }
  });
});

describe("a process that ends at work on a record", () => {
  test("leaves its lock to the next, who adds up again what the state file has", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    await fixture.chargeCalls(accounts, key, 3);
    const killed = otherProcess();
    expect(killed.at(1).lock()).toBe(true);
    // It wrote a job's units, and ended after its commit but before it updated the record.
    const db = openStateFile(fixture.file, { busyMs: 0 });
    db.exec("INSERT INTO usage SELECT account_id, 'live', '2026-02', 10 FROM meters");
    db.close();
    killed.close();
    const caller = callerOf(accounts, key, fixture.clock.wallMs);
    expect(accounts.quota(caller, fixture.clock.wallMs).used).toBe(13);
    expect(await fixture.chargeCalls(accounts, key, 1)).toBe(14);
    fixture.clock.pass(1_000);
    await accounts.housekeep();
    expect(fixture.usedInState()).toBe(14);
  });

  test("is waited for while it lives, and nobody else has to wait", async () => {
    const ann = await fixture.account("developer");
    const bob = await fixture.account("developer", "bob@example.com");
    const accounts = fixture.server();
    await fixture.chargeCalls(accounts, ann.key, 1);
    await fixture.chargeCalls(accounts, bob.key, 1);
    const slow = otherProcess();
    expect(slow.at(1).lock()).toBe(true);
    let isCharged = false;
    const charge = fixture.chargeCalls(accounts, ann.key, 1).finally(() => {
      isCharged = true;
    });
    expect(await fixture.chargeCalls(accounts, bob.key, 5)).toBe(6);
    const now = fixture.clock.wallMs;
    const admitted = accounts.admit(callerOf(accounts, ann.key, now), now);
    expect(admitted).toBeInstanceOf(Promise);
    expect(isCharged).toBe(false);
    slow.at(1).unlock();
    expect(await charge).toBe(2);
    expect((await admitted).admitted).toBe(true);
  });

  test("stopped for good, fails the account's requests after a while, and charges nothing", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server({ lockWaitMs: 50 });
    await fixture.chargeCalls(accounts, key, 1);
    const stopped = otherProcess();
    stopped.at(1).lock();
    const charge = fixture.chargeCalls(accounts, key, 1);
    const ticking = setInterval(() => fixture.clock.pass(10), 1);
    await expect(charge).rejects.toMatchObject({ name: "AccountsUnavailable" });
    clearInterval(ticking);
    stopped.at(1).unlock();
    expect(await fixture.chargeCalls(accounts, key, 1)).toBe(2);
  });
});

describe("a restart", () => {
  test("of the server keeps the minute; of the machine empties it, and keeps the month", async () => {
    const { key } = await fixture.account("free");
    const admitted = async (options: { readonly bootId?: string }) => {
      const accounts = fixture.server(options);
      const now = fixture.clock.wallMs;
      const caller = callerOf(accounts, key, now);
      let count = 0;
      for (let n = 0; n < 7; n++) if ((await accounts.admit(caller, now)).admitted) count++;
      const { used } = await charge(accounts, caller, 1, now, "/dca");
      await accounts.close();
      return [count, used];
    };
    expect(await admitted({})).toEqual([7, 1]);
    expect(await admitted({})).toEqual([3, 2]);
    const bootId = "01234567-89ab-cdef-0123-456789abcdef";
    expect(await admitted({ bootId })).toEqual([7, 3]);
    expect(await admitted({ bootId })).toEqual([3, 4]);
  });
});

describe("a meter file", () => {
  test("that is missing begins with what the state file has", async () => {
    const { key } = await fixture.account("developer");
    const first = fixture.server();
    await fixture.chargeCalls(first, key, 4);
    await first.close();
    rmSync(metersFile());
    const second = fixture.server();
    expect(await fixture.chargeCalls(second, key, 1)).toBe(5);
    await second.close();
    expect(fixture.usedInState()).toBe(5);
  });

  test("of a state file that was removed is begun anew with the next one", async () => {
    const { key } = await fixture.account("developer");
    const first = fixture.server();
    await fixture.chargeCalls(first, key, 4);
    await first.close();
    rmSync(fixture.file);
    const again = await fixture.account("developer");
    expect(await fixture.chargeCalls(fixture.server(), again.key, 1)).toBe(1);
  });

  test("of another state, cut off, of a later version, or no meter file at all is refused by name", async () => {
    const { key } = await fixture.account("developer");
    const first = fixture.server();
    await fixture.chargeCalls(first, key, 1);
    await first.close();
    const kept = readFileSync(metersFile());
    const other = new AccountsFixture();
    await other.account("free");
    await other.server().close();
    copyFileSync(`${other.file}-meters`, metersFile());
    await other.close();
    expect(() => fixture.server()).toThrow(/belongs to another state file/);
    writeFileSync(metersFile(), kept);
    truncateSync(metersFile(), HEADER_BYTES + 1_000);
    expect(() => fixture.server()).toThrow(/was cut off/);
    const later = Buffer.from(kept);
    later.writeInt32LE(99, 4);
    writeFileSync(metersFile(), later);
    expect(() => fixture.server()).toThrow(/has the version 99, this Hindsight knows 2/);
    writeFileSync(metersFile(), "my diary");
    expect(() => fixture.server()).toThrow(/is not a Hindsight meter file/);
    expect(readFileSync(metersFile(), "utf8"), "left as it is").toBe("my diary");
    writeFileSync(metersFile(), kept);
    expect(await fixture.chargeCalls(fixture.server(), key, 1)).toBe(2);
  });

  test("replaced under a running server stops it from charging, rather than count twice", async () => {
    const { key } = await fixture.account("developer");
    const running = fixture.server();
    await fixture.chargeCalls(running, key, 1);
    rmSync(metersFile());
    const second = fixture.server();
    expect(await fixture.chargeCalls(second, key, 1)).toBe(1);
    fixture.clock.pass(1_000);
    await running.housekeep();
    expect(fixture.warnings).toEqual([
      expect.stringContaining("was replaced while this process had it open"),
    ]);
    await expect(fixture.chargeCalls(running, key, 1)).rejects.toThrow("was replaced");
  });

  test("newer than a restored state file gives back what that lacks, of the day it counts for", async () => {
    const { key } = await fixture.account("developer");
    const first = fixture.server();
    await fixture.chargeCalls(first, key, 4);
    await first.close();
    copyFileSync(fixture.file, `${fixture.file}.backup`);
    const second = fixture.server();
    await fixture.chargeCalls(second, key, 3);
    await second.close();
    copyFileSync(`${fixture.file}.backup`, fixture.file);
    const third = fixture.server();
    expect(await fixture.chargeCalls(third, key, 1), "the same day").toBe(8);
    fixture.clock.pass(DAY_MS);
    expect(await fixture.chargeCalls(third, key, 2)).toBe(10);
    await third.close();
    copyFileSync(`${fixture.file}.backup`, fixture.file);
    expect(await fixture.chargeCalls(fixture.server(), key, 1), "another day").toBe(5);
  });

  test("grows by whole parts, and every record in it is an account's own", async () => {
    const accounts = fixture.server();
    const admin = fixture.admin();
    const keys: string[] = [];
    for (let n = 0; n < CHUNK_RECORDS + 5; n++) {
      keys.push((await admin.createAccount({ email: `u${n}@example.com`, plan: "free" })).key);
    }
    fixture.clock.pass(10);
    const chunksOf = () => [
      (statSync(metersFile()).size - HEADER_BYTES) / METERS.chunkBytes,
      (statSync(minutesFile()).size - HEADER_BYTES) / MINUTES.chunkBytes,
    ];
    expect(chunksOf()).toEqual([1, 1]);
    for (const [n, key] of keys.entries()) {
      expect(await fixture.chargeCalls(accounts, key, 1 + (n % 3))).toBe(1 + (n % 3));
    }
    expect(chunksOf()).toEqual([2, 2]);
    const callsOf = (some: readonly string[]) => some.reduce((sum, _, n) => sum + 1 + (n % 3), 0);
    // A round settles a hundred accounts, and the last five hundred together.
    await accounts.housekeep();
    expect(fixture.usedInState()).toBe(callsOf(keys.slice(0, 100)));
    for (let round = 1; round < 7; round++) {
      fixture.clock.pass(1_000);
      await accounts.housekeep();
    }
    expect(fixture.usedInState()).toBe(callsOf(keys));
  });
});
