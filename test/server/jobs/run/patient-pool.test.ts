import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPatientPool } from "../../../../server/jobs/run/patient-pool.ts";
import {
  createBacktestPool,
  type BacktestPool,
  type PoolOutcome,
} from "../../../../server/jobs/run/pool.ts";
import type { BacktestTask } from "../../../../server/jobs/run/task.ts";
import { warmUpTasks } from "../../../../server/jobs/run/warm-up.ts";
import { marketSnapshot } from "../../../support/server-market.ts";

const PATIENCE_MS = 1_000;
const INSIST_MS = 30_000;
const [TASK] = warmUpTasks(marketSnapshot()) as [BacktestTask];

/** A pool whose runs end when the test says so. */
class HeldPool implements BacktestPool {
  readonly threads = 2;
  readonly ends: ((outcome: PoolOutcome) => void)[] = [];
  closed = false;

  run(): Promise<PoolOutcome> {
    return new Promise((resolve) => this.ends.push(resolve));
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}

const resultOf = (byte: number): PoolOutcome => ({ kind: "result", result: Uint8Array.of(byte) });

describe("a pool that leaves the processors to requests", () => {
  let yielding: HeldPool;
  let insisting: HeldPool;
  let pool: BacktestPool;

  beforeEach(() => {
    vi.useFakeTimers();
    yielding = new HeldPool();
    insisting = new HeldPool();
    pool = createPatientPool({
      yielding,
      insisting,
      monotonicMs: () => performance.now(),
      patienceMs: PATIENCE_MS,
      insistMs: INSIST_MS,
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("runs on the threads that give way, and on no others while they end in time", async () => {
    const run = pool.run(TASK);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
    yielding.ends[0]?.(resultOf(1));
    expect(await run).toEqual(resultOf(1));
    expect(vi.getTimerCount(), "no timer is left behind").toBe(0);
    expect(insisting.ends).toHaveLength(0);
  });

  test("begins a run again where it gets its share, and takes whichever ends first", async () => {
    const [starved, late] = [pool.run(TASK), pool.run(TASK)];
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(insisting.ends).toHaveLength(2);
    insisting.ends[0]?.(resultOf(1));
    yielding.ends[1]?.(resultOf(2));
    expect(await starved).toEqual(resultOf(1));
    expect(await late).toEqual(resultOf(2));
  });

  test("gives way again after a while", async () => {
    void pool.run(TASK);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    void pool.run(TASK);
    expect([yielding.ends.length, insisting.ends.length], "busy: insists at once").toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(INSIST_MS);
    void pool.run(TASK);
    expect([yielding.ends.length, insisting.ends.length]).toEqual([2, 2]);
  });

  test("passes on that a thread was lost, and runs nothing twice for it", async () => {
    const run = pool.run(TASK);
    yielding.ends[0]?.({ kind: "lost", reason: "gone" });
    expect(await run).toEqual({ kind: "lost", reason: "gone" });
    expect(insisting.ends).toHaveLength(0);
  });

  test("closes both", async () => {
    await pool.close();
    expect([yielding.closed, insisting.closed]).toEqual([true, true]);
  });
});

describe("the same on threads", () => {
  const FAULTY = new URL("../../../support/faulty-backtest-worker.mjs", import.meta.url);
  const taskOf = (strategy: string) => ({ ...TASK, request: { ...TASK.request, strategy } });

  test("a run that hangs is ended at the time limit on both, and the next goes on", async () => {
    const threads = { worker: FAULTY, threads: 1, timeLimitMs: 400 };
    const pool = createPatientPool({
      yielding: createBacktestPool(threads),
      insisting: createBacktestPool(threads),
      monotonicMs: () => performance.now(),
      patienceMs: 100,
    });
    const [hung] = await Promise.all([pool.run(taskOf("hang")), pool.run(taskOf("hang"))]);
    expect(hung).toMatchObject({ kind: "failed", error: { code: "timed_out" } });
    while ((await pool.run(taskOf("fine"))).kind !== "result") continue;
    await pool.close();
  });
});
