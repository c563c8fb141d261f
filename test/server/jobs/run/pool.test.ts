import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { packedTextOf, unpackText } from "../../../../server/jobs/packed-text.ts";
import { createBacktestPool, type BacktestPool } from "../../../../server/jobs/run/pool.ts";
import { madeUpBars, swingingBars } from "../../../support/made-up-bars.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { untilItPasses } from "../../../support/until.ts";

const FAULTY = new URL("../../../support/faulty-backtest-worker.mjs", import.meta.url);
const SLOW_TO_LOAD = new URL("../../../support/slow-backtest-worker.mjs", import.meta.url);
/** From the build, because worker threads do not start from TypeScript. */
const WORKER = new URL("../../../../dist/server/jobs/run/worker.js", import.meta.url);
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
  request: { ...request, strategy },
});

/** Nice value and scheduling policy of the threads of this process (proc(5), fields 19 and 41). */
function standings(): { readonly nice: number; readonly policy: number }[] {
  return readdirSync("/proc/self/task").map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { nice: Number(fields[16]), policy: Number(fields[38]) };
  });
}

describe("the pool of worker threads", () => {
  test("gives the report of a run, the same bytes each time", async () => {
    pool = createBacktestPool({ worker: WORKER, threads: 2 });
    const [first, second] = await Promise.all([
      pool.run(taskOf("ma_cross")),
      pool.run(taskOf("ma_cross")),
    ]);
    if (first?.kind !== "result" || second?.kind !== "result") throw new Error("expected results");
    expect(Buffer.from(first.result).equals(Buffer.from(second.result))).toBe(true);
    expect(JSON.parse(unpackText(packedTextOf(first.result)).toString())).toMatchObject({
      days: 150,
    });
  });

  test.runIf(process.platform === "linux").each([
    { givesWay: true, policy: 5 },
    { givesWay: false, policy: 0 },
  ])("stands behind requests: gives way $givesWay", async ({ givesWay, policy }) => {
    pool = createBacktestPool({ worker: WORKER, threads: 1, givesWay });
    await pool.run(taskOf("ma_cross"));
    expect(standings().filter(({ nice }) => nice === 15)).toEqual([{ nice: 15, policy }]);
  });

  test.runIf(process.platform === "linux")("ends threads that have nothing to do", async () => {
    pool = createBacktestPool({ worker: WORKER, threads: 1, idleMs: 20 });
    await pool.run(taskOf("ma_cross"));
    // Tried again if a thread ends while it is being read.
    const isOver = () => expect(standings().filter(({ nice }) => nice === 15)).toEqual([]);
    await untilItPasses(isOver);
    expect((await pool.run(taskOf("ma_cross"))).kind, "and starts them anew").toBe("result");
  });

  test("says what a run could not do, as a failure of the job", async () => {
    pool = createBacktestPool({ worker: WORKER, threads: 1 });
    expect(await pool.run(taskOf("no_such_template"))).toMatchObject({
      kind: "failed",
      error: { code: "internal_error", message: "a job was accepted that cannot be run" },
    });
  });

  test("tells a run that leaves float64 from a defect", async () => {
    pool = createBacktestPool({ worker: WORKER, threads: 1 });
    const wild = { ...taskOf("donchian_breakout"), bars: swingingBars(1500) };
    expect(await pool.run(wild)).toMatchObject({
      kind: "failed",
      error: { code: "figure_out_of_range" },
    });
  });

  test("ends a task that hangs, and goes on with the next", async () => {
    pool = createBacktestPool({ worker: FAULTY, threads: 1, timeLimitMs: 300 });
    expect(await pool.run(taskOf("hang"))).toMatchObject({
      kind: "failed",
      error: { code: "timed_out" },
    });
    expect((await pool.run(taskOf("fine"))).kind).toBe("result");
  });

  test("does not count time in which the process was stopped", async () => {
    pool = createBacktestPool({ worker: FAULTY, threads: 1, timeLimitMs: 1_000 });
    await pool.run(taskOf("fine"));
    const slow = pool.run(taskOf("slow")); // it takes 1.2 s
    await Promise.resolve();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
    expect((await slow).kind).toBe("result");
  });

  test("goes on when a thread ends after its task", async () => {
    pool = createBacktestPool({ worker: FAULTY, threads: 1 });
    for (let task = 0; task < 5; task++) {
      const { kind } = await pool.run(taskOf("late"));
      expect(["result", "lost"], "lost where the next task met the dying thread").toContain(kind);
    }
    while ((await pool.run(taskOf("fine"))).kind === "lost") continue;
  });

  test.each(["exit", "heap", "throw"])("survives a worker that ends by %s", async (fault) => {
    pool = createBacktestPool({ worker: FAULTY, threads: 1, heapLimitMb: 32 });
    expect((await pool.run(taskOf(fault))).kind).toBe("lost");
    expect((await pool.run(taskOf("fine"))).kind).toBe("result");
  });

  test("ends no thread that is loading, which can abort the process", async () => {
    const file = join(temporaryFolder("loading"), "loaded");
    process.env["HINDSIGHT_TEST_LOADED"] = file;
    pool = createBacktestPool({ worker: SLOW_TO_LOAD, threads: 2 });
    const run = pool.run(taskOf("ma_cross"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await pool.close();
    expect(readFileSync(file, "utf8")).toBe("loaded\n".repeat(2));
    await run;
  });
});
