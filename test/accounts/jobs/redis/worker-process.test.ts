import { spawn, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { JobProcess } from "../../../support/job-bench.ts";
import type { Caller } from "../../../../accounts/accounts.ts";
import { acceptedId, submissionOf } from "../../../support/job-steps.ts";
import { RedisJobBench } from "../../../support/redis-job-bench.ts";
import { describeOnRedis, redisOfTests } from "../../../support/redis-server.ts";
import { memorySource, runSmall, smallMarket } from "../../../support/snapshot-market.ts";
import { HINDSIGHT } from "../../../support/built-script.ts";
import { parseMetrics } from "../../../support/scrape.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const JOBS = 10;
const DAYS = 1_500;
const STEP_MS = 1;
const END_LIMIT_MS = 40_000;

describeOnRedis("hindsight work", { timeout: 120_000 }, () => {
  const redis = redisOfTests();
  let bench: RedisJobBench;
  let snapshotId: string;
  const workers: ChildProcess[] = [];

  beforeAll(async () => {
    bench = await RedisJobBench.on(redis());
    // Long histories, so that a job takes long enough to be caught running.
    const source = memorySource(smallMarket(DAYS));
    const { dir } = await runSmall(bench.root, { source });
    snapshotId = basename(dir);
  });

  afterEach(() => {
    for (const worker of workers.splice(0)) worker.kill("SIGKILL");
  });

  afterAll(() => bench.close());

  /** Starts a worker, and resolves once it reports that it is working. */
  async function start(): Promise<ChildProcess> {
    const args = ["work", "--state", redis().address, "--snapshots", bench.root, "--threads", "1"];
    const worker = spawn(process.execPath, [HINDSIGHT, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    workers.push(worker);
    await new Promise((resolve) => worker.stdout.once("data", resolve));
    return worker;
  }

  async function submit(jobs: JobProcess, ann: Caller): Promise<number> {
    const submission = submissionOf(bench, ann);
    const request = { ...submission.request, coin: "aaa", startDay: 18_262 + 300 };
    return acceptedId(await jobs.submit({ ...submission, snapshotId, request }));
  }

  /** Stops a worker in the middle of a job, of which there are always `more`, and returns the job. */
  async function stopAtWork(worker: ChildProcess, more: () => Promise<void>): Promise<string> {
    const running = async () => {
      const [held] = await bench.client.keys("hs:jobs:of:*");
      return held === undefined ? undefined : (await bench.client.hkeys(held))[0];
    };
    for (;;) {
      if ((await running()) === undefined) {
        await more();
        continue;
      }
      worker.kill("SIGSTOP");
      await sleep(STEP_MS);
      const job = await running(); // what it had sent by then was carried out
      if (job !== undefined) return job;
      worker.kill("SIGCONT");
    }
  }

  async function allDone(jobs: JobProcess, who: Caller): Promise<void> {
    const giveUpAtMs = performance.now() + END_LIMIT_MS;
    const count = async () => await jobs.underWay(who.accountId);
    // On a busy machine, an answer may not come in the time that requests have.
    while ((await count().catch(() => JOBS)) > 0) {
      if (performance.now() > giveUpAtMs) throw new Error("jobs are still under way");
      await sleep(STEP_MS);
    }
  }

  /** Starts a worker on this folder of snapshots, and resolves with its log up to then and its metrics. */
  async function beginning(root: string) {
    const address = redis().address.replace("redis://", "redis://default:s3cret@");
    const places = ["--state", address, "--snapshots", root, "--metrics-port", "0"];
    const worker = spawn(process.execPath, [HINDSIGHT, "work", ...places]);
    workers.push(worker);
    let said = "";
    worker.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await vi.waitUntil(() => said.includes('"working on jobs"'), { timeout: 30_000 });
    const url = /"metrics":"(http:[^"]+)"/.exec(said)?.[1];
    return { said, numbers: parseMetrics(await (await fetch(url!)).text()) };
  }

  test("says where it works, without a password, and where its metrics are", async () => {
    const { said, numbers } = await beginning(bench.root);
    expect(said).toContain(`"state":"${redis().address}"`);
    expect(said).not.toContain("s3cret");
    expect(numbers.get('hindsight_jobs{state="queued"}')).toBe(0);
    expect(numbers.get("hindsight_snapshot_switches_total")).toBe(1);
  });

  test("waits for a snapshot that can be used, and says why it has none", async () => {
    const root = temporaryFolder("worker");
    writeFileSync(join(root, "CURRENT"), "?\n");
    const { said, numbers } = await beginning(root);
    expect(said).toMatch(
      /"snapshot":"CURRENT".*does not name a snapshot.*"a snapshot cannot be used"/,
    );
    expect(numbers.get("hindsight_snapshot_damaged_total")).toBe(1);
  });

  test("runs the jobs of a worker that was killed at work, each to one result", async () => {
    const jobs = await bench.process({ current: "" });
    const ann = await bench.caller("scale");
    const first = await start();
    const ids: number[] = [];
    for (let count = 0; count < JOBS; count++) ids.push(await submit(jobs, ann));
    const more = async () => {
      if ((await jobs.underWay(ann.accountId)) === 0) ids.push(await submit(jobs, ann));
    };
    const cut = Number(await stopAtWork(first, more));
    first.kill("SIGKILL");
    await start();
    await allDone(jobs, ann);
    const found = await Promise.all(ids.map(async (id) => jobs.find(id, ann.accountId)));
    expect(found.map((each) => each?.job.status)).toEqual(ids.map(() => "done"));
    expect(await bench.client.hget(`hs:job:${cut}`, "attempt")).toBe("2");
    expect(await bench.used(ann)).toBe(10 * ids.length);
    const results = found.map((each) => Buffer.from(each?.result ?? []).toString("base64"));
    expect(new Set(results).size, "the same request, the same bytes").toBe(1);
  });

  test("ends in order on SIGTERM, and leaves what waits to the next", async () => {
    const jobs = await bench.process({ current: "" });
    const ann = await bench.caller("scale");
    const leaving = await start();
    for (let count = 0; count < JOBS; count++) await submit(jobs, ann);
    leaving.kill("SIGTERM");
    const code = await new Promise((resolve) => leaving.once("exit", resolve));
    expect(code).toBe(0);
    expect(await bench.client.keys("hs:jobs:of:*")).toEqual([]);
    await start();
    await allDone(jobs, ann);
  });

  test("ends with exit 1 where no thread starts, to be started again", async () => {
    await submit(await bench.process({ current: "" }), await bench.caller("scale"));
    const preload = new URL("../../../support/no-job-threads.mjs", import.meta.url).href;
    const places = ["--state", redis().address, "--snapshots", bench.root];
    const args = ["--import", preload, HINDSIGHT, "work", ...places, "--metrics-port", "none"];
    const worker = spawn(process.execPath, args);
    workers.push(worker);
    let said = "";
    worker.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise((resolve) => worker.once("close", resolve));
    expect(said).toContain("the system starts no thread for backtests: raise its limit");
    expect(code).toBe(1);
  });

  test("leaves the jobs of a state file to its server, with exit 2", async () => {
    const worker = spawn(process.execPath, [HINDSIGHT, "work", "--state", "state/x.db"]);
    workers.push(worker);
    let said = "";
    worker.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    const code = await new Promise((resolve) => worker.once("close", resolve));
    expect(code).toBe(2);
    expect(said).toMatch(
      /^error: jobs of the state file "state\/x\.db" are run by the server itself/,
    );
  });
});
