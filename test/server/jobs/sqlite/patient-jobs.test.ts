import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsUnavailable, type Caller } from "../../../../server/accounts/accounts.ts";
import { openStateFile, type Connection } from "../../../../server/accounts/sqlite/state-file.ts";
import { EmbeddedJobs } from "../../../../server/jobs/sqlite/embedded-jobs.ts";
import { PatientJobs } from "../../../../server/jobs/sqlite/patient-jobs.ts";
import { AccountsFixture, callerOf } from "../../../support/accounts-fixture.ts";
import { holding } from "../../../support/held-snapshots.ts";
import { RESULT } from "../../../support/job-steps.ts";

const request = { strategy: "s", coin: "c", startDay: 1, startingCashUsd: 1, variant: 1 };

let fixture: AccountsFixture;
let db: Connection;
let other: Connection;
let jobs: PatientJobs;
let ann: Caller;
let used: () => number;
/** How often the thread let others go first. */
let breaths: number;

beforeEach(async () => {
  fixture = new AccountsFixture();
  const accounts = fixture.server();
  ann = callerOf(accounts, (await fixture.account("startup")).key, fixture.clock.wallMs);
  used = () => accounts.quota(ann, fixture.clock.wallMs).used;
  db = openStateFile(fixture.file, { busyMs: 0 });
  other = openStateFile(fixture.file, { busyMs: 0 });
  const ledger = accounts.ledgerOn(db);
  const { monotonicMs } = fixture.clock;
  const own = { snapshots: holding("s1"), isAlive: () => true, pid: 1, pidNamespace: "" };
  const embedded = new EmbeddedJobs({ db, ledger, ...own });
  breaths = 0;
  const breathe = () => void breaths++;
  jobs = new PatientJobs({ jobs: embedded, monotonicMs, lockWaitMs: 2_000, breathe });
});

afterEach(async () => {
  db.close();
  other.close();
  await fixture.close();
});

async function submit(attribution: object = {}) {
  const nowMs = fixture.clock.wallMs;
  const source = { snapshotId: "s1", attribution, idempotencyKey: undefined };
  return await jobs.submit({ caller: ann, request, ...source, nowMs });
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("jobs of a server with requests to answer", () => {
  test("wait for another's lock in later turns, and are then taken in", async () => {
    other.exec("BEGIN IMMEDIATE");
    const outcome = submit();
    for (let turns = 0; turns < 50; turns++) await turn();
    expect(used(), "the loop turned meanwhile").toBe(0);
    other.exec("COMMIT");
    expect((await outcome).kind).toBe("accepted");
    expect((await jobs.claim(fixture.clock.wallMs))?.attempt).toBe(1);
  });

  test("are claimed, given back and ended in turn, each after a breath", async () => {
    await submit();
    const first = await jobs.claim(fixture.clock.wallMs);
    await jobs.release(first!, "again"); // there is one: it was just taken in
    const second = await jobs.claim(fixture.clock.wallMs);
    expect(second).toMatchObject({ attempt: 2, losses: 1 });
    expect(await jobs.finish(second!, RESULT, fixture.clock.wallMs)).toBe(true);
    expect(breaths, "as requests go first").toBe(3);
  });

  test("are refused, and not charged, if the lock is never released", async () => {
    other.exec("BEGIN IMMEDIATE");
    const outcome = submit();
    await turn();
    fixture.clock.pass(2_000);
    await expect(outcome).rejects.toThrow(AccountsUnavailable);
    other.exec("COMMIT");
    expect(used()).toBe(0);
  });

  test("are refused together: those behind the first have waited for the same lock", async () => {
    other.exec("BEGIN IMMEDIATE");
    const outcomes = Promise.allSettled(Array.from({ length: 20 }, () => submit()));
    await turn();
    fixture.clock.pass(2_000); // and no more
    const kinds = (await outcomes).map(({ status }) => status);
    expect(new Set(kinds)).toEqual(new Set(["rejected"]));
    other.exec("COMMIT");
    expect((await submit()).kind).toBe("accepted");
    other.exec("BEGIN IMMEDIATE");
    const late = submit();
    for (let turns = 0; turns < 50; turns++) await turn();
    other.exec("COMMIT");
    expect((await late).kind, "it is waited for anew").toBe("accepted");
  });

  test("wait a little even after others have waited in vain: the lock may be another's by now", async () => {
    other.exec("BEGIN IMMEDIATE");
    const first = submit();
    await turn();
    fixture.clock.pass(2_000);
    await expect(first).rejects.toThrow(AccountsUnavailable);
    other.exec("COMMIT; BEGIN IMMEDIATE");
    const next = submit();
    for (let turns = 0; turns < 10; turns++) await turn();
    other.exec("COMMIT");
    expect((await next).kind).toBe("accepted");
  });

  test("are decided in the order they came, exactly as many as the plan runs at once", async () => {
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => submit()));
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds.slice(0, 3)).toEqual(["accepted", "accepted", "accepted"]);
    expect(new Set(kinds.slice(3))).toEqual(new Set(["concurrency_exceeded"]));
    expect(used()).toBe(30);
  });

  test("that do not fit on the disk do not take others with them", async () => {
    const [pages] = db.prepare("PRAGMA page_count").raw().get() as [number];
    db.exec(`PRAGMA max_page_count = ${pages + 8}`);
    const long = submit({ notice: "x".repeat(20_000) });
    const short = submit();
    await expect(long).rejects.toThrow(AccountsUnavailable);
    expect((await short).kind).toBe("accepted");
    expect(used()).toBe(10);
  });

  test("are looked up one a turn, so that other requests come in between", async () => {
    const accepted = await submit();
    const id = "jobId" in accepted ? accepted.jobId : 0;
    const found: number[] = [];
    const polls = Array.from({ length: 10 }, async (_, poll) => {
      expect((await jobs.find(id, ann.accountId))?.job.id).toBe(id);
      found.push(poll);
    });
    await Promise.resolve();
    await Promise.resolve();
    expect(found, "at once").toEqual([0]);
    await Promise.all(polls);
    expect(found, "all of them, in their order").toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
