import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Caller } from "../../../../server/accounts/accounts.ts";
import type { EmbeddedAccounts } from "../../../../server/accounts/sqlite/embedded-accounts.ts";
import { openEmbeddedHome } from "../../../../server/jobs/sqlite/embedded-home.ts";
import { JobDesk } from "../../../../server/jobs/job-desk.ts";
import type { JobHome } from "../../../../server/jobs/job-store.ts";
import { JobRunner } from "../../../../server/jobs/run/job-runner.ts";
import { unpackText } from "../../../../server/jobs/packed-text.ts";
import { AccountsFixture, callerOf } from "../../../support/accounts-fixture.ts";
import { holding } from "../../../support/held-snapshots.ts";
import { madeUpBars } from "../../../support/made-up-bars.ts";
import { until } from "../../../support/until.ts";

const FAULTY = new URL("../../../support/faulty-backtest-worker.mjs", import.meta.url);
/** From the build, because worker threads do not start from TypeScript. */
const WORKER = new URL("../../../../dist/server/jobs/run/worker.js", import.meta.url);
const DAY_MS = 86_400_000;
const bars = madeUpBars({ seed: 1, days: 400 });

let fixture: AccountsFixture;
let accounts: EmbeddedAccounts;
let ann: Caller;
let jobs: Jobs | undefined;

beforeEach(async () => {
  fixture = new AccountsFixture();
  accounts = fixture.server();
  ann = callerOf(accounts, (await fixture.account("scale")).key, fixture.clock.wallMs);
});

afterEach(async () => {
  await jobs?.close();
  await fixture.close();
});

type Retention = () => number | undefined;

/** A server and the process that runs its backtests, in one. */
interface Jobs {
  readonly desk: JobDesk;
  close(): Promise<void>;
}

function opened(worker: URL | undefined, retentionMs = fixture.clock.nowMs as Retention): Jobs {
  const { nowMs, monotonicMs } = fixture.clock;
  const report = (message: string) => {
    throw new Error(message);
  };
  const shared = { stateFile: fixture.file, monotonicMs, report };
  const runner =
    worker &&
    new JobRunner({
      home: openEmbeddedHome({ ...shared, accounts: undefined, snapshots: holding("s1") }),
      threads: 1,
      worker,
      market: (snapshotId) => Promise.resolve({ bars, snapshotId }),
      nowMs,
      retentionMs,
      report,
    });
  runner?.start();
  const home = openEmbeddedHome({ ...shared, accounts });
  const desk = new JobDesk({ home, wake: () => runner?.wake(), report });
  desk.start();
  jobs = {
    desk,
    async close() {
      await runner?.close();
      await desk.close();
    },
  };
  return jobs;
}

async function submit({ desk }: Jobs, strategy: string, idempotencyKey?: string) {
  const startDay = bars.day[250]!;
  const request = { strategy, coin: "btc", startDay, startingCashUsd: 10_000, variant: 1 };
  const source = { snapshotId: "s1", attribution: {}, idempotencyKey };
  const nowMs = fixture.clock.wallMs;
  const outcome = await desk.submit({ caller: ann, request, ...source, nowMs });
  if (!("jobId" in outcome)) throw new Error(outcome.kind);
  return outcome.jobId;
}

async function stateOf({ desk }: Jobs, id: number) {
  const found = await desk.find(id, ann.accountId);
  if (found === undefined) throw new Error("expected a job");
  return found;
}

async function reached(service: Jobs, id: number, status: string) {
  for (;;) {
    const found = await stateOf(service, id);
    if (found.job.status === status) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("who runs jobs looks at once when told that one waits, and warms its threads without one", async () => {
  let told = () => {};
  let claims = 0;
  const claim = () => void claims++;
  const home: Partial<JobHome> = {
    claim,
    recover: () => 0,
    prune: () => 0,
    onWork: (wake) => (told = wake),
    close: () => Promise.resolve(),
  };
  const warmUpTasks = vi.fn<() => []>(() => []);
  const runner = new JobRunner({
    home: home as JobHome,
    threads: 1,
    worker: WORKER,
    market: () => Promise.resolve(undefined),
    nowMs: fixture.clock.nowMs,
    retentionMs: fixture.clock.nowMs,
    report: () => {},
    warmUpTasks,
  });
  runner.start();
  await until(() => warmUpTasks.mock.calls.length > 0);
  const before = claims;
  told();
  await new Promise((resolve) => setImmediate(resolve));
  expect(claims).toBe(before + 1);
  await runner.close();
});

describe("jobs of a server", () => {
  test("are taken in, run, and found again by whoever opens the file next", async () => {
    const first = opened(WORKER);
    const ids = await Promise.all([1, 2, 3].map(() => submit(first, "ma_cross")));
    for (const id of ids) await reached(first, id, "done");
    await first.close();
    const next = opened(WORKER);
    const texts = await Promise.all(
      ids.map(async (id) => unpackText((await stateOf(next, id)).result!).toString()),
    );
    expect(new Set(texts).size, "the same bytes each time").toBe(1);
    expect(JSON.parse(texts[0]!)).toMatchObject({ days: 150, coin: "btc" });
  });

  test("do not hold up a server that stops: what hangs or waits is the next one's", async () => {
    const stopping = opened(FAULTY);
    const hanging = await submit(stopping, "hang");
    const waiting = await submit(stopping, "hang");
    await reached(stopping, hanging, "running");
    await stopping.close();
    const next = opened(FAULTY);
    for (const id of [hanging, waiting]) {
      expect(["queued", "running"]).toContain((await stateOf(next, id)).job.status);
    }
    expect(accounts.quota(ann, fixture.clock.wallMs).used).toBe(20);
  });

  test("are removed 30 days after their end, unless the clock is in doubt", async () => {
    const first = opened(WORKER);
    const id = await submit(first, "ma_cross");
    await reached(first, id, "done");
    await first.close();
    fixture.clock.wallMs += 30 * DAY_MS;
    const doubtful = opened(WORKER, () => undefined);
    await doubtful.close(); // after its first round
    const next = opened(undefined);
    expect((await stateOf(next, id)).job.status).toBe("done");
    await next.close();
    const sure = opened(WORKER);
    while ((await sure.desk.find(id, ann.accountId)) !== undefined) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  test("are left to other processes by one that runs none", async () => {
    const taking = opened(undefined);
    const id = await submit(taking, "ma_cross");
    expect((await stateOf(taking, id)).job.status).toBe("queued");
    await taking.close();
    const running = opened(WORKER);
    await reached(running, id, "done");
  });

  test("are one for a key, also when its repeats race each other and a restart", async () => {
    const first = opened(WORKER);
    const ids = await Promise.all(Array.from({ length: 5 }, () => submit(first, "ma_cross", "k")));
    await first.close();
    ids.push(await submit(opened(WORKER), "ma_cross", "k"));
    expect(new Set(ids).size).toBe(1);
    expect(accounts.quota(ann, fixture.clock.wallMs).used).toBe(10);
  });
});
