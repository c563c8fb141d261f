/**
 * A thousand backtests of twenty accounts while reads run at a fixed rate: every job has to end in `done`. Prints how
 * much slower reads get, jobs a second, how long jobs waited for their turn, how evenly accounts were served, and how
 * long a job takes from acceptance to `done` on an idle server.
 *
 *   node dist/scripts/faults/jobs-load.js [--snapshots DIR] [--jobs 1000] [--accounts 20] [--reads 500] [--seconds 10]
 *
 * Everything runs on this machine, the reader included: with few cores it competes with the server.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { hindsight } from "../smoke/service.ts";
import { JsonClient } from "./json-client.ts";
import { PaidAccounts, type PaidAccount } from "./paid-accounts.ts";
import { ServerChild } from "./server-child.ts";
import type { SteadyReadsOptions } from "./steady-reads.ts";

const { values } = parseArgs({
  options: {
    snapshots: { type: "string" },
    jobs: { type: "string", default: "1000" },
    accounts: { type: "string", default: "20" },
    reads: { type: "string", default: "500" },
    seconds: { type: "string", default: "10" },
  },
});
const jobsTotal = Number(values.jobs);
const accountsTotal = Number(values.accounts);
const folder = mkdtempSync(join(tmpdir(), "hindsight-load-"));
const IDLE_JOBS = 100;
const IDLE_POLL_MS = 2;
const POLL_MS = 250;
const CONNECTIONS_PER_ACCOUNT = 2;
const END_LIMIT_MS = 300_000;
const SECOND_MS = 1000;

interface EndedJob {
  readonly account: PaidAccount;
  readonly waitedMs: number;
  readonly finishedMs: number;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function share(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

function ascending(numbers: readonly number[]): readonly number[] {
  return [...numbers].sort((one, other) => one - other);
}

function inMs(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
}

const client = new JsonClient(accountsTotal * CONNECTIONS_PER_ACCOUNT);

/** Every template, variant and start in turn, so that no two jobs near each other are alike. */
function requestOf(index: number): object {
  return {
    strategy: CATALOGUE[index % CATALOGUE.length]?.name,
    coin: ["btc", "eth", "bnb", "sol"][index % 4],
    start_date: `202${1 + (index % 3)}-0${1 + (index % 9)}-15`,
    variant: 1 + (index % 13),
  };
}

async function submit(origin: string, { key }: PaidAccount, index: number): Promise<string> {
  const body = requestOf(index);
  const answer = await client.send({ origin, path: "/v1/backtests", key, body });
  if (answer.status === 200) return `/v1/backtests/${answer.body.data.job_id}`;
  throw new Error(`a submission was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** Asks for a job until it is over. */
async function ended(origin: string, path: string, key: string, everyMs: number) {
  const giveUpAt = Date.now() + END_LIMIT_MS;
  while (Date.now() < giveUpAt) {
    const { status, body } = await client.send({ origin, path, key, gzip: true });
    if (status !== 200) throw new Error(`a poll was answered ${status}`);
    if (body.data.status === "done") return body.data;
    if (body.data.status === "error") throw new Error(JSON.stringify(body.data.error));
    await sleep(everyMs);
  }
  throw new Error(`a job did not end within ${END_LIMIT_MS / SECOND_MS} s`);
}

/** One job at a time on a server that does nothing else. */
async function idle(origin: string, account: PaidAccount): Promise<readonly number[]> {
  const took: number[] = [];
  for (let job = 0; job < IDLE_JOBS; job++) {
    const path = await submit(origin, account, job);
    const acceptedMs = performance.now();
    await ended(origin, path, account.key, IDLE_POLL_MS);
    took.push(performance.now() - acceptedMs);
  }
  return took;
}

/** One account's jobs, all submitted at once. */
async function submitAll(origin: string, account: PaidAccount, count: number) {
  const paths = await Promise.all(
    Array.from({ length: count }, (_, index) => submit(origin, account, index)),
  );
  return { account, paths };
}

/** Asks for one account's jobs, one after the other, until they are over. */
async function endedAll(
  origin: string,
  { account, paths }: Awaited<ReturnType<typeof submitAll>>,
): Promise<EndedJob[]> {
  const jobs: EndedJob[] = [];
  for (const path of paths) {
    const data = await ended(origin, path, account.key, POLL_MS);
    const waitedMs = Date.parse(data.started_at) - Date.parse(data.created_at);
    jobs.push({ account, waitedMs, finishedMs: Date.parse(data.finished_at) });
  }
  return jobs;
}

class SteadyReads {
  readonly #thread: Worker;

  constructor(workerData: SteadyReadsOptions) {
    this.#thread = new Worker(new URL("steady-reads.js", import.meta.url), { workerData });
  }

  /** Times of the reads since the last call. */
  async times(word: "report" | "end" = "report"): Promise<readonly number[]> {
    const reply = new Promise<{ took: number[]; failed: number }>((resolve) => {
      this.#thread.once("message", resolve);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#thread.postMessage(word);
    const { took, failed } = await reply;
    if (failed > 0) throw new Error(`${failed} reads failed`);
    return ascending(took);
  }
}

function printReads(name: string, sorted: readonly number[]): void {
  const [p50, p99] = [share(sorted, 0.5), share(sorted, 0.99)];
  print(`reads ${name}: ${sorted.length}, p50 ${inMs(p50)}, p99 ${inMs(p99)}`);
}

function printJobs(jobs: readonly EndedJob[], wallMs: number): void {
  const waited = ascending(jobs.map((job) => job.waitedMs));
  print(
    `${jobs.length} jobs done, ${((jobs.length * SECOND_MS) / wallMs).toFixed(0)} a second; waiting for a turn: p50 ${inMs(share(waited, 0.5))}, p99 ${inMs(share(waited, 0.99))}, max ${inMs(share(waited, 1))}`,
  );
  const means: number[] = [];
  const ends: number[] = [];
  for (const account of new Set(jobs.map((job) => job.account))) {
    const own = jobs.filter((job) => job.account === account);
    means.push(own.reduce((sum, job) => sum + job.waitedMs, 0) / own.length);
    ends.push(Math.max(...own.map((job) => job.finishedMs)));
  }
  const sorted = ascending(means);
  print(
    `accounts: mean wait from ${inMs(sorted[0] ?? NaN)} to ${inMs(share(sorted, 1))}; the last jobs of all ended within ${inMs(Math.max(...ends) - Math.min(...ends))}`,
  );
}

async function measure(server: ServerChild, accounts: readonly PaidAccount[]): Promise<void> {
  const [reader, ...rest] = accounts;
  if (reader === undefined || rest[0] === undefined) throw new Error("too few accounts");
  const { origin } = server;
  const idleMs = await idle(origin, rest[0]);
  const sorted = ascending(idleMs);
  print(
    `idle, from acceptance to done: first ${inMs(idleMs[0] ?? NaN)}, median ${inMs(share(sorted, 0.5))}, p99 ${inMs(share(sorted, 0.99))}`,
  );
  const reads = new SteadyReads({ origin, key: reader.key, perSecond: Number(values.reads) });
  await sleep(2 * SECOND_MS); // the reader's and the server's code is compiled by then
  await reads.times();
  await sleep(Number(values.seconds) * SECOND_MS);
  const without = await reads.times();
  const startedMs = performance.now();
  const share99 = share(without, 0.99);
  const each = Math.ceil(jobsTotal / rest.length);
  // The side that submits gives way to the server and to the thread that measures (a thread's own on Linux).
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const submitted = await Promise.all(rest.map((account) => submitAll(origin, account, each)));
  const whileSubmitted = await reads.times();
  const jobs = (await Promise.all(submitted.map((own) => endedAll(origin, own)))).flat();
  const wallMs = performance.now() - startedMs;
  const whileRun = await reads.times("end");
  const during = ascending([...whileSubmitted, ...whileRun]);
  printReads("without jobs", without);
  printReads("while all jobs are submitted at once", whileSubmitted);
  printReads("while jobs run and are asked for", whileRun);
  print(
    `reads' p99 with jobs is ${(share(during, 0.99) / share99).toFixed(2)} times that without; behind the submissions ${(share(whileRun, 0.99) / share99).toFixed(2)} times`,
  );
  printJobs(jobs, wallMs);
}

let server: ServerChild | undefined;
try {
  const snapshots = values.snapshots ?? join(folder, "snapshots");
  if (values.snapshots === undefined) {
    hindsight(["pipeline", "--source", "demo", "--out", snapshots, "--index-draws", "2"]);
  }
  const paid = new PaidAccounts(folder, jobsTotal);
  const accounts = await paid.create(accountsTotal + 1);
  const args = ["--snapshots", snapshots, "--state", paid.state, "--plans", paid.plans];
  server = await ServerChild.start(args);
  await measure(server, accounts);
  const end = await server.end("SIGTERM");
  if (end !== 0) throw new Error(`the server ended with ${String(end)}`);
} catch (error) {
  process.stderr.write(`failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  client.close();
  await server?.end("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
