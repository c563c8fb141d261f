import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsUnavailable, type Caller } from "../../../server/accounts/accounts.ts";
import type { EmbeddedAccounts } from "../../../server/accounts/embedded/embedded-accounts.ts";
import { openStateFile, type Connection } from "../../../server/accounts/embedded/state-file.ts";
import { EmbeddedJobs } from "../../../server/backtests/embedded-jobs.ts";
import type { ClaimedJob } from "../../../server/backtests/job.ts";
import { packText, unpackText } from "../../../server/backtests/packed-text.ts";
import type { Submission, SubmitOutcome } from "../../../server/backtests/job-store.ts";
import { AccountsFixture, callerOf } from "../../support/accounts-fixture.ts";

const REQUEST = {
  strategy: "ma_cross",
  coin: "btc",
  startDay: 18_262,
  startingCashUsd: 10_000,
  variant: 1,
};
const DAY_MS = 86_400_000;
const RESULT = { ok: true, result: packText('{"sharpe":1}') } as const;
const FAILURE = {
  ok: false,
  error: { code: "timed_out", message: "the backtest did not end within 60 s" },
} as const;

let fixture: AccountsFixture;
let accounts: EmbeddedAccounts;
let connections: Connection[] = [];
const alive = new Set<number>();

beforeEach(() => {
  fixture = new AccountsFixture();
  accounts = fixture.server();
});

afterEach(async () => {
  for (const db of connections) db.close();
  connections = [];
  alive.clear();
  await fixture.close();
});

/** The job queue as one process sees it. */
function jobsOf(pid: number): EmbeddedJobs {
  const db = openStateFile(fixture.file, { busyMs: 250 });
  connections.push(db);
  alive.add(pid);
  return new EmbeddedJobs({
    db,
    ledger: accounts.ledgerOn(db),
    nowMs: fixture.clock.nowMs,
    isAlive: (each) => alive.has(each),
    pid,
  });
}

async function caller(plan: string, email?: string): Promise<Caller> {
  const { key } = await fixture.account(plan, email);
  return callerOf(accounts, key, fixture.clock.wallMs);
}

function submissionOf(who: Caller, idempotencyKey?: string): Submission {
  return {
    caller: who,
    request: REQUEST,
    snapshotId: "s1",
    attribution: { snapshot: "s1" },
    idempotencyKey,
    nowMs: fixture.clock.wallMs,
  };
}

function submit(jobs: EmbeddedJobs, who: Caller, idempotencyKey?: string): SubmitOutcome {
  return jobs.submit(submissionOf(who, idempotencyKey));
}

function accepted(outcome: SubmitOutcome): number {
  if (outcome.kind !== "accepted") throw new Error(`expected a job, got ${outcome.kind}`);
  return outcome.jobId;
}

function claimed(jobs: EmbeddedJobs): ClaimedJob {
  const job = jobs.claim(fixture.clock.wallMs);
  if (job === undefined) throw new Error("expected a job to claim");
  return job;
}

const used = (who: Caller) => accounts.quota(who, fixture.clock.wallMs).used;

describe("a job in the embedded store", () => {
  test("is charged at acceptance, runs, and keeps its result for its owner alone", async () => {
    const jobs = jobsOf(1);
    const ann = await caller("developer");
    const bob = await caller("developer", "bob@example.com");
    const id = accepted(submit(jobs, ann));
    expect(used(ann)).toBe(10);
    expect(jobs.find(id, ann.accountId)?.job).toMatchObject({
      id,
      status: "queued",
      request: REQUEST,
    });
    expect(jobs.counts()).toEqual({ queued: 1, running: 0 });
    expect([jobs.underWay(ann.accountId), jobs.underWay(bob.accountId)]).toEqual([1, 0]);
    const job = claimed(jobs);
    expect(jobs.counts()).toEqual({ queued: 0, running: 1 });
    const createdMs = fixture.clock.wallMs;
    expect(job).toMatchObject({ id, attempt: 1, snapshotId: "s1", request: REQUEST, createdMs });
    expect(jobs.find(id, ann.accountId)?.job.status).toBe("running");
    expect(jobs.finish(job, RESULT, fixture.clock.wallMs)).toBe(true);
    const found = jobs.find(id, ann.accountId);
    expect(found?.job.status).toBe("done");
    expect(jobs.counts()).toEqual({ queued: 0, running: 0 });
    expect(unpackText(found!.result!).toString()).toBe('{"sharpe":1}');
    expect(jobs.find(id, bob.accountId)).toBeUndefined();
    expect(jobs.find(id + 1, ann.accountId)).toBeUndefined();
    expect(used(ann)).toBe(10);
  });

  test("is refunded when it ends in error, and only once", async () => {
    const jobs = jobsOf(1);
    const ann = await caller("developer");
    const id = accepted(submit(jobs, ann));
    const job = claimed(jobs);
    expect(jobs.finish(job, FAILURE, fixture.clock.wallMs)).toBe(true);
    expect(used(ann)).toBe(0);
    expect(jobs.finish(job, FAILURE, fixture.clock.wallMs)).toBe(false);
    expect(jobs.finish(job, RESULT, fixture.clock.wallMs)).toBe(false);
    expect(used(ann)).toBe(0);
    expect(jobs.find(id, ann.accountId)).toMatchObject({
      job: { status: "error", error: FAILURE.error },
      result: null,
    });
  });

  test("is refunded to the month that paid for it", async () => {
    const jobs = jobsOf(1);
    const ann = await caller("developer");
    accepted(submit(jobs, ann));
    const job = claimed(jobs);
    fixture.clock.pass(25 * DAY_MS); // into March
    jobs.finish(job, FAILURE, fixture.clock.wallMs);
    expect(used(ann)).toBe(0);
    fixture.clock.pass(-25 * DAY_MS);
    expect(used(ann)).toBe(0);
  });

  test("is one of at most as many as the plan runs at once, queued or running", async () => {
    const jobs = jobsOf(1);
    const ann = await caller("startup");
    for (let count = 0; count < 3; count++) accepted(submit(jobs, ann));
    claimed(jobs);
    expect(submit(jobs, ann)).toEqual({ kind: "concurrency_exceeded", running: 3 });
    expect(used(ann)).toBe(30);
  });

  test("is refused without a charge when the month does not hold its units", async () => {
    const jobs = jobsOf(1);
    const ann = await caller("developer");
    await accounts.charge(ann, 9_991, fixture.clock.wallMs);
    expect(submit(jobs, ann)).toMatchObject({ kind: "quota_exceeded", month: { used: 9_991 } });
    expect(jobs.claim(fixture.clock.wallMs)).toBeUndefined();
  });

  test("is made once under a repeated idempotency key, for 24 hours", async () => {
    const jobs = jobsOf(1);
    const ann = await caller("startup");
    const bob = await caller("startup", "bob@example.com");
    const id = accepted(submit(jobs, ann, "k"));
    expect(submit(jobs, ann, "k")).toMatchObject({ kind: "repeated", jobId: id });
    expect(used(ann)).toBe(10);
    const other = { ...REQUEST, coin: "eth" };
    const source = { snapshotId: "s1", attribution: {} };
    const reused = { caller: ann, request: other, ...source, idempotencyKey: "k" };
    expect(jobs.submit({ ...reused, nowMs: fixture.clock.wallMs }).kind).toBe("key_reused");
    expect(accepted(submit(jobs, bob, "k")), "keys belong to an account").not.toBe(id);
    fixture.clock.pass(DAY_MS);
    expect(accepted(submit(jobs, ann, "k"))).not.toBe(id);
  });

  test("waits its account's turn, so that one account's jobs do not hold up another's", async () => {
    const jobs = jobsOf(1);
    const ann = await caller("scale");
    const bob = await caller("scale", "bob@example.com");
    const anns = Array.from({ length: 4 }, () => accepted(submit(jobs, ann)));
    claimed(jobs);
    const bobs = Array.from({ length: 2 }, () => accepted(submit(jobs, bob)));
    const order = Array.from({ length: 5 }, () => claimed(jobs).id);
    expect(order.indexOf(bobs[0]!)).toBeLessThan(order.indexOf(anns[2]!));
    expect(order.indexOf(bobs[1]!)).toBeLessThan(order.indexOf(anns[3]!));
  });

  test("is run again when its process is gone, and the lost process cannot end it", async () => {
    const lost = jobsOf(1);
    const other = jobsOf(2);
    const ann = await caller("developer");
    const id = accepted(submit(lost, ann));
    const first = claimed(lost);
    expect(other.recover(fixture.clock.wallMs), "its process is there").toBe(0);
    alive.delete(1);
    expect(other.recover(fixture.clock.wallMs)).toBe(1);
    const second = claimed(other);
    expect(second).toMatchObject({ id, attempt: 2 });
    expect(lost.finish(first, RESULT, fixture.clock.wallMs)).toBe(false);
    expect(other.finish(second, RESULT, fixture.clock.wallMs)).toBe(true);
    expect(used(ann)).toBe(10);
  });

  test("is run again when its process has been silent for ten seconds", async () => {
    const silent = jobsOf(1);
    const other = jobsOf(2);
    accepted(submit(silent, await caller("developer")));
    claimed(silent);
    fixture.clock.pass(10_001);
    expect(other.recover(fixture.clock.wallMs)).toBe(1);
  });

  test("is run again when its process was forgotten before it claimed it", async () => {
    const frozen = jobsOf(1);
    const other = jobsOf(2);
    fixture.clock.pass(10_001); // stopped by a signal, say
    other.recover(fixture.clock.wallMs);
    accepted(submit(frozen, await caller("developer")));
    claimed(frozen);
    expect(other.recover(fixture.clock.wallMs)).toBe(1);
    expect(claimed(other).attempt).toBe(2);
  });

  test("is refused, and not charged, when the disk is full", async () => {
    const jobs = jobsOf(1);
    const ann = await caller("developer");
    const [db] = connections;
    const [pages] = db!.prepare("PRAGMA page_count").raw().get() as [number];
    db!.exec(`PRAGMA max_page_count = ${pages}`);
    expect(() => {
      for (;;) jobs.submit({ ...submissionOf(ann), attribution: { notice: "x".repeat(5000) } });
    }).toThrow(AccountsUnavailable);
    expect(used(ann)).toBe(0);
    expect(jobs.claim(fixture.clock.wallMs)).toBeUndefined();
    db!.exec("PRAGMA max_page_count = 1000000");
    accepted(submit(jobs, ann));
  });

  test("that nobody was told of can be withdrawn with its charge and key", async () => {
    const jobs = jobsOf(1);
    const ann = await caller("developer");
    for (const until of ["queued", "running", "done"]) {
      const id = accepted(submit(jobs, ann, "k"));
      const job = until === "queued" ? undefined : claimed(jobs);
      if (until === "done") jobs.finish(job!, RESULT, fixture.clock.wallMs);
      jobs.withdraw(id);
      expect(jobs.find(id, ann.accountId)).toBeUndefined();
      expect(used(ann)).toBe(0);
      const endedLater = job !== undefined && jobs.finish(job, FAILURE, fixture.clock.wallMs);
      expect(endedLater, "the job never was").toBe(false);
    }
    const failed = accepted(submit(jobs, ann, "k"));
    jobs.finish(claimed(jobs), FAILURE, fixture.clock.wallMs);
    jobs.withdraw(failed);
    expect(used(ann), "refunded once").toBe(0);
  });

  test("is counted and claimed once, however many processes share the file", async () => {
    const servers = [jobsOf(1), jobsOf(2), jobsOf(3)];
    const ann = await caller("scale");
    const outcomes = Array.from({ length: 24 }, (_, index) => submit(servers[index % 3]!, ann));
    const ids = outcomes.filter(({ kind }) => kind === "accepted").map(accepted);
    expect(ids).toHaveLength(10);
    expect(used(ann)).toBe(100);
    const taken = Array.from({ length: 10 }, (_, index) => claimed(servers[index % 3]!).id);
    expect(new Set(taken)).toEqual(new Set(ids));
    expect(servers[0]!.claim(fixture.clock.wallMs)).toBeUndefined();
  });

  test("goes back into the queue when its process leaves in order", async () => {
    const leaving = jobsOf(1);
    accepted(submit(leaving, await caller("developer")));
    claimed(leaving);
    leaving.close();
    expect(claimed(jobsOf(2)).attempt).toBe(2);
  });

  test("is forgotten with its result after 30 days", async () => {
    const jobs = jobsOf(1);
    const ann = await caller("developer");
    const id = accepted(submit(jobs, ann));
    jobs.finish(claimed(jobs), RESULT, fixture.clock.wallMs);
    fixture.clock.pass(30 * DAY_MS - 1);
    expect(jobs.prune(fixture.clock.wallMs)).toBe(0);
    fixture.clock.pass(1);
    expect(jobs.prune(fixture.clock.wallMs)).toBe(1);
    expect(jobs.find(id, ann.accountId)).toBeUndefined();
  });
});
