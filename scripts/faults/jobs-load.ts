/**
 * A thousand backtests of twenty accounts while another account reads. Every job has to end in `done`. Prints how much
 * slower reads get, at a steady rate and as fast as they are answered; jobs a second, how long jobs waited for their
 * turn and how evenly accounts were served; the server's memory; and how long a job takes on an idle server.
 *
 *   node dist/scripts/faults/jobs-load.js [options]
 *
 *   --snapshots DIR  folder of published snapshots (default: publishes the demo market first)
 *   --jobs N         jobs of each round (default: 1000)
 *   --accounts N     accounts that submit them (default: 20)
 *   --reads N        reads a second at the steady rate (default: 500)
 *   --seconds N      length of each measurement (default: 4)
 *   --rounds N       measurements with jobs and without (default: 3)
 *   --only LOAD      steady or full: only one of the two ways of reading
 *   --job-threads N  backtests that the server runs at once (default: one per core)
 *
 * Reading as fast as possible needs `wrk`; without it that part is left out. The clients run on this machine too:
 * where there are few cores they compete with the server. Exits 1 if a job or a read failed.
 */
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { serveArgs } from "../bench/servers.ts";
import { spreadText } from "../bench/part.ts";
import { percentile, ratioSpread, spreadOf } from "../bench/spread.ts";
import { childrenOf, residentBytesOf } from "../support/child-processes.ts";
import { startHindsight, type ChildServer } from "../support/child-server.ts";
import { snapshotsOrDemo } from "../support/demo-snapshots.ts";
import type { JobCrowdOptions, JobCrowdResult } from "./job-crowd.ts";
import { PaidAccounts, type PaidAccount } from "./paid-accounts.ts";
import { ended, submit } from "./raw-jobs.ts";
import { RawConnection } from "../bench/raw-connection.ts";
import { readLoads, type ReadLoad } from "./read-loads.ts";
import { ownFolder } from "../support/own-folder.ts";
import { oneOf, positive, scriptOptions, whole } from "../support/script-options.ts";
import { writeRequests } from "../bench/raw-request.ts";

const values = scriptOptions(import.meta.url, {
  snapshots: { type: "string" },
  jobs: { type: "string", default: "1000" },
  accounts: { type: "string", default: "20" },
  reads: { type: "string", default: "500" },
  seconds: { type: "string", default: "4" },
  rounds: { type: "string", default: "3" },
  only: { type: "string" },
  "job-threads": { type: "string" },
});
const jobsTotal = whole("--jobs", values.jobs);
const accountsTotal = whole("--accounts", values.accounts);
const readsPerSecond = positive("--reads", values.reads);
const seconds = positive("--seconds", values.seconds);
const rounds = whole("--rounds", values.rounds);
const only = values.only && oneOf("--only", values.only, ["steady", "full"]);
const folder = ownFolder("load");
const PATH = "/v1/signals?coin=btc";
const IDLE_JOBS = 100;
const IDLE_POLL_MS = 1;
/** The backtest threads are warmed after a server's start. */
const WARM_UP_MS = 1_500;
const MIB = 2 ** 20;

function inMib(bytes = 0): string {
  return `${Math.round(bytes / MIB)} MiB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function ascending(numbers: readonly number[]): Float64Array {
  return Float64Array.from(numbers).sort();
}

function inMs(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
}

/** One job at a time on an otherwise idle server; the first as soon as the server listens. */
async function idle(port: number, { key }: PaidAccount): Promise<void> {
  const connection = await RawConnection.open(port);
  const took: number[] = [];
  for (let job = 0; job < IDLE_JOBS; job++) {
    const poll = await submit(connection, key, job);
    const acceptedMs = performance.now();
    await ended(connection, poll, IDLE_POLL_MS);
    took.push(performance.now() - acceptedMs);
    if (job === 0) await sleep(WARM_UP_MS);
  }
  connection.close();
  const [first = NaN, ...others] = took;
  const sorted = ascending(others);
  print(
    `idle, from acceptance to done: first after the start ${inMs(first)}, later median ${inMs(percentile(sorted, 0.5))}, p99 ${inMs(percentile(sorted, 0.99))}`,
  );
}

/** The thread that runs jobs beside the reads. */
class Crowd {
  readonly #thread: Worker;

  constructor(workerData: JobCrowdOptions) {
    this.#thread = new Worker(new URL("job-crowd.js", import.meta.url), { workerData });
  }

  /** Submits all jobs at once; resolves when all are over. */
  run(): Promise<JobCrowdResult> {
    const over = once(this.#thread, "message").then(([result]) => result as JobCrowdResult);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#thread.postMessage("run");
    return over;
  }

  async end(): Promise<void> {
    await this.#thread.terminate();
  }
}

function printJobs(crowds: readonly JobCrowdResult[]): void {
  const all = crowds.flatMap(({ jobs }) => jobs.flat());
  const waited = ascending(all.map((job) => job.waitedMs));
  const perSecond = crowds.map(({ jobs, tookMs }) => (jobs.flat().length * 1000) / tookMs);
  const submitted = crowds.map(({ submittedMs }) => submittedMs);
  const last = (jobs: JobCrowdResult["jobs"][number]) =>
    Math.max(...jobs.map((job) => job.finishedMs));
  const apart = crowds.map(({ jobs }) => {
    const ends = jobs.map(last);
    return Math.max(...ends) - Math.min(...ends);
  });
  print(
    `  ${all.length} jobs done, ${spreadText(spreadOf(perSecond), 0)} a second, submitted within ${spreadText(spreadOf(submitted), 0)} ms; waiting for a turn: p50 ${inMs(percentile(waited, 0.5))}, p99 ${inMs(percentile(waited, 0.99))}, max ${inMs(percentile(waited, 1))}; accounts ended within ${inMs(Math.max(...apart))} of each other`,
  );
}

async function compare(load: ReadLoad, crowd: Crowd): Promise<void> {
  const without: number[] = [];
  const beside: number[] = [];
  const crowds: JobCrowdResult[] = [];
  for (let round = 0; round < rounds; round++) {
    without.push(await load.run(seconds));
    const [p99, jobs] = await Promise.all([load.run(seconds), crowd.run()]);
    beside.push(p99);
    crowds.push(jobs);
  }
  const alone = crowds.filter(({ tookMs }) => tookMs < seconds * 1000).length;
  print(
    `${load.name}: p99 ${spreadText(spreadOf(without))} ms without jobs, ${spreadText(spreadOf(beside))} ms beside them: ${spreadText(ratioSpread(beside, without))} times`,
  );
  printJobs(crowds);
  if (alone > 0) print(`  the jobs were over before the reads in ${alone} of ${rounds} rounds`);
}

async function measure(server: ChildServer, accounts: readonly PaidAccount[]): Promise<void> {
  const [reader, ...rest] = accounts;
  if (reader === undefined || rest[0] === undefined) throw new Error("too few accounts");
  const { key } = reader;
  await idle(server.port, rest[0]);
  const file = writeRequests(join(folder, "reads"), [{ path: PATH, key }]);
  const reads = { server, key, path: PATH, requestsFile: file, perSecond: readsPerSecond };
  const jobs = Math.ceil(jobsTotal / rest.length);
  const crowd = new Crowd({ port: server.port, keys: rest.map((each) => each.key), jobs });
  const loads = readLoads(reads).filter(
    ({ name }) => only === undefined || name.startsWith("full") === (only === "full"),
  );
  if (loads.length === 0) throw new Error("reading as fast as possible needs wrk");
  try {
    for (const load of loads) {
      await load.run(1); // warms up
      await compare(load, crowd);
      const [own, ...beside] = [server.pid, ...childrenOf(server.pid)].map(residentBytesOf);
      if (own !== undefined)
        print(`  memory: the server ${inMib(own)}, beside it ${beside.map(inMib).join(", ")}`);
    }
  } finally {
    await crowd.end();
  }
}

let server: ChildServer | undefined;
try {
  const snapshots = await snapshotsOrDemo(values.snapshots, folder);
  const paid = new PaidAccounts(folder, jobsTotal);
  const accounts = await paid.create(accountsTotal + 1);
  const threads = values["job-threads"];
  const args = serveArgs(snapshots, paid.state, paid.plans);
  if (threads !== undefined) args.push("--job-threads", threads);
  server = await startHindsight(args);
  await measure(server, accounts);
} catch (error) {
  process.stderr.write(`failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await server?.stop();
}
