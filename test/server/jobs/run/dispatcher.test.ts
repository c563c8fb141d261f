import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { EmbeddedAccounts } from "../../../../server/accounts/sqlite/embedded-accounts.ts";
import type { Caller } from "../../../../server/accounts/accounts.ts";
import { openStateFile, type Connection } from "../../../../server/accounts/sqlite/state-file.ts";
import { Dispatcher } from "../../../../server/jobs/run/dispatcher.ts";
import { EmbeddedJobs } from "../../../../server/jobs/sqlite/embedded-jobs.ts";
import type { HeldSnapshots } from "../../../../server/jobs/run/held-snapshots.ts";
import { packText } from "../../../../server/jobs/packed-text.ts";
import type { BacktestPool, PoolOutcome } from "../../../../server/jobs/run/pool.ts";
import { AccountsFixture, callerOf } from "../../../support/accounts-fixture.ts";
import { holding } from "../../../support/held-snapshots.ts";
import { madeUpBars } from "../../../support/made-up-bars.ts";
import { until } from "../../../support/until.ts";

const bars = madeUpBars({ seed: 1, days: 10 });
const RESULT: PoolOutcome = { kind: "result", result: packText("{}") };
const ready = () => Promise.resolve(RESULT);

let fixture: AccountsFixture;
let accounts: EmbeddedAccounts;
let db: Connection;
let jobs: EmbeddedJobs;
let held: HeldSnapshots;
let ann: Caller;
/** What was told about jobs, for monitoring. */
let observed: string[];

beforeEach(async () => {
  fixture = new AccountsFixture();
  accounts = fixture.server();
  observed = [];
  db = openStateFile(fixture.file, { busyMs: 250 });
  const { nowMs } = fixture.clock;
  held = holding("s1");
  jobs = new EmbeddedJobs({
    db,
    ledger: accounts.ledgerOn(db),
    snapshots: held,
    isAlive: () => true,
    pidNamespace: "",
    pid: 1,
  });
  ann = callerOf(accounts, (await fixture.account("scale")).key, nowMs());
});

afterEach(async () => {
  db.close();
  await fixture.close();
});

/** A pool of one thread that answers as it is told. */
function poolOf(run: () => Promise<PoolOutcome>): BacktestPool {
  return { threads: 1, run, close: () => Promise.resolve() };
}

function dispatcherOn(
  pool: BacktestPool,
  snapshots: readonly string[] = ["s1"],
  restMs?: () => number,
): Dispatcher {
  return new Dispatcher({
    store: jobs,
    restMs,
    pool,
    market: (snapshotId) =>
      Promise.resolve(snapshots.includes(snapshotId) ? { bars, snapshotId } : undefined),
    nowMs: fixture.clock.nowMs,
    report: (message) => {
      throw new Error(message);
    },
    observer: {
      begun: ({ attempt }) => observed.push(`begun ${attempt}`),
      ended: ({ attempt }, outcome) =>
        observed.push(`${typeof outcome === "string" ? outcome : "ended"} ${attempt}`),
    },
  });
}

function submit(): number {
  const request = { strategy: "s", coin: "c", startDay: 1, startingCashUsd: 1, variant: 1 };
  const nowMs = fixture.clock.wallMs;
  const asked = {
    caller: ann,
    request,
    snapshotId: "s1",
    attribution: {},
    idempotencyKey: undefined,
    nowMs,
  };
  const outcome = jobs.submit(asked);
  if (outcome.kind !== "accepted") throw new Error(outcome.kind);
  return outcome.jobId;
}

/** Waits until none of these jobs is under way. */
async function ended(dispatcher: Dispatcher, ids: readonly number[]): Promise<string[]> {
  dispatcher.wake();
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

const used = () => accounts.quota(ann, fixture.clock.wallMs).used;

describe("the dispatcher", () => {
  test("runs every job, never more at once than the pool has threads", async () => {
    let running = 0;
    let most = 0;
    const dispatcher = dispatcherOn(
      poolOf(async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return RESULT;
      }),
    );
    const ids = Array.from({ length: 5 }, submit);
    expect(await ended(dispatcher, ids)).toEqual(ids.map(() => "done"));
    expect(most).toBe(1);
    expect(used()).toBe(50);
  });

  test("rests before each job for as long as it is told to", async () => {
    const rests = [1, 0, 1];
    const restMs = vi.fn<() => number>(() => rests.shift() ?? 0);
    const dispatcher = dispatcherOn(poolOf(ready), ["s1"], restMs);
    const ids = Array.from({ length: 3 }, submit);
    expect(await ended(dispatcher, ids)).toEqual(ids.map(() => "done"));
    expect(restMs.mock.calls.length).toBeGreaterThanOrEqual(3);
  });

  test("begins no job when it is closed while it rests", async () => {
    let runs = 0;
    const pool = poolOf(async () => {
      runs++;
      return RESULT;
    });
    const dispatcher = dispatcherOn(pool, ["s1"], () => 3_600_000);
    const id = submit();
    dispatcher.wake();
    await new Promise((resolve) => setImmediate(resolve));
    await dispatcher.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(jobs.find(id, ann.accountId)?.job.status).toBe("queued");
    expect(runs).toBe(0);
  });

  test("runs a job again when its worker was lost", async () => {
    const outcomes: PoolOutcome[] = [{ kind: "lost", reason: "gone" }, RESULT];
    const dispatcher = dispatcherOn(poolOf(() => Promise.resolve(outcomes.shift()!)));
    expect(await ended(dispatcher, [submit()])).toEqual(["done"]);
    expect(used()).toBe(10);
    expect(observed).toEqual(["begun 1", "again 1", "begun 2", "ended 2"]);
  });

  test("gives up on a job that loses every worker, and refunds it", async () => {
    let runs = 0;
    const dispatcher = dispatcherOn(
      poolOf(() => {
        runs++;
        return Promise.resolve({ kind: "lost", reason: "out of memory" });
      }),
    );
    const id = submit();
    expect(await ended(dispatcher, [id])).toEqual(["error"]);
    expect(runs).toBe(3);
    expect(jobs.find(id, ann.accountId)?.job.error?.code).toBe("worker_lost");
    expect(used()).toBe(0);
  });

  test("counts only attempts that lost their worker, not those that lacked the snapshot", async () => {
    const id = submit();
    for (const why of ["left", "left", "again"] as const) {
      jobs.release(jobs.claim(fixture.clock.wallMs)!, why);
    }
    const outcomes: PoolOutcome[] = [{ kind: "lost", reason: "gone" }, RESULT];
    const dispatcher = dispatcherOn(poolOf(() => Promise.resolve(outcomes.shift()!)));
    expect(await ended(dispatcher, [id])).toEqual(["done"]);
  });

  const error = { code: "internal_error", message: "secret" } as const;
  test.each([
    ["in a thread", () => Promise.resolve({ kind: "failed", error } as const)],
    ["around it", () => Promise.reject("secret")],
  ])("logs a defect %s, and only tells its caller that there was one", async (_, run) => {
    const reports: unknown[] = [];
    const dispatcher = new Dispatcher({
      store: jobs,
      pool: poolOf(run),
      market: (snapshotId) => Promise.resolve({ bars, snapshotId }),
      nowMs: fixture.clock.nowMs,
      report: (message, details) => reports.push({ message, ...details }),
    });
    const id = submit();
    expect(await ended(dispatcher, [id])).toEqual(["error"]);
    expect(jobs.find(id, ann.accountId)?.job.error).toEqual({
      code: "internal_error",
      message: "a defect of this server; it was logged under the job's id",
    });
    expect(reports).toMatchObject([{ message: "a backtest failed", job_id: id, error: "secret" }]);
    expect(used()).toBe(0);
  });

  test("tells its caller what a backtest could not do, which is no defect", async () => {
    const error = { code: "figure_out_of_range", message: "leaves float64" } as const;
    const dispatcher = dispatcherOn(poolOf(() => Promise.resolve({ kind: "failed", error })));
    const id = submit();
    expect(await ended(dispatcher, [id])).toEqual(["error"]);
    expect(jobs.find(id, ann.accountId)?.job.error).toEqual(error);
    expect(used()).toBe(0);
  });

  test("ends a job whose snapshot nobody has had for long enough, and refunds it", async () => {
    vi.spyOn(held, "doubt").mockReturnValue(false);
    const dispatcher = dispatcherOn(poolOf(ready), []);
    const id = submit();
    expect(await ended(dispatcher, [id])).toEqual(["error"]);
    expect(jobs.find(id, ann.accountId)?.job.error?.code).toBe("snapshot_gone");
    expect(used()).toBe(0);
  });

  test("gives a job back whose snapshot cannot be opened, and does not ask for it again at once", async () => {
    const reports: string[] = [];
    const dispatcher = new Dispatcher({
      store: jobs,
      pool: poolOf(() => Promise.reject(new Error("it ran"))),
      market: () => Promise.resolve(undefined),
      nowMs: fixture.clock.nowMs,
      report: (message) => reports.push(message),
    });
    const id = submit();
    dispatcher.wake();
    await until(() => reports.length > 0 && dispatcher.running === 0);
    expect(jobs.find(id, ann.accountId)?.job.status).toBe("queued");
    expect(reports).toEqual(["a job's snapshot cannot be opened here: left to others"]);
    expect(used()).toBe(10);
  });

  test("gives up on a job that outlived no server, without running it again", async () => {
    const id = submit();
    for (let start = 0; start < 50; start++) {
      const job = jobs.claim(fixture.clock.wallMs);
      if (job === undefined) throw new Error("expected a job to claim");
      jobs.release(job, "again");
    }
    const dispatcher = dispatcherOn(poolOf(() => Promise.reject(new Error("it ran"))));
    expect(await ended(dispatcher, [id])).toEqual(["error"]);
    expect(jobs.find(id, ann.accountId)?.job.error?.code).toBe("worker_lost");
    expect(used()).toBe(0);
  });

  test("ends a job that a full disk kept from ending, once there is room", async () => {
    const reports: string[] = [];
    const pages = () => (db.prepare("PRAGMA page_count").raw().get() as [number])[0];
    const dispatcher = new Dispatcher({
      store: jobs,
      pool: poolOf(() => {
        db.exec(`PRAGMA max_page_count = ${pages()}`); // full from now on
        return Promise.resolve({ kind: "result", result: packText(noise()) });
      }),
      market: (snapshotId) => Promise.resolve({ bars, snapshotId }),
      nowMs: fixture.clock.nowMs,
      report: (message) => {
        reports.push(message);
        setTimeout(() => db.exec("PRAGMA max_page_count = 1000000"), 10); // the operator makes room
      },
      retryMs: 1,
    });
    const id = submit();
    expect(await ended(dispatcher, [id])).toEqual(["done"]);
    expect(reports).toEqual(["cannot end a job yet"]);
    expect(used()).toBe(10);
  });

  test("leaves a job that a full disk keeps from ending to the next process when it closes", async () => {
    const refused: string[] = [];
    const finish = () => Promise.reject(new Error("database or disk is full"));
    Object.assign(jobs, { finish });
    const dispatcher = new Dispatcher({
      store: jobs,
      pool: poolOf(ready),
      market: (snapshotId) => Promise.resolve({ bars, snapshotId }),
      nowMs: fixture.clock.nowMs,
      report: (message) => refused.push(message),
      retryMs: 3_600_000,
    });
    const id = submit();
    dispatcher.wake();
    while (refused.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await dispatcher.close();
    expect(jobs.find(id, ann.accountId)?.job.status).toBe("running");
    expect(refused).toEqual(["cannot end a job yet", "cannot end a job"]);
  });

  test("leaves a job whose worker ends with the process to the next, however often it was begun", async () => {
    const id = submit();
    for (let begun = 0; begun < 4; begun++) jobs.release(jobs.claim(0)!, "again");
    let lose: ((outcome: PoolOutcome) => void) | undefined;
    const dispatcher = dispatcherOn(poolOf(() => new Promise((resolve) => (lose = resolve))));
    dispatcher.wake();
    await until(() => lose !== undefined);
    const closed = dispatcher.close();
    lose!({ kind: "lost", reason: "the pool was closed" });
    await closed;
    expect(jobs.find(id, ann.accountId)?.job).toMatchObject({ status: "running", error: null });
  });

  test("takes no new job once it is closed, and ends the one under way", async () => {
    const started: ((outcome: PoolOutcome) => void)[] = [];
    const dispatcher = dispatcherOn(poolOf(() => new Promise((resolve) => started.push(resolve))));
    const [first, second] = [submit(), submit()];
    dispatcher.wake();
    while (started.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = dispatcher.close();
    started[0]?.(RESULT);
    await closed;
    expect(jobs.find(first, ann.accountId)?.job.status).toBe("done");
    expect(jobs.find(second, ann.accountId)?.job.status).toBe("queued");
  });
});
