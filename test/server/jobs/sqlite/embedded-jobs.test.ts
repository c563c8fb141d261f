import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsUnavailable } from "../../../../server/accounts/accounts.ts";
import type { EmbeddedJobs } from "../../../../server/jobs/sqlite/embedded-jobs.ts";
import type { ClaimedJob } from "../../../../server/jobs/job.ts";
import { EmbeddedJobBench } from "../../../support/embedded-job-bench.ts";
import { jobSnapshotsContract } from "../../../support/job-snapshots-contract.ts";
import { acceptedId, DAY_MS, RESULT, submissionOf } from "../../../support/job-steps.ts";
import { jobStoreContract } from "../../../support/job-store-contract.ts";
import { jobTurnsContract } from "../../../support/job-turns-contract.ts";

describe("the embedded job store", () => {
  jobStoreContract(() => new EmbeddedJobBench());
  jobTurnsContract(() => new EmbeddedJobBench());
  jobSnapshotsContract(() => new EmbeddedJobBench());
});

describe("a job in the state file", () => {
  let bench: EmbeddedJobBench;

  beforeEach(() => {
    bench = new EmbeddedJobBench();
  });

  afterEach(() => bench.close());

  async function taken(jobs: EmbeddedJobs): Promise<number> {
    return acceptedId(jobs.submit(submissionOf(bench, await bench.caller("developer"))));
  }

  function claimed(jobs: EmbeddedJobs): ClaimedJob {
    const job = jobs.claim(bench.clock.wallMs);
    if (job === undefined) throw new Error("expected a job to claim");
    return job;
  }

  test("is run again when its process has been silent for ten seconds", async () => {
    const silent = bench.process();
    const other = bench.process();
    await taken(silent);
    claimed(silent);
    bench.clock.pass(10_000);
    expect(other.recover(bench.clock.wallMs), "not longer yet").toBe(0);
    bench.clock.pass(1);
    expect(other.recover(bench.clock.wallMs)).toBe(1);
  });

  test("stays with a process of another container, whose number means nothing here, until that is silent", async () => {
    const contained = bench.process("pid:[2]");
    const other = bench.process("pid:[1]");
    await taken(contained);
    claimed(contained);
    bench.lose(contained);
    expect(other.recover(bench.clock.wallMs)).toBe(0);
    bench.clock.pass(10_001);
    expect(other.recover(bench.clock.wallMs)).toBe(1);
  });

  test("is run again when its process was killed under a clock that was a month ahead", async () => {
    const killed = bench.process("pid:[2]");
    const other = bench.process("pid:[1]");
    bench.clock.wallMs += 31 * DAY_MS;
    await taken(killed);
    claimed(killed);
    bench.lose(killed);
    bench.clock.wallMs -= 31 * DAY_MS;
    expect(other.recover(bench.clock.wallMs), "not heard from since, by this clock").toBe(1);
    expect(claimed(other).attempt).toBe(2);
  });

  test("is run again when its process was forgotten before it claimed it", async () => {
    const frozen = bench.process();
    const other = bench.process();
    frozen.recover(bench.clock.wallMs);
    bench.clock.pass(10_001); // for example, stopped by a signal
    other.recover(bench.clock.wallMs);
    await taken(frozen);
    claimed(frozen);
    expect(other.recover(bench.clock.wallMs)).toBe(1);
    expect(claimed(other).attempt).toBe(2);
  });

  test("is refused, and not charged, when the disk is full", async () => {
    const jobs = bench.process();
    const ann = await bench.caller("developer");
    const db = bench.dbOf(jobs);
    const [pages] = db.prepare("PRAGMA page_count").raw().get() as [number];
    db.exec(`PRAGMA max_page_count = ${pages}`);
    const long = { ...submissionOf(bench, ann), attribution: { notice: "x".repeat(5000) } };
    expect(() => {
      for (;;) jobs.submit(long);
    }).toThrow(AccountsUnavailable);
    expect(bench.used(ann)).toBe(0);
    expect(jobs.claim(bench.clock.wallMs)).toBeUndefined();
    db.exec("PRAGMA max_page_count = 1000000");
    acceptedId(jobs.submit(submissionOf(bench, ann)));
  });

  test("is not told of, and that is no defect, where the file cannot be read", async () => {
    const jobs = bench.process();
    const { accountId } = await bench.caller("developer");
    bench.dbOf(jobs).exec("ALTER TABLE jobs RENAME TO lost");
    expect(() => jobs.find(1, accountId)).toThrow(AccountsUnavailable);
    expect(() => jobs.underWay(accountId)).toThrow(AccountsUnavailable);
    expect(() => jobs.counts()).toThrow(AccountsUnavailable);
  });

  test("is forgotten with its result after 30 days", async () => {
    const jobs = bench.process();
    const ann = await bench.caller("developer");
    const id = acceptedId(jobs.submit(submissionOf(bench, ann)));
    jobs.finish(claimed(jobs), RESULT, bench.clock.wallMs);
    bench.clock.pass(30 * DAY_MS - 1);
    expect(jobs.prune(bench.clock.wallMs)).toBe(0);
    expect(jobs.find(id, ann.accountId)?.result).not.toBeNull();
    bench.clock.pass(1);
    expect(jobs.prune(bench.clock.wallMs)).toBe(1);
    expect(jobs.find(id, ann.accountId)).toBeUndefined();
    expect(rowsOf(jobs, "results")).toBe(0);
  });

  test("is forgotten with its result and key when it is withdrawn", async () => {
    const jobs = bench.process();
    const ann = await bench.caller("scale");
    const ids = ["k", "l"].map((key) => acceptedId(jobs.submit(submissionOf(bench, ann, key))));
    for (const _ of ids) jobs.finish(claimed(jobs), RESULT, bench.clock.wallMs);
    expect([rowsOf(jobs, "results"), rowsOf(jobs, "idempotency")]).toEqual([2, 2]);
    jobs.withdraw(ids[0]!); // there are two
    expect([rowsOf(jobs, "results"), rowsOf(jobs, "idempotency")]).toEqual([1, 1]);
  });

  test("outlives the key it was sent with, which is forgotten after 24 hours", async () => {
    const jobs = bench.process();
    const ann = await bench.caller("developer");
    const id = acceptedId(jobs.submit(submissionOf(bench, ann, "k")));
    bench.clock.pass(DAY_MS - 1);
    jobs.prune(bench.clock.wallMs);
    expect(rowsOf(jobs, "idempotency")).toBe(1);
    bench.clock.pass(1);
    jobs.prune(bench.clock.wallMs);
    expect(rowsOf(jobs, "idempotency")).toBe(0);
    expect(jobs.find(id, ann.accountId)?.job.status).toBe("queued");
  });

  /** How many rows of a table are on the disk. */
  function rowsOf(jobs: EmbeddedJobs, table: "results" | "idempotency"): number {
    const counted = bench.dbOf(jobs).prepare(`SELECT count(*) FROM ${table}`).raw().get();
    return (counted as [number])[0];
  }
});
