import { EventEmitter } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { createBacktestPool } from "../../../../server/jobs/run/pool.ts";
import { madeUpBars } from "../../../support/made-up-bars.ts";
import { until } from "../../../support/until.ts";

/** What Node says where the system starts no more threads. */
const refusal = () => Object.assign(new Error("EAGAIN"), { code: "ERR_WORKER_INIT_FAILED" });

let startPool: (pool: EventEmitter) => void = () => {};

/** Piscina as it behaves where threads are refused: at its start, at a task, or after it was given one. */
vi.mock("piscina", () => ({
  Piscina: class extends EventEmitter {
    threads: unknown[] = [];
    run: () => Promise<unknown> = () =>
      new Promise((_, reject) => {
        this.once("destroyed", reject);
      });
    destroy = () => void this.emit("destroyed", new Error("Terminating worker thread"));
    constructor() {
      super();
      startPool(this);
    }
  },
}));

const bars = madeUpBars({ seed: 1, days: 10 });
const request = { strategy: "ma_cross", coin: "btc", startDay: bars.day[5]!, variant: 1 };
const task = { bars, snapshotId: "s1", request: { ...request, startingCashUsd: 1 } };

/** The outcome of a task once the pool is closed, and how often the pool said that it has no threads. */
async function outcomeWhere(start: typeof startPool) {
  startPool = start;
  const refusals: unknown[] = [];
  const pool = createBacktestPool({
    worker: new URL("file:///none.js"),
    threads: 1,
    onNoThreads: (error) => refusals.push(error),
  });
  const outcomes = [pool.run(task), pool.run(task)];
  await until(() => refusals.length > 0);
  const early = await Promise.race([...outcomes, Promise.resolve("none yet")]);
  await pool.close();
  return { early, outcomes: await Promise.all(outcomes), refusals: refusals.map(String) };
}

const TOLD_ONCE = {
  early: "none yet",
  outcomes: [{ kind: "lost" }, { kind: "lost" }],
  refusals: ["Error: EAGAIN"],
};

describe("a pool whose threads the system refuses says so once, and keeps its tasks until it is closed", () => {
  test("when none can be started", async () => {
    const start = () => {
      throw refusal();
    };
    expect(await outcomeWhere(start)).toMatchObject(TOLD_ONCE);
  });

  test("when one is refused for a task", async () => {
    const start = (pool: EventEmitter) => {
      const destroy = () => {
        throw new Error("Piscina holds tasks whose failure nobody hears");
      };
      Object.assign(pool, { run: () => Promise.reject(refusal()), destroy });
    };
    expect(await outcomeWhere(start)).toMatchObject(TOLD_ONCE);
  });

  test("when the last one is gone before it takes a task", async () => {
    const start = (pool: EventEmitter) => void setTimeout(() => pool.emit("error", refusal()), 5);
    expect(await outcomeWhere(start)).toMatchObject(TOLD_ONCE);
  });
});
