/**
 * A thread that, when it is told to, submits the jobs of many accounts and polls them until all are over. It
 * is a separate thread so that it can give way to the server and to whatever measures the server (on Linux
 * each thread has a priority of its own).
 */
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { ended, submit, type EndedJob } from "./raw-jobs.ts";
import { RawConnection } from "../bench/raw-connection.ts";

export interface JobCrowdOptions {
  readonly port: number;
  /** One key per account. */
  readonly keys: readonly string[];
  /** Jobs per account. */
  readonly jobs: number;
}

/** The outcome of one crowd of jobs, in the order of the accounts. */
export interface JobCrowdResult {
  readonly tookMs: number;
  readonly submittedMs: number;
  readonly jobs: readonly (readonly EndedJob[])[];
}

const POLL_MS = 250;

const port = parentPort;
if (port === null) throw new Error("this file is a thread's");
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { port: server, keys, jobs } = workerData as JobCrowdOptions;
const accounts = await Promise.all(
  keys.map(async (key) => ({ key, connection: await RawConnection.open(server) })),
);

async function submitAll({ key, connection }: (typeof accounts)[number]) {
  const polls: string[] = [];
  for (let index = 0; index < jobs; index++) polls.push(await submit(connection, key, index));
  return { connection, polls };
}

/** Asks for one account's jobs, one after another, until they are over. */
async function endedAll({ connection, polls }: Awaited<ReturnType<typeof submitAll>>) {
  const over: EndedJob[] = [];
  for (const poll of polls) over.push(await ended(connection, poll, POLL_MS));
  return over;
}

port.on("message", () => {
  void run().then((result) => port.postMessage(result));
});

async function run(): Promise<JobCrowdResult> {
  const startedMs = performance.now();
  const submitted = await Promise.all(accounts.map(submitAll));
  const submittedMs = performance.now() - startedMs;
  const over = await Promise.all(submitted.map(endedAll));
  const tookMs = performance.now() - startedMs;
  return { tookMs, submittedMs, jobs: over };
}
