import { describe, expect, test } from "vitest";
import { CATALOGUE } from "../../../../quant/strategies/catalogue.ts";
import { packedTextOf, unpackText } from "../../../../server/jobs/packed-text.ts";
import type { BacktestPool } from "../../../../server/jobs/run/pool.ts";
import { packedReport } from "../../../../server/jobs/run/report.ts";
import type { BacktestTask } from "../../../../server/jobs/run/task.ts";
import { warmUp, warmUpTasks } from "../../../../server/jobs/run/warm-up.ts";
import { marketSnapshot } from "../../../support/server-market.ts";

const TASKS = warmUpTasks(marketSnapshot());

describe("the runs that warm the worker threads", () => {
  test("are one of each template, and such as can be run", () => {
    expect(TASKS.map(({ request }) => request.strategy)).toEqual(CATALOGUE.map(({ name }) => name));
    for (const task of TASKS) {
      const report = unpackText(packedTextOf(packedReport(task))).toString();
      expect((JSON.parse(report) as { days: number }).days).toBeGreaterThan(100);
    }
  });

  test("are none without a snapshot, or with one that has no coin", () => {
    expect(warmUpTasks(undefined)).toEqual([]);
    expect(warmUpTasks({ ...marketSnapshot(), coins: [] })).toEqual([]);
  });

  test("go to every thread, and end when there is a job", async () => {
    const ran: BacktestTask[] = [];
    const pool: BacktestPool = {
      threads: 3,
      run: (task) => {
        ran.push(task);
        return Promise.resolve({ kind: "lost", reason: "nothing comes of it" });
      },
      close: () => Promise.resolve(),
    };
    await warmUp(pool, TASKS, () => ran.length < 6);
    expect(ran).toEqual([0, 0, 0, 1, 1, 1].map((index) => TASKS[index]));
  });
});
