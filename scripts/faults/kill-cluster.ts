/**
 * Two servers and two workers on one Redis, under load. At random, servers, workers and Redis are killed with
 * `kill -9`, or stopped for a while. Then waits for every job and audits the usage:
 *
 *   - usage is what was answered, plus at most the requests whose answer was lost
 *   - each accepted job has ended once, with a result or a refund, and no account was over its cap
 *   - no request took longer than two seconds, apart from stops of its own server
 *
 *   node dist/scripts/faults/kill-cluster.js [options]
 *
 *   --seconds N      how long the load goes on (default: 300)
 *   --servers N      servers (default: 2)
 *   --workers N      workers of backtests (default: 2)
 *   --snapshots DIR  folder of published snapshots (default: publishes a made-up market first, with a coin
 *                    whose backtests end in error)
 *   --seed TEXT      draws the faults; which comes when depends on the machine too (default: 1)
 *   --rate N         requests a second of all accounts, at most (default: 500)
 *
 * Starts a Redis of its own (`redis-server`), which writes every change to the disk before it answers
 * (`appendfsync always`), so that killing it loses nothing. Exits 1 if something did not hold.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { randomStream } from "../../pipeline/sources/random.ts";
import { serveArgs } from "../bench/servers.ts";
import { JsonClient, type SlowRequest } from "./json-client.ts";
import { AccountLoad, totalOf } from "./account-load.ts";
import { clusterAudit, underWay } from "./cluster-audit.ts";
import { Cluster } from "./cluster.ts";
import { RedisChild } from "./redis-child.ts";
import { snapshotsOrWild } from "./wild-market.ts";
import { makeAccounts, RUNS_AT_ONCE, storeIn } from "../support/made-accounts.ts";
import { ownFolder } from "../support/own-folder.ts";
import { positive, scriptOptions, whole } from "../support/script-options.ts";

const values = scriptOptions(import.meta.url, {
  seconds: { type: "string", default: "300" },
  servers: { type: "string", default: "2" },
  workers: { type: "string", default: "2" },
  snapshots: { type: "string" },
  seed: { type: "string", default: "1" },
  rate: { type: "string", default: "500" },
});
const seconds = positive("--seconds", values.seconds);
const servers = whole("--servers", values.servers);
const workers = whole("--workers", values.workers);
const perSecond = positive("--rate", values.rate);
const folder = ownFolder("cluster");
const hasWildCoin = values.snapshots === undefined;

const ACCOUNTS = 4;
const LANES = 4;
/** How long a request may take, apart from its server's stops. */
const HUNG_MS = 2_000;
const SLOW_TOLD_MAX = 5;
const TROUBLE_MIN_MS = 300;
const TROUBLE_MAX_MS = 2_500;
const CAP_CHECK_MS = 200;
const TELL_MS = 30_000;
const END_LIMIT_MS = 60_000;
const NO_SERVER_PAUSE_MS = 20;

/** Faults and loads draw in the order in which they get to it, so the same seed gives faults alike, not the same. */
const troubles = randomStream(`troubles:${values.seed}`);
const uniform = () => troubles.uniform();

const client = new JsonClient();
/** The pause that makes all lanes together reach the rate, at most. */
const PAUSE_MS = (1000 * ACCOUNTS * LANES) / perSecond;
const faults: string[] = [];
/** The most jobs of an account that were seen under way. If it stays 0, the look at the cap sees nothing. */
let underWayMost = 0;

/** Sends an account's requests, one after another, to whichever server is there. */
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
    const counts = await underWay(redis, loads).catch(() => []); // Redis is away at the moment
    underWayMost = Math.max(underWayMost, ...counts);
    for (const count of counts) {
      if (count > RUNS_AT_ONCE) faults.push(`${count} jobs of an account are under way`);
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
  const startedMs = performance.now();
  const endMs = startedMs + 1000 * seconds;
  const timer = setInterval(() => {
    const past = Math.round((performance.now() - startedMs) / 1000);
    console.log(`${past} s: ${client.requests} requests, ${client.slow.length} above a second`);
  }, TELL_MS);
  while (performance.now() < endMs) {
    await sleep(TROUBLE_MIN_MS + uniform() * (TROUBLE_MAX_MS - TROUBLE_MIN_MS));
    cluster.trouble();
  }
  loading = false;
  clearInterval(timer);
  await cluster.calm();
  await Promise.all(lanes);
  if (cluster.problems.length > 0) throw new Error(cluster.problems.join("; "));
}

/** Waits until no job is queued or running. */
async function allEnded(redis: Redis, loads: readonly AccountLoad[]): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const counts = await underWay(redis, loads);
    if (counts.every((count) => count === 0)) return;
    if (performance.now() - startedMs > END_LIMIT_MS) throw new Error("jobs are still under way");
    await sleep(CAP_CHECK_MS);
  }
}

async function main(redis: RedisChild): Promise<void> {
  const snapshots = await snapshotsOrWild(values.snapshots, folder);
  const store = storeIn(folder, redis.address);
  const loads = (await makeAccounts(store, "runs", ACCOUNTS)).map(
    (account) => new AccountLoad({ account, client, uniform, pauseMs: PAUSE_MS, hasWildCoin }),
  );
  const alone = ["--job-threads", "0", "--metrics-port", "none"];
  const where = ["--snapshots", snapshots, "--state", redis.address];
  const cluster = new Cluster({
    redis,
    servers,
    workers,
    serveArgs: [...serveArgs(snapshots, store), ...alone],
    workArgs: ["work", ...where, "--threads", "1"],
    uniform,
  });
  const own = redis.client();
  own.on("error", () => {}); // Redis is killed now and then
  try {
    await cluster.start();
    await loadInTrouble(cluster, loads, own);
    const lines = await closeBooks(cluster, loads, own);
    faults.push(...hung(cluster));
    await cluster.stop();
    faults.push(...cluster.problems);
    report(cluster, loads, [...lines, ...slowest(cluster)]);
  } finally {
    own.disconnect();
    await cluster.kill();
  }
}

/** Once everything is back: waits for the jobs and compares what each side has. */
async function closeBooks(
  cluster: Cluster,
  loads: readonly AccountLoad[],
  redis: Redis,
): Promise<readonly string[]> {
  const startedMs = performance.now();
  const tell = (what: string) => {
    console.log(`${Math.round(performance.now() - startedMs)} ms after the load: ${what}`);
  };
  const [origin = ""] = cluster.origins();
  await Promise.all(loads.map((load) => load.settle(origin)));
  if (hasWildCoin) await Promise.all(loads.map((load) => load.fail(origin)));
  tell("no submission's fate is open");
  await allEnded(redis, loads);
  tell("every job has ended");
  const seen = new Map<string, string>();
  for (const load of loads) {
    await load.readUsage(origin);
    await load.check(origin, seen);
    faults.push(...load.faults);
  }
  tell("every job was polled");
  const audit = await clusterAudit(redis, loads);
  faults.push(...audit.faults);
  return audit.lines;
}

/** How long a request took, not counting the time its server was stopped. */
function ownMs(cluster: Cluster, { origin, fromMs, toMs }: SlowRequest): number {
  return toMs - fromMs - cluster.stoppedMs(origin, fromMs, toMs);
}

function slowText(cluster: Cluster, request: SlowRequest): string {
  const { origin, path, fromMs, toMs } = request;
  const own = Math.round(ownMs(cluster, request));
  return `${path} of ${origin} took ${Math.round(toMs - fromMs)} ms, ${own} besides stops, from ${Math.round(fromMs)} on`;
}

function hung(cluster: Cluster): readonly string[] {
  const late = client.slow.filter((request) => ownMs(cluster, request) > HUNG_MS);
  return late.map((request) => slowText(cluster, request));
}

function slowest(cluster: Cluster): readonly string[] {
  const own = (request: SlowRequest) => ownMs(cluster, request);
  const slow = client.slow.toSorted((one, other) => own(other) - own(one));
  return slow.slice(0, SLOW_TOLD_MAX).map((request) => slowText(cluster, request));
}

function report(cluster: Cluster, loads: readonly AccountLoad[], lines: readonly string[]): void {
  const { counts, text } = totalOf(loads);
  const inflicted = [...cluster.faultsDone].map(([what, times]) => `${what} ${times} times`);
  console.log(`${seconds} s: ${inflicted.join(", ")}`);
  console.log(`${client.requests} requests, ${client.slow.length} of them above a second; ${text}`);
  for (const line of lines) console.log(line);
  if (faults.length > 0) {
    for (const line of cluster.history) console.log(line);
    throw new Error(`${faults.length} faults\n  ${faults.slice(0, 20).join("\n  ")}`);
  }
  const done = cluster.faultsDone.size > 0 && underWayMost > 0;
  if (!done || counts.reads === 0 || counts.submitted === 0) {
    throw new Error("no fault, no read or no job under way was seen, so little was tested");
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
  await redis?.remove();
}
