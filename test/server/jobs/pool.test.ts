import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import {
  createBacktestPool,
  type BacktestPool,
  type PoolOutcome,
} from "../../../server/jobs/pool.ts";
import type { JobOutcome } from "../../../accounts/jobs/job.ts";
import { madeUpBars, swingingBars } from "../../support/made-up-bars.ts";

const FAULTY = new URL("../../support/faulty-backtest-worker.mjs", import.meta.url);
/** From the build, because worker threads do not start from TypeScript. */
const WORKER = new URL("../../../dist/server/jobs/worker.js", import.meta.url);
const bars = madeUpBars({ seed: 1, days: 400 });

let pool: BacktestPool | undefined;
afterEach(async () => {
  await pool?.close();
});

const request = {
  strategy: "ma_cross",
  coin: "btc",
  startDay: bars.day[250]!,
  startingCashUsd: 10_000,
  variant: 1,
};
const taskOf = (strategy: string) => ({
  bars,
  snapshotId: "s1",
  kind: "backtest" as const,
  known: null,
  request: { ...request, strategy },
});

function isDone(outcome: PoolOutcome): outcome is JobOutcome & { readonly ok: true } {
  return "ok" in outcome && outcome.ok;
}

const own = {
  worker: WORKER,
  threads: 1,
  onNoThreads: () => expect.unreachable("the system starts threads"),
  log: { error: () => {} },
};

describe("the pool of worker threads", () => {
  test("gives the report of a run, the same bytes each time", async () => {
    pool = createBacktestPool({ ...own, threads: 2 });
    const [first, second] = await Promise.all([
      pool.run(taskOf("ma_cross")),
      pool.run(taskOf("ma_cross")),
    ]);
    if (!isDone(first) || !isDone(second)) throw new Error("expected results");
    expect(Buffer.from(first.result).equals(Buffer.from(second.result))).toBe(true);
    expect(JSON.parse(gunzipSync(first.result).toString())).toMatchObject({
      days: 150,
    });
  });

  test("says what a run could not do, as a failure of the job", async () => {
    pool = createBacktestPool(own);
    expect(await pool.run(taskOf("no_such_template"))).toMatchObject({
      ok: false,
      error: { code: "internal_error", message: "a job was accepted that cannot be run" },
    });
  });

  test("tells a run that leaves float64 from a defect", async () => {
    pool = createBacktestPool(own);
    const wild = { ...taskOf("donchian_breakout"), bars: swingingBars(1500) };
    expect(await pool.run(wild)).toMatchObject({
      ok: false,
      error: { code: "figure_out_of_range" },
    });
  });

  test("ends a task that hangs, and goes on with the next", async () => {
    pool = createBacktestPool({
      ...own,
      worker: FAULTY,
      timeLimitMs: { backtest: 300, study: 300 },
    });
    expect(await pool.run(taskOf("hang"))).toMatchObject({
      ok: false,
      error: { code: "timed_out" },
    });
    expect(await pool.run(taskOf("fine"))).toMatchObject({ ok: true });
  });

  test("does not count time in which the process was stopped", async () => {
    pool = createBacktestPool({
      ...own,
      worker: FAULTY,
      timeLimitMs: { backtest: 1_000, study: 1_000 },
    });
    await pool.run(taskOf("fine"));
    const slow = pool.run(taskOf("slow")); // it takes 1.2 s
    await Promise.resolve();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
    expect(await slow).toMatchObject({ ok: true });
  });

  test("goes on when a thread ends after its task", async () => {
    pool = createBacktestPool({ ...own, worker: FAULTY });
    for (let task = 0; task < 5; task++) {
      const outcome = await pool.run(taskOf("late"));
      const isEither = isDone(outcome) || "lost" in outcome;
      expect(isEither, "lost where the next task met the dying thread").toBe(true);
    }
    while ("lost" in (await pool.run(taskOf("fine")))) continue;
  });

  test.each(["exit", "heap", "throw"])("survives a worker that ends by %s", async (fault) => {
    pool = createBacktestPool({ ...own, worker: FAULTY, heapLimitMb: 32 });
    expect(await pool.run(taskOf(fault))).toHaveProperty("lost");
    expect(await pool.run(taskOf("fine"))).toMatchObject({ ok: true });
  });
});
