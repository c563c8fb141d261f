/** The p99 of one account's reads at a steady rate, alone and beside a thousand backtests of twenty others. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { readManifest } from "../../snapshots/read-manifest.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import type { ChildServer } from "../support/child-server.ts";
import { runOpenLoop, type OpenLoopResult } from "./open-loop-run.ts";
import { spreadText, target, type Bench, type PartResult } from "./part.ts";
import { writeRequests } from "./raw-request.ts";
import { startOurs } from "./servers.ts";
import { ratioSpread, spreadOf } from "./spread.ts";
import { makeState } from "./state-file.ts";

const SUBMITTERS = 20;
const JOBS_EACH = 50;
const READS_PER_SECOND = 500;
const READ_CONNECTIONS = 16;
const SECONDS = 4;
const POLL_MS = 50;
const START_DATE = "2022-01-01";

export async function besideJobs(bench: Bench): Promise<PartResult> {
  const { coins } = await readManifest(await currentSnapshot(bench.snapshots));
  const ticker = coins[0]?.ticker ?? "";
  const state = await makeState(bench.folder, SUBMITTERS + 1);
  const [key = "", ...others] = state.keys;
  const path = `/v1/signals?coin=${ticker}`;
  const requestsFile = writeRequests(join(bench.folder, "reads"), [{ path, key }]);
  const server = await startOurs(bench.snapshots, state);
  const read = () =>
    runOpenLoop({
      port: server.port,
      requestsFile,
      perSecond: READS_PER_SECOND,
      warmSeconds: 0,
      seconds: SECONDS,
      connections: READ_CONNECTIONS,
      status: 200,
      sleeps: true,
    });
  const alone: OpenLoopResult[] = [];
  const beside: OpenLoopResult[] = [];
  const tookMs: number[] = [];
  try {
    await runJobs(server, others.slice(0, 1), ticker); // starts the threads
    for (let round = 1; round <= bench.rounds; round++) {
      bench.progress(`round ${round} of ${bench.rounds}: reads beside backtests`);
      alone.push(await read());
      const [reads, ms] = await Promise.all([read(), runJobs(server, others, ticker)]);
      beside.push(reads);
      tookMs.push(ms);
    }
  } finally {
    await server.stop();
  }
  return resultOf(alone, beside, tookMs);
}

/** Submits all jobs and waits until each is over; returns how long that took. */
async function runJobs(
  { origin }: ChildServer,
  keys: readonly string[],
  coin: string,
): Promise<number> {
  const startedMs = performance.now();
  await Promise.all(
    keys.map(async (key) => {
      for (let job = 0; job < JOBS_EACH; job++) {
        const strategy = CATALOGUE[job % CATALOGUE.length]!.name; // below its length
        const body = JSON.stringify({ strategy, coin, start_date: START_DATE });
        await answered(`${origin}/v1/backtests`, key, { method: "POST", body });
      }
    }),
  );
  for (const key of keys) {
    while ((await answered(`${origin}/v1/usage`, key)).backtests_running > 0) await sleep(POLL_MS);
  }
  return performance.now() - startedMs;
}

async function answered(
  url: string,
  key: string,
  init: RequestInit = {},
): Promise<{ readonly backtests_running: number }> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url, { ...init, headers });
  if (response.status === 200) {
    return ((await response.json()) as { data: { backtests_running: number } }).data;
  }
  throw new Error(`${url} was answered ${response.status}: ${await response.text()}`);
}

function resultOf(
  alone: readonly OpenLoopResult[],
  beside: readonly OpenLoopResult[],
  tookMs: readonly number[],
): PartResult {
  const p99 = (results: readonly OpenLoopResult[]) => results.map(({ p99_ms }) => p99_ms);
  const failed = [...alone, ...beside].reduce((sum, result) => sum + result.failed, 0);
  const jobs = SUBMITTERS * JOBS_EACH;
  const figures = {
    alone_p99_ms: spreadOf(p99(alone)),
    beside_p99_ms: spreadOf(p99(beside)),
    times: ratioSpread(p99(beside), p99(alone)),
    jobs_seconds: spreadOf(tookMs.map((ms) => ms / 1000)),
    failed,
  };
  return {
    title: `Reads beside ${jobs} backtests: ${READS_PER_SECOND} reads/s, p99 in milliseconds`,
    columns: ["", "alone", "beside", "times", "all jobs over, s"],
    rows: [
      [
        "GET /signals?coin",
        spreadText(figures.alone_p99_ms),
        spreadText(figures.beside_p99_ms),
        spreadText(figures.times),
        spreadText(figures.jobs_seconds),
      ],
    ],
    notes: [`Reads last ${SECONDS} s. The clients run on this machine too.`],
    targets: [
      target("p99 beside backtests, times that alone", { below: 4 }, figures.times.median),
      target("p99 beside backtests, ms", { below: 5 }, figures.beside_p99_ms.median),
      target("reads that failed", { below: 1 }, failed),
    ],
    figures,
  };
}
