import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "../../../../server/accounts/accounts.ts";
import type { JobRunStore } from "../../../../server/jobs/job-store.ts";
import { JobRunner } from "../../../../server/jobs/run/job-runner.ts";
import { acceptedId, DAY_MS, REQUEST, submissionOf } from "../../../support/job-steps.ts";
import { madeUpBars } from "../../../support/made-up-bars.ts";
import { SqliteJobBench } from "../../../support/sqlite-job-bench.ts";

const FAULTY = new URL("../../../support/faulty-backtest-worker.mjs", import.meta.url);
/** From the build, because worker threads do not start from TypeScript. */
const WORKER = new URL("../../../../dist/server/jobs/run/worker.js", import.meta.url);
const bars = madeUpBars({ seed: 1, days: 400 });

let bench: SqliteJobBench;
let ann: Caller;
const runners: JobRunner[] = [];

beforeEach(async () => {
  bench = new SqliteJobBench();
  ann = await bench.caller("scale");
});
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.close();
  await bench.close();
});

function started(worker: URL, store: JobRunStore = bench.process()): JobRunner {
  const runner = new JobRunner({
    store,
    threads: 1,
    worker,
    market: (snapshotId) => Promise.resolve({ bars, snapshotId }),
    nowMs: bench.clock.nowMs,
    onNoThreads: () => expect.unreachable("the system starts threads"),
    log: {
      error: (_: object, message: string) => {
        throw new Error(message);
      },
    },
  });
  runners.push(runner);
  runner.start();
  return runner;
}

async function submit(strategy: string): Promise<number> {
  const request = { ...REQUEST, strategy, startDay: bars.day[250]! };
  return acceptedId(await bench.jobs.submit({ ...submissionOf(bench, ann), request }));
}

const found = (id: number) => bench.jobs.find(id, ann.accountId);

async function reached(id: number, status: string | undefined) {
  while (found(id)?.job.status !== status) await new Promise((resolve) => setImmediate(resolve));
  return found(id);
}

test("a runner looks at once when it hears of a job from elsewhere", async () => {
  let heard = () => {};
  let claims = 0;
  const store: Partial<JobRunStore> = {
    claim: () => void claims++,
    recover: () => 0,
    prune: () => 0,
    onWork: (wake) => (heard = wake),
    close: () => {},
  };
  started(WORKER, store as JobRunStore);
  await new Promise((resolve) => setImmediate(resolve));
  const before = claims;
  heard();
  await new Promise((resolve) => setImmediate(resolve));
  expect(claims).toBe(before + 1);
});

describe("jobs of a server", () => {
  test("are run, those first that wait already, and have the same bytes each time", async () => {
    const ids = [await submit("ma_cross"), await submit("ma_cross")];
    const runner = started(WORKER);
    await reached(ids[1]!, "done");
    ids.push(await submit("ma_cross"));
    runner.wake();
    await reached(ids[2]!, "done");
    const texts = ids.map((id) => gunzipSync(found(id)!.result!).toString());
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(texts[0]!)).toMatchObject({ days: 150, coin: "btc" });
  });

  test("do not hold up a server that stops: what hangs or waits is the next one's", async () => {
    const [hanging, waiting] = [await submit("hang"), await submit("hang")];
    const runner = started(FAULTY);
    await reached(hanging, "running");
    await runner.close();
    expect(found(hanging)?.job.status).toBe("running");
    expect(found(waiting)?.job.status).toBe("queued");
    bench.jobs.requeue();
    expect(bench.used(ann)).toBe(20);
  });

  test("are removed 30 days after their end", async () => {
    const id = await submit("ma_cross");
    const first = started(WORKER);
    await reached(id, "done");
    await first.close();
    bench.clock.pass(30 * DAY_MS);
    started(WORKER);
    expect(await reached(id, undefined)).toBeUndefined();
  });
});
