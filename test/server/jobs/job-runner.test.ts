import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Caller } from "../../../accounts/accounts.ts";
import type { ClaimedJob, JobError } from "../../../accounts/jobs/job.ts";
import type { JobRunStore } from "../../../accounts/jobs/job-store.ts";
import type { HeldSnapshots } from "../../../server/jobs/held-snapshots.ts";
import { JobRunner, type JobRunnerOptions } from "../../../server/jobs/job-runner.ts";
import {
  createBacktestPool,
  type BacktestPool,
  type PoolOutcome,
} from "../../../server/jobs/pool.ts";
import type { SqliteJobs } from "../../../accounts/jobs/sqlite/sqlite-jobs.ts";
import { SnapshotError } from "../../../snapshots/snapshot-error.ts";
import { holding } from "../../support/held-snapshots.ts";
import { acceptedId, DAY_MS, REQUEST, submissionOf } from "../../support/job-steps.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import { SqliteJobBench } from "../../support/sqlite-job-bench.ts";
import { until } from "../../support/until.ts";

const FAULTY = new URL("../../support/faulty-backtest-worker.mjs", import.meta.url);
const bars = madeUpBars({ seed: 1, days: 10 });
const RESULT: PoolOutcome = { ok: true, result: gzipSync("{}") };
const ready = () => Promise.resolve(RESULT);

let bench: SqliteJobBench;
let jobs: SqliteJobs;
let store: JobRunStore;
let snapshots: HeldSnapshots;
let ann: Caller;
/** The events that the observer was given. */
let observed: string[];
let logged: { message: string; details: object }[];

beforeEach(async () => {
  bench = new SqliteJobBench();
  ({ jobs } = bench);
  store = bench.served();
  snapshots = holding("s1");
  [observed, logged] = [[], []];
  ann = await bench.caller("scale");
});

afterEach(() => bench.close());

/** A pool of one thread with given answers. */
function poolOf(run: () => Promise<PoolOutcome>): BacktestPool {
  return { threads: 1, run, close: () => Promise.resolve() };
}

function runnerOn(
  pool: BacktestPool,
  opens: readonly string[] = ["s1"],
  options: Partial<JobRunnerOptions> = {},
): JobRunner {
  return new JobRunner({
    store,
    pool,
    snapshots,
    market: async (snapshotId) => {
      if (opens.includes(snapshotId)) return bars;
      throw new SnapshotError(`${snapshotId} is missing`, { fault: "gone" });
    },
    nowMs: bench.clock.nowMs,
    log: { error: (details: object, message: string) => void logged.push({ message, details }) },
    observer: {
      begun: ({ attempt }) => observed.push(`begun ${attempt}`),
      ended: ({ attempt }, outcome) =>
        observed.push(`${typeof outcome === "string" ? outcome : "ended"} ${attempt}`),
    },
    ...options,
  });
}

async function submit(): Promise<number> {
  return acceptedId(await jobs.submit(submissionOf(bench, ann)));
}

function claimed(): ClaimedJob {
  return jobs.claim(bench.clock.wallMs, ["s1"])!; // one waits
}

const messages = () => logged.map(({ message }) => message);

/** Waits until none of these jobs is under way. */
async function ended(runner: JobRunner, ids: readonly number[]): Promise<string[]> {
  runner.wake();
  for (;;) {
    const states = ids.map((id) => jobs.find(id, ann.accountId)?.job.status ?? "gone");
    if (!states.some((state) => state === "queued" || state === "running")) return states;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Text that does not compress and is longer than the free pages of a small file. */
function noise(): string {
  return Array.from({ length: 20_000 }, (_, at) => (at * 2_654_435_761) % 4_294_967_296).join("");
}

const used = () => bench.used(ann);

/** The error that a job ends in, which is refunded. */
async function failureOf(runner: JobRunner, id: number): Promise<JobError | null | undefined> {
  expect(await ended(runner, [id])).toEqual(["error"]);
  expect(used()).toBe(0);
  return jobs.find(id, ann.accountId)?.job.error;
}

describe("a runner of jobs", () => {
  test("runs every job, never more at once than the pool has threads", async () => {
    let running = 0;
    let most = 0;
    const runner = runnerOn(
      poolOf(async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return RESULT;
      }),
    );
    const ids = await Promise.all(Array.from({ length: 5 }, submit));
    expect(await ended(runner, ids)).toEqual(ids.map(() => "done"));
    expect(most).toBe(1);
    expect(used()).toBe(50);
  });

  test("runs a job again when its worker was lost", async () => {
    const outcomes: PoolOutcome[] = [{ lost: "gone" }, RESULT];
    const runner = runnerOn(poolOf(() => Promise.resolve(outcomes.shift()!)));
    expect(await ended(runner, [await submit()])).toEqual(["done"]);
    expect(used()).toBe(10);
    expect(observed).toEqual(["begun 1", "again 1", "begun 2", "ended 2"]);
  });

  test("gives up on a job that loses every worker, and refunds it", async () => {
    let runs = 0;
    const runner = runnerOn(
      poolOf(() => {
        runs++;
        return Promise.resolve({ lost: "out of memory" });
      }),
    );
    expect((await failureOf(runner, await submit()))?.code).toBe("worker_lost");
    expect(runs).toBe(3);
  });

  test("counts only attempts that lost their worker, not those that lacked the snapshot", async () => {
    const id = await submit();
    for (const why of ["left", "left", "again"] as const) {
      jobs.release(claimed(), why);
    }
    const outcomes: PoolOutcome[] = [{ lost: "gone" }, RESULT];
    const runner = runnerOn(poolOf(() => Promise.resolve(outcomes.shift()!)));
    expect(await ended(runner, [id])).toEqual(["done"]);
  });

  const error = { code: "internal_error", message: "secret" } as const;
  test.each([
    ["in a thread", () => Promise.resolve({ ok: false, error } as const)],
    ["around it", () => Promise.reject("secret")],
  ])("logs a defect %s, and only tells its caller that there was one", async (_, run) => {
    const runner = runnerOn(poolOf(run));
    const id = await submit();
    expect(await failureOf(runner, id)).toEqual({
      code: "internal_error",
      message: "a defect of this server; it was logged under the job's id",
    });
    const details = { job_id: id, error: "secret" };
    expect(logged).toMatchObject([{ message: "a backtest failed", details }]);
  });

  test("tells its caller what a backtest could not do, which is no defect", async () => {
    const error = { code: "figure_out_of_range", message: "leaves float64" } as const;
    const runner = runnerOn(poolOf(() => Promise.resolve({ ok: false, error })));
    expect(await failureOf(runner, await submit())).toEqual(error);
  });

  test.each([
    ["snapshot_gone", "is no longer kept", new SnapshotError("", { fault: "gone" })],
    ["snapshot_unreadable", "cannot be read", new SnapshotError("", { fault: "unreadable" })],
    ["snapshot_damaged", "is damaged", new SnapshotError("its checksum differs")],
    ["worker_unavailable", "starts nothing", new Error("no thread: EAGAIN")],
  ])("ends a job after a while as %s, refunded, and says when to send it again", async (...row) => {
    const [code, said, reason] = row;
    vi.spyOn(snapshots, "doubt").mockReturnValue(false);
    const market = () => Promise.reject(reason);
    const error = await failureOf(runnerOn(poolOf(ready), [], { market }), await submit());
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(said);
    expect(error?.message, "sent at once it would only fail again").toMatch(/once|until/);
    expect(logged).toMatchObject([{ details: { reason: String(reason) } }]);
  });

  test("gives a job back whose snapshot cannot be opened, and does not ask for it again at once", async () => {
    const runner = runnerOn(
      poolOf(() => Promise.reject(new Error("it ran"))),
      [],
    );
    const id = await submit();
    runner.wake();
    await until(() => observed.includes("left 1"));
    await runner.close();
    expect(jobs.find(id, ann.accountId)?.job.status).toBe("queued");
    expect(messages()).toEqual(["a job's snapshot cannot be opened here: left to others"]);
    expect(used()).toBe(10);
  });

  test("gives up on a job that outlived no server, without running it again", async () => {
    const id = await submit();
    for (let start = 0; start < 50; start++) {
      jobs.release(claimed(), "again");
    }
    const runner = runnerOn(poolOf(() => Promise.reject(new Error("it ran"))));
    expect((await failureOf(runner, id))?.code).toBe("worker_lost");
  });

  test("ends a job that a full disk kept from ending, once there is room", async () => {
    const { db } = bench.state.ledger;
    const pages = () => (db.prepare("PRAGMA page_count").raw().get() as [number])[0];
    const pool = poolOf(() => {
      db.exec(`PRAGMA max_page_count = ${pages()}`); // full from now on
      return Promise.resolve({ ok: true, result: gzipSync(noise()) });
    });
    const error = (_: object, message: string) => {
      logged.push({ message, details: {} });
      setTimeout(() => db.exec("PRAGMA max_page_count = 1000000"), 10); // the operator makes room
    };
    const runner = runnerOn(pool, ["s1"], { log: { error }, retryMs: 1 });
    const id = await submit();
    expect(await ended(runner, [id])).toEqual(["done"]);
    expect(messages()).toEqual(["cannot end a job yet"]);
    expect(used()).toBe(10);
  });

  test("leaves a job that a full disk keeps from ending to the next process when it closes", async () => {
    const finish = () => Promise.reject(new Error("database or disk is full"));
    Object.assign(store, { finish });
    const runner = runnerOn(poolOf(ready), ["s1"], { retryMs: 3_600_000 });
    const id = await submit();
    runner.wake();
    while (logged.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await runner.close();
    expect(jobs.find(id, ann.accountId)?.job.status).toBe("running");
    expect(messages()).toEqual(["cannot end a job yet", "cannot end a job"]);
  });

  test("leaves a job whose worker ends with the process to the next, however often it was begun", async () => {
    const id = await submit();
    for (let begun = 0; begun < 4; begun++) jobs.release(claimed(), "again");
    let lose: ((outcome: PoolOutcome) => void) | undefined;
    const runner = runnerOn(poolOf(() => new Promise((resolve) => (lose = resolve))));
    runner.wake();
    await until(() => lose !== undefined);
    const closed = runner.close();
    lose!({ lost: "the pool was closed" });
    await closed;
    expect(jobs.find(id, ann.accountId)?.job).toMatchObject({ status: "running", error: null });
  });

  test("takes no new job once it is closed, and ends the one under way", async () => {
    const started: ((outcome: PoolOutcome) => void)[] = [];
    const runner = runnerOn(poolOf(() => new Promise((resolve) => started.push(resolve))));
    const [first, second] = [await submit(), await submit()];
    runner.wake();
    while (started.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = runner.close();
    started[0]?.(RESULT);
    await closed;
    expect(jobs.find(first, ann.accountId)?.job.status).toBe("done");
    expect(jobs.find(second, ann.accountId)?.job.status).toBe("queued");
  });

  test("does not hold up a server that stops: what hangs or waits is the next one's", async () => {
    const request = { ...REQUEST, strategy: "hang" };
    const hanging = acceptedId(await jobs.submit({ ...submissionOf(bench, ann), request }));
    await submit();
    const onNoThreads = () => expect.unreachable("the system starts threads");
    const pool = createBacktestPool({
      worker: FAULTY,
      threads: 1,
      onNoThreads,
      log: { error: () => {} },
    });
    const runner = runnerOn(pool);
    runner.start();
    await until(() => observed.length > 0);
    await runner.close();
    expect(jobs.counts()).toEqual({ queued: 1, running: 1 });
    jobs.requeue();
    expect(jobs.claim(bench.clock.wallMs, ["s1"])?.id).toBe(hanging);
    expect(used()).toBe(20);
  });

  test("looks at once when it hears of a job from elsewhere", async () => {
    let heard = () => {};
    store.onWork = (wake) => (heard = wake);
    const claim = vi.spyOn(store, "claim");
    const runner = runnerOn(poolOf(ready));
    runner.start();
    await until(() => claim.mock.calls.length === 1);
    heard();
    await new Promise((resolve) => setImmediate(resolve));
    expect(claim).toHaveBeenCalledTimes(2);
    await runner.close();
  });

  test("removes jobs 30 days after their end", async () => {
    const id = await submit();
    expect(await ended(runnerOn(poolOf(ready)), [id])).toEqual(["done"]);
    bench.clock.pass(30 * DAY_MS);
    const next = runnerOn(poolOf(ready));
    next.start();
    await until(() => jobs.find(id, ann.accountId) === undefined);
    await next.close();
  });
});
