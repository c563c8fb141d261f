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

/** How often the pool reports that it has no threads. */
async function refusalsWhere(start: typeof startPool): Promise<readonly string[]> {
  startPool = start;
  const refusals: unknown[] = [];
  const pool = createBacktestPool({
    worker: new URL("file:///none.js"),
    threads: 1,
    onNoThreads: (error) => refusals.push(error),
    log: { error: () => {} },
  });
  void pool.run(task);
  await until(() => refusals.length > 0);
  return refusals.map(String);
}

const REFUSED = ["Error: EAGAIN"];

describe("a pool whose threads the system refuses reports it", () => {
  test("when none can be started", async () => {
    const start = () => {
      throw refusal();
    };
    expect(await refusalsWhere(start)).toEqual(REFUSED);
  });

  test("when one is refused for a task", async () => {
    const start = (pool: EventEmitter) =>
      void Object.assign(pool, { run: () => Promise.reject(refusal()) });
    expect(await refusalsWhere(start)).toEqual(REFUSED);
  });

  test("when the last one is gone before it takes a task", async () => {
    const start = (pool: EventEmitter) => void setTimeout(() => pool.emit("error", refusal()), 5);
    expect(await refusalsWhere(start)).toEqual(REFUSED);
  });
});
