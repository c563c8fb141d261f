/**
 * Two servers and two workers on one Redis of their own, under load, while servers, workers and Redis are killed with
 * `kill -9`, stopped and started again at random. Then waits for every job and checks the books: usage is what was
 * answered (and at most what had no answer besides), each accepted job has ended once, with a result or a
 * refund, no account was over its cap, and no request waited longer than five seconds for anything.
 *
 *   node dist/scripts/faults/kill-cluster.js [--seconds 300] [--servers 2] [--workers 2] [--snapshots DIR] [--seed 1]
 *
 * Redis writes every change to the disk before it answers (`appendfsync always`), so that killing it loses nothing.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { hindsight } from "../smoke/service.ts";
import { AccountLoad, type LoadCounts } from "./account-load.ts";
import { clusterBooks, underWay } from "./cluster-books.ts";
import { Cluster } from "./cluster.ts";
import { PaidAccounts } from "./paid-accounts.ts";
import { RedisChild } from "./redis-child.ts";
import { TimedClient } from "./timed-client.ts";
import { scriptOptions } from "../script-options.ts";

const values = scriptOptions(import.meta.url, {
  seconds: { type: "string", default: "300" },
  servers: { type: "string", default: "2" },
  workers: { type: "string", default: "2" },
  snapshots: { type: "string" },
  seed: { type: "string", default: "1" },
});
const folder = mkdtempSync(join(tmpdir(), "hindsight-cluster-"));

const ACCOUNTS = 4;
const CONCURRENT_RUNS = 3;
const LANES = 4;
const HUNG_MS = 5_000;
const TROUBLE_MIN_MS = 300;
const TROUBLE_MAX_MS = 2_500;
const CAP_CHECK_MS = 200;
const END_LIMIT_MS = 60_000;
const NO_SERVER_PAUSE_MS = 20;

let state = Number(values.seed);
/** Lehmer's generator with the constant of Park and Miller: the same troubles for the same seed. */
function uniform(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

const client = new TimedClient(ACCOUNTS * LANES * Number(values.servers), HUNG_MS);
const faults: string[] = [];

/** Sends an account's requests to whichever server is there, one after the other. */
async function lane(load: AccountLoad, cluster: Cluster, goOn: () => boolean): Promise<void> {
  while (goOn()) {
    const origins = cluster.origins();
    const origin = origins[Math.floor(uniform() * origins.length)];
    if (origin !== undefined) await load.run(origin, goOn);
    await sleep(NO_SERVER_PAUSE_MS);
  }
}

async function watchCaps(
  redis: Redis,
  loads: readonly AccountLoad[],
  goOn: () => boolean,
): Promise<void> {
  while (goOn()) {
    await sleep(CAP_CHECK_MS);
    const counts = await underWay(redis, loads).catch(() => []); // Redis is away just now
    for (const count of counts) {
      if (count > CONCURRENT_RUNS) faults.push(`${count} jobs of an account are under way`);
    }
  }
}

async function loadInTrouble(
  cluster: Cluster,
  loads: readonly AccountLoad[],
  redis: Redis,
): Promise<void> {
  let loading = true;
  const goOn = () => loading;
  const lanes = loads.flatMap((load) =>
    Array.from({ length: LANES }, () => lane(load, cluster, goOn)),
  );
  lanes.push(watchCaps(redis, loads, goOn));
  const endMs = performance.now() + 1000 * Number(values.seconds);
  while (performance.now() < endMs) {
    await sleep(TROUBLE_MIN_MS + uniform() * (TROUBLE_MAX_MS - TROUBLE_MIN_MS));
    cluster.trouble();
  }
  loading = false;
  await cluster.calm();
  await Promise.all(lanes);
  if (cluster.problems.length > 0) throw new Error(cluster.problems.join("; "));
}

/** Waits until no job is queued or running; says how long that took. */
async function allEnded(redis: Redis, loads: readonly AccountLoad[]): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const counts = await underWay(redis, loads);
    if (counts.every((count) => count === 0)) return performance.now() - startedMs;
    if (performance.now() - startedMs > END_LIMIT_MS) throw new Error("jobs are still under way");
    await sleep(CAP_CHECK_MS);
  }
}

async function main(redis: RedisChild): Promise<void> {
  const snapshots = values.snapshots ?? join(folder, "snapshots");
  if (values.snapshots === undefined) {
    hindsight(["pipeline", "--source", "demo", "--out", snapshots, "--index-draws", "2"]);
  }
  const paid = new PaidAccounts(folder, CONCURRENT_RUNS, redis.address);
  const loads = (await paid.create(ACCOUNTS)).map(
    (account) => new AccountLoad({ account, client, uniform }),
  );
  const shared = ["--snapshots", snapshots, "--state", redis.address];
  const serveArgs = [
    ...shared,
    "--notes",
    join(folder, "notes"),
    "--plans",
    paid.plans,
    "--job-threads",
    "0",
    "--metrics-port",
    "none",
  ];
  const cluster = new Cluster({
    redis,
    servers: Number(values.servers),
    workers: Number(values.workers),
    serveArgs,
    workArgs: [...shared, "--threads", "1"],
    uniform,
  });
  const own = redis.client();
  own.on("error", () => {}); // it is killed now and then
  try {
    await cluster.start();
    await loadInTrouble(cluster, loads, own);
    const [origin = ""] = cluster.origins();
    for (const load of loads) await load.settle(origin);
    const endedMs = await allEnded(own, loads);
    const seen = new Map<string, string>();
    for (const load of loads) faults.push(...load.faults, ...(await load.check(origin, seen)));
    const books = await clusterBooks(own, loads);
    faults.push(...books.faults, ...client.hung);
    await cluster.end("SIGTERM");
    faults.push(...cluster.problems);
    report(cluster, loads, [...books.lines, `the last job ended ${Math.round(endedMs)} ms after`]);
  } finally {
    own.disconnect();
    await cluster.end("SIGKILL");
  }
}

function report(cluster: Cluster, loads: readonly AccountLoad[], lines: readonly string[]): void {
  const sum = (of: (counts: LoadCounts) => number) =>
    loads.reduce((total, { counts }) => total + of(counts), 0);
  const troubles = [...cluster.faultsDone].map(([what, times]) => `${what} ${times} times`);
  console.log(`${values.seconds} s: ${troubles.join(", ")}`);
  console.log(
    `${client.requests} requests, the slowest ${Math.round(client.slowestMs)} ms; ${sum((each) => each.reads)} reads, ${sum((each) => each.submitted)} submissions accepted, ${sum((each) => each.repeated)} repeats, ${sum((each) => each.overCap)} over the cap, ${sum((each) => each.unavailable)} answered 503, ${sum((each) => each.readsLost + each.submissionsLost)} answers lost`,
  );
  for (const line of lines) console.log(line);
  if (faults.length > 0) {
    for (const line of cluster.history) console.log(line);
    throw new Error(`${faults.length} faults\n  ${faults.slice(0, 20).join("\n  ")}`);
  }
  console.log("usage is what was answered, and every accepted job ended once");
}

let redis: RedisChild | undefined;
try {
  redis = await RedisChild.start({ appendonly: "yes", appendfsync: "always" });
  await main(redis);
} catch (error) {
  console.error(`failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  client.close();
  await redis?.remove();
  rmSync(folder, { recursive: true, force: true });
}
