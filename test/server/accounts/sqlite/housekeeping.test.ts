import { copyFileSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AccountsUnavailable } from "../../../../server/accounts/accounts.ts";
import { openStateFile } from "../../../../server/accounts/sqlite/state-file.ts";
import { AccountsFixture, callerOf, tinyPlans } from "../../../support/accounts-fixture.ts";
import { charge } from "../../../support/charge.ts";
import { fileHandleMethods } from "../../../support/file-handle-methods.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const LOG_MAX_BYTES = 4 * 1024 * 1024;

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await fixture.close();
});

const logBytes = () => statSync(`${fixture.file}-wal`).size;

describe("housekeeping", () => {
  test("keeps the log from growing without bound while charges go on", async () => {
    const plans = tinyPlans(1_000_000_000);
    const { key } = await fixture.account("tiny", "a@example.com", plans);
    const accounts = fixture.server({ plans });
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    let charged = 0;
    let largest = 0;
    for (let round = 0; round < 12; round++) {
      // One round of housekeeping runs while the turns go on.
      const done = accounts.housekeep();
      for (let turn = 0; turn < 500; turn++) {
        // Two units make a row in the state file. Single calls do not reach the log one by one.
        if ((await charge(accounts, caller, 2, now, "/signals")).charged) charged += 2;
      }
      await done;
      largest = Math.max(largest, logBytes());
    }
    await accounts.housekeep();
    expect(charged).toBe(12_000);
    expect(accounts.quota(caller, now).used).toBe(charged);
    expect(largest, "6,000 commits are some 12 MB of log").toBeLessThan(2 * LOG_MAX_BYTES);
    expect(fixture.warnings).toEqual([]);
  });

  test("forces the log to the disk after a change, once more a round later, and then no more", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    const forced: string[] = [];
    const methods = await fileHandleMethods();
    const note = (what: string) => async () => void forced.push(what);
    vi.spyOn(methods, "sync").mockImplementation(note("folder"));
    vi.spyOn(methods, "datasync").mockImplementation(note("log"));
    await charge(accounts, caller, 2, now, "/signals");
    await accounts.housekeep();
    expect(forced, "its name first").toEqual(["folder", "log"]);
    await accounts.housekeep();
    expect(forced, "what was written in the same millisecond").toEqual(["folder", "log", "log"]);
    await accounts.housekeep();
    expect(forced).toHaveLength(3);
    await charge(accounts, caller, 2, now, "/signals");
    await accounts.housekeep();
    expect(forced).toHaveLength(4);
  });

  test("moves the log into the file when the disk refused to be forced, before it is forced again", async () => {
    const { key } = await fixture.account("developer");
    const accounts = fixture.server();
    await fixture.chargeCalls(accounts, key, 2);
    const methods = await fileHandleMethods();
    const datasync = vi.spyOn(methods, "datasync");
    datasync.mockRejectedValueOnce(new Error("EIO: i/o error, fdatasync"));
    await accounts.housekeep();
    expect(fixture.warnings).toEqual([
      "housekeeping of the state file failed: EIO: i/o error, fdatasync",
    ]);
    expect(logBytes()).toBeGreaterThan(0);
    await accounts.housekeep();
    expect(logBytes(), "all of it is in the file, which was forced by SQLite").toBe(0);
    expect(datasync).toHaveBeenCalledTimes(2);
    expect(fixture.warnings).toHaveLength(1);
    expect(await fixture.chargeCalls(accounts, key, 1)).toBe(3);
  });

  test.each(["removed", "replaced"])(
    "stops calls, jobs and itself where the state file was %s",
    async (how) => {
      const { key } = await fixture.account("developer");
      const accounts = fixture.server();
      await fixture.chargeCalls(accounts, key, 2);
      const db = openStateFile(fixture.file, { busyMs: 250 });
      copyFileSync(fixture.file, `${fixture.file}.copy`);
      if (how === "removed") rmSync(fixture.file);
      else renameSync(`${fixture.file}.copy`, fixture.file);
      await accounts.housekeep();
      await accounts.housekeep();
      expect(fixture.warnings, "once").toEqual([
        expect.stringMatching(/^the state file ".*" is not there any more: .*start it again$/),
      ]);
      await expect(fixture.chargeCalls(accounts, key, 1)).rejects.toThrow("was replaced");
      const submitting = () => accounts.ledgerOn(db).transaction(() => "a job");
      expect(submitting).toThrow(AccountsUnavailable);
      db.close();
      await accounts.close();
      expect(existsSync(fixture.file), "what is there is left alone").toBe(how === "replaced");
    },
  );

  test("leaves one file behind when the last one closes", async () => {
    const { key } = await fixture.account("free");
    const accounts = fixture.server();
    await charge(accounts, callerOf(accounts, key, fixture.clock.wallMs), 1, fixture.clock.wallMs);
    await accounts.close();
    expect(existsSync(`${fixture.file}-wal`) ? logBytes() : 0).toBe(0);
    expect(fixture.warnings).toEqual([]);
  });

  test("cuts calls off that are older than kept, a few rows a round, and no others", async () => {
    const { account } = await fixture.account("free");
    const accounts = fixture.server();
    const db = openStateFile(fixture.file, { busyMs: 1_000 });
    const insert = db.prepare("INSERT INTO calls VALUES (?, ?, 'live', ?, 1, 1)");
    const dateOf = (days: number) =>
      new Date(fixture.clock.wallMs - days * DAY_MS).toISOString().slice(0, 10);
    for (let n = 0; n < 700; n++) insert.run(dateOf(63), account.id, `/old-${n}`);
    insert.run(dateOf(62), account.id, "/kept");
    insert.run(dateOf(0), account.id, "/today");
    const left = () => (db.prepare("SELECT count(*) FROM calls").raw().get() as [number])[0];
    await accounts.housekeep();
    fixture.clock.pass(HOUR_MS);
    await accounts.housekeep();
    expect(left()).toBe(202);
    await accounts.housekeep();
    expect(left()).toBe(2);
    fixture.clock.pass(DAY_MS);
    await accounts.housekeep();
    expect(left(), "the next day, the next day's").toBe(1);
    db.close();
  });

  test("keeps its calls while the clock is in doubt: at the start, and when it is set a year ahead and back", async () => {
    const { account } = await fixture.account("free");
    const accounts = fixture.server();
    const db = openStateFile(fixture.file, { busyMs: 1_000 });
    const day = new Date(fixture.clock.wallMs).toISOString().slice(0, 10);
    db.prepare("INSERT INTO calls VALUES (?, ?, 'live', '/signals', 1, 1)").run(day, account.id);
    const left = () => (db.prepare("SELECT count(*) FROM calls").raw().get() as [number])[0];
    fixture.clock.wallMs += 365 * DAY_MS;
    await accounts.housekeep();
    fixture.clock.wallMs -= 365 * DAY_MS;
    fixture.clock.pass(HOUR_MS);
    await accounts.housekeep();
    fixture.clock.wallMs += 365 * DAY_MS;
    await accounts.housekeep();
    fixture.clock.pass(HOUR_MS - 1);
    await accounts.housekeep();
    expect(left()).toBe(1);
    fixture.clock.pass(1);
    await accounts.housekeep();
    expect(left(), "an hour later the clock is believed").toBe(0);
    db.close();
  });

  test("warns rather than fails when the disk does", async () => {
    await fixture.account("free");
    const accounts = fixture.server();
    rmSync(`${fixture.file}-wal`);
    await accounts.housekeep();
    expect(fixture.warnings[0]).toMatch(/^housekeeping of the state file failed: /);
  });
});
