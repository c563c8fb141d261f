import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AccountsUnavailable } from "../../../../accounts/accounts.ts";
import type { ClaimedJob } from "../../../../accounts/jobs/job.ts";
import type { SqliteJobs } from "../../../../accounts/jobs/sqlite/sqlite-jobs.ts";
import { jobSnapshotsContract } from "../../../support/job-snapshots-contract.ts";
import { acceptedId, DAY_MS, FAILURE, RESULT, submissionOf } from "../../../support/job-steps.ts";
import { jobStoreContract } from "../../../support/job-store-contract.ts";
import { triedSetsContract } from "../../../support/tried-sets-contract.ts";
import { jobTurnsContract } from "../../../support/job-turns-contract.ts";
import { SqliteJobBench } from "../../../support/sqlite-job-bench.ts";
import { until } from "../../../support/until.ts";

describe("jobs in the state file", () => {
  jobStoreContract(() => new SqliteJobBench(), "backtest");
  jobStoreContract(() => new SqliteJobBench(), "study");
  triedSetsContract(() => new SqliteJobBench());
  jobTurnsContract(() => new SqliteJobBench());
  jobSnapshotsContract(() => new SqliteJobBench());
});

let bench: SqliteJobBench;
let jobs: SqliteJobs;

beforeEach(() => {
  bench = new SqliteJobBench();
  ({ jobs } = bench);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await bench.close();
});

const now = () => bench.clock.wallMs;
const SNAPSHOTS = ["s1"];

function claimed(): ClaimedJob {
  const job = jobs.claim(now(), SNAPSHOTS);
  if (job === undefined) throw new Error("expected a job to claim");
  return job;
}

/** The number of rows of a table. */
function rowsOf(table: "results" | "idempotency"): number {
  const { db } = bench.state.ledger;
  return (db.prepare(`SELECT count(*) FROM ${table}`).raw().get() as [number])[0];
}

describe("a job in the state file", () => {
  test("is refused, and not charged, when the disk is full", async () => {
    const ann = await bench.caller("developer");
    const { db } = bench.state.ledger;
    const [pages] = db.prepare("PRAGMA page_count").raw().get() as [number];
    db.exec(`PRAGMA max_page_count = ${pages}`);
    const usual = submissionOf(bench, ann, "k");
    const long = {
      ...usual,
      attribution: { ...usual.attribution, notice: "x".repeat(200_000) },
    };
    await expect(jobs.submit(long)).rejects.toThrow(AccountsUnavailable);
    expect(bench.used(ann)).toBe(0);
    expect(jobs.claim(now(), SNAPSHOTS)).toBeUndefined();
    db.exec("PRAGMA max_page_count = 1000000");
    acceptedId(await jobs.submit(submissionOf(bench, ann, "k")));
    expect(bench.used(ann)).toBe(10);
  });

  test("cannot be found, which is no defect, if the file cannot be read", async () => {
    const { accountId } = await bench.caller("developer");
    bench.state.ledger.db.exec("ALTER TABLE jobs RENAME TO lost");
    expect(() => jobs.find(1, accountId)).toThrow(AccountsUnavailable);
    expect(() => jobs.underWay(accountId)).toThrow(AccountsUnavailable);
    expect(() => jobs.counts()).toThrow(AccountsUnavailable);
  });

  test("is forgotten with its result after 30 days", async () => {
    const ann = await bench.caller("developer");
    const id = acceptedId(await jobs.submit(submissionOf(bench, ann)));
    jobs.finish(claimed(), RESULT, now());
    bench.clock.pass(30 * DAY_MS - 1);
    jobs.tend(now(), []);
    expect(jobs.find(id, ann.accountId)?.result).not.toBeNull();
    bench.clock.pass(1);
    jobs.tend(now(), []);
    expect(jobs.find(id, ann.accountId)).toBeUndefined();
    expect(rowsOf("results")).toBe(0);
  });

  test("is forgotten with its result and key when it is withdrawn", async () => {
    const ann = await bench.caller("scale");
    const ids: number[] = [];
    for (const key of ["k", "l"]) {
      ids.push(acceptedId(await jobs.submit(submissionOf(bench, ann, key))));
    }
    for (const _ of ids) jobs.finish(claimed(), RESULT, now());
    expect([rowsOf("results"), rowsOf("idempotency")]).toEqual([2, 2]);
    jobs.withdraw(ids[0]!); // there are two
    expect([rowsOf("results"), rowsOf("idempotency")]).toEqual([1, 1]);
  });

  test("outlives the key it was sent with, which is forgotten after 24 hours", async () => {
    const ann = await bench.caller("developer");
    const id = acceptedId(await jobs.submit(submissionOf(bench, ann, "k")));
    bench.clock.pass(DAY_MS - 1);
    jobs.tend(now(), []);
    expect(rowsOf("idempotency")).toBe(1);
    bench.clock.pass(1);
    jobs.tend(now(), []);
    expect(rowsOf("idempotency")).toBe(0);
    expect(jobs.find(id, ann.accountId)?.job.status).toBe("queued");
  });

  test("has a key that is stored as its hash, since a caller may send a secret", async () => {
    const ann = await bench.caller("developer");
    await jobs.submit(submissionOf(bench, ann, "hs_live_secret"));
    const { db } = bench.state.ledger;
    const [key] = db.prepare("SELECT key FROM idempotency").raw().get() as [string];
    expect(key).toBe("lRucKrxtKi29B9gJR9yEOfhHT9vseeQ722JHA_BskBE");
  });
});

describe("a job that is not on the disk yet", () => {
  test("is answered only once it is, and so is its repeat", async () => {
    const ann = await bench.caller("developer");
    let force = () => {};
    const durable = vi.spyOn(bench.state.ledger, "durable");
    durable.mockReturnValue(new Promise((resolve) => (force = resolve)));
    const answered: string[] = [];
    const submissions = ["accepted", "repeated"].map(async (kind) => {
      expect((await jobs.submit(submissionOf(bench, ann, "k"))).kind).toBe(kind);
      answered.push(kind);
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toEqual([]);
    force();
    await Promise.all(submissions);
    expect(answered).toEqual(["accepted", "repeated"]);
  });

  test("needs no disk if it was refused", async () => {
    const ann = await bench.caller("developer");
    await bench.charge(ann, 9_999);
    vi.spyOn(bench.state.ledger, "durable").mockRejectedValue(new Error("EIO"));
    expect((await jobs.submit(submissionOf(bench, ann))).kind).toBe("quota_exceeded");
  });

  test("is undone with its charge if the disk refuses, also for its repeat, and may be sent again", async () => {
    const ann = await bench.caller("developer");
    const durable = vi.spyOn(bench.state.ledger, "durable");
    let refuse: (error: Error) => void = () => {};
    const first = new Promise<void>((_, reject) => (refuse = reject));
    durable.mockReturnValueOnce(first);
    durable.mockImplementationOnce(() => first.catch(() => {})); // the repeat's own force succeeds
    const submitted = [1, 2].map(() => jobs.submit(submissionOf(bench, ann, "k")));
    await until(() => durable.mock.calls.length === 2);
    refuse(new Error("EIO"));
    for (const each of submitted) await expect(each).rejects.toThrow(AccountsUnavailable);
    expect(bench.used(ann)).toBe(0);
    expect(await bench.backtestsOf(ann)).toBeUndefined();
    expect(jobs.counts()).toEqual({ queued: 0, running: 0 });
    acceptedId(await jobs.submit(submissionOf(bench, ann, "k")));
  });

  test("stays if only its repeat cannot be forced: the first call was answered", async () => {
    const ann = await bench.caller("developer");
    const id = acceptedId(await jobs.submit(submissionOf(bench, ann, "k")));
    const durable = vi.spyOn(bench.state.ledger, "durable").mockRejectedValueOnce(new Error("EIO"));
    await expect(jobs.submit(submissionOf(bench, ann, "k"))).rejects.toThrow(AccountsUnavailable);
    durable.mockRestore();
    expect(jobs.find(id, ann.accountId)?.job.status).toBe("queued");
    expect(bench.used(ann)).toBe(10);
  });

  test("is logged if it can be neither forced nor undone", async () => {
    const ann = await bench.caller("developer");
    const durable = vi.spyOn(bench.state.ledger, "durable");
    durable.mockImplementation(() => {
      vi.spyOn(bench.state.ledger, "transaction").mockImplementation(() => {
        throw new AccountsUnavailable("full");
      });
      return Promise.reject(new Error("EIO"));
    });
    await expect(jobs.submit(submissionOf(bench, ann))).rejects.toThrow(AccountsUnavailable);
    expect(bench.logged).toEqual([{ job_id: expect.any(Number), error: expect.any(String) }]);
  });
});

describe("jobs and calls of one account", () => {
  test("fill the quota to its last unit and not beyond, in any order", async () => {
    const ann = await bench.caller("developer");
    await bench.charge(ann, 9_895); // 105 units are left
    let [calls, runs] = [0, 0];
    for (let turn = 0; turn < 105; turn++) {
      if ((await bench.charge(ann, 1)).kind === "charged") calls++;
      if (turn % 3 > 0) continue;
      const { kind } = await jobs.submit(submissionOf(bench, ann));
      expect(["accepted", "quota_exceeded"]).toContain(kind);
      if (kind !== "accepted") continue;
      runs++;
      jobs.finish(claimed(), RESULT, now());
    }
    expect(calls + 10 * runs).toBe(105);
    expect(bench.used(ann)).toBe(10_000);
  });

  test("are decided in their order: a job after the calls of its own turn", async () => {
    const ann = await bench.caller("developer");
    await bench.charge(ann, 9_989);
    const calls = [bench.charge(ann, 1), bench.charge(ann, 1)];
    expect((await jobs.submit(submissionOf(bench, ann))).kind).toBe("quota_exceeded");
    for (const call of calls) expect((await call).kind).toBe("charged");
    expect(bench.used(ann)).toBe(9_991);
  });

  test("have room at once when a job is refunded", async () => {
    const ann = await bench.caller("developer");
    await bench.charge(ann, 9_990);
    await jobs.submit(submissionOf(bench, ann));
    expect((await bench.charge(ann, 1)).kind).toBe("quota_exceeded");
    jobs.finish(claimed(), FAILURE, now());
    expect((await bench.charge(ann, 1)).kind).toBe("charged");
  });
});
