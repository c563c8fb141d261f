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
import { makeAccounts, RUNS_AT_ONCE, storeIn } from "../support/made-accounts.ts";
import { ownFolder } from "../support/own-folder.ts";
import { assertNone, main, positive, scriptOptions, whole } from "../support/script-options.ts";
import { AccountLoad } from "./account-load.ts";
import { Cluster } from "./cluster.ts";
import { JsonClient, type SlowRequest } from "./json-client.ts";
import { RedisChild } from "./redis-child.ts";
import { answersText, auditOf, settle } from "./usage-audit.ts";
import { snapshotsOrWild } from "./wild-market.ts";

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

const ACCOUNTS = 4;
const LANES = 4;
/** The pause between requests of a lane, with which all lanes together reach the rate at most. */
const PAUSE_MS = (1000 * ACCOUNTS * LANES) / perSecond;
/** How long a request may take, apart from its server's stops. */
const HUNG_MS = 2_000;
const SLOW_TOLD_MAX = 5;
const TROUBLE_MIN_MS = 300;
const TROUBLE_MAX_MS = 2_500;
const CAP_CHECK_MS = 200;
const TELL_MS = 30_000;
const NO_SERVER_PAUSE_MS = 20;
/** How many jobs are read at once. */
const JOBS_AT_ONCE = 200;

/**
 * Faults and loads draw from one generator in the order of events, so the same seed gives similar faults, not the
 * same.
 */
const troubles = randomStream(`troubles:${values.seed}`);
const uniform = () => troubles.uniform();

const client = new JsonClient();
const faults: string[] = [];
/** The most jobs of an account that were seen under way. If it stays 0, the caps were not tested. */
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

/** Watches how many jobs of each account are queued or running, as Redis counts them. */
async function watchCaps(
  redis: Redis,
  loads: readonly AccountLoad[],
  goOn: () => boolean,
): Promise<void> {
  while (goOn()) {
    await sleep(CAP_CHECK_MS);
    const counted = loads.map(({ account }) => redis.zcard(`hs:jobs:open:${account.id}`));
    const counts = await Promise.all(counted).catch(() => []); // Redis is away at the moment
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
  const timer = setInterval(() => {
    const past = Math.round((performance.now() - startedMs) / 1000);
    console.log(`${past} s: ${client.requests} requests, ${client.slow.length} above a second`);
  }, TELL_MS);
  while (performance.now() < startedMs + 1000 * seconds) {
    await sleep(TROUBLE_MIN_MS + uniform() * (TROUBLE_MAX_MS - TROUBLE_MIN_MS));
    cluster.trouble();
  }
  loading = false;
  clearInterval(timer);
  await cluster.calm();
  await Promise.all(lanes);
  if (cluster.problems.length > 0) throw new Error(cluster.problems.join("; "));
}

/** Looks at the jobs that Redis holds once all have ended. Returns a line about them. */
async function auditJobs(redis: Redis): Promise<string> {
  for (const pattern of ["hs:jobs:of:*", "hs:jobs:queue:*"]) {
    for (const key of await keysOf(redis, pattern)) faults.push(`${key} is still there`);
  }
  const keys = await keysOf(redis, "hs:job:*");
  let [again, most, failed] = [0, 0, 0];
  const look = async (key: string) => {
    const [status = "", attempt = ""] = await redis.hmget(key, "status", "attempt");
    const hasResult = (await redis.hstrlen(key, "result")) > 0;
    if ((status === "done") !== hasResult)
      faults.push(`${key} is ${status}, with a result: ${hasResult}`);
    if (Number(attempt) > 1) again++;
    most = Math.max(most, Number(attempt));
    if (status === "error") failed++;
  };
  for (let at = 0; at < keys.length; at += JOBS_AT_ONCE)
    await Promise.all(keys.slice(at, at + JOBS_AT_ONCE).map(look));
  return `${keys.length} jobs in the store, ${again} of them begun more than once (at most ${most} times), ${failed} ended in error`;
}

async function keysOf(redis: Redis, pattern: string): Promise<readonly string[]> {
  const keys = new Set<string>();
  for await (const found of redis.scanStream({ match: pattern, count: 1000 }))
    for (const key of found as string[]) keys.add(key);
  return [...keys];
}

/** The slowest requests, the hung ones among them as faults. The time that their server was stopped does not count. */
function slowestLines(cluster: Cluster): readonly string[] {
  const text = ({ origin, path, fromMs, toMs, ownMs }: SlowRequest & { readonly ownMs: number }) =>
    `${path} of ${origin} took ${Math.round(toMs - fromMs)} ms, ${Math.round(ownMs)} besides stops, from ${Math.round(fromMs)} on`;
  const slow = client.slow
    .map((request) => {
      const { origin, fromMs, toMs } = request;
      return { ...request, ownMs: toMs - fromMs - cluster.stoppedMs(origin, fromMs, toMs) };
    })
    .toSorted((one, other) => other.ownMs - one.ownMs);
  faults.push(...slow.filter(({ ownMs }) => ownMs > HUNG_MS).map(text));
  return slow.slice(0, SLOW_TOLD_MAX).map(text);
}

await main(async () => {
  const folder = ownFolder("cluster");
  const hasWildCoin = values.snapshots === undefined;
  const snapshots = await snapshotsOrWild(values.snapshots, folder);
  const redis = await RedisChild.start({ appendonly: "yes", appendfsync: "always" });
  const store = storeIn(folder, redis.address);
  const loads = (await makeAccounts(store, "runs", ACCOUNTS)).map(
    (account) => new AccountLoad({ account, client, uniform, pauseMs: PAUSE_MS, hasWildCoin }),
  );
  const where = ["--snapshots", snapshots, "--state", redis.address];
  const cluster = new Cluster({
    redis,
    servers,
    workers,
    serveArgs: [...serveArgs(snapshots, store), "--job-threads", "0", "--metrics-port", "none"],
    workArgs: ["work", ...where, "--threads", "1"],
    uniform,
  });
  const own = redis.client();
  own.on("error", () => {}); // Redis is killed now and then
  await cluster.start();
  await loadInTrouble(cluster, loads, own);
  await settle(loads, cluster.origins()[0]!, hasWildCoin); // all are back
  const audit = await auditOf(loads, store);
  const lines = [...audit.lines, await auditJobs(own), ...slowestLines(cluster)];
  await cluster.stop();
  faults.push(...audit.faults, ...cluster.problems);
  const inflicted = [...cluster.faultsDone].map(([what, times]) => `${what} ${times} times`);
  console.log(`${seconds} s: ${inflicted.join(", ")}`);
  console.log(
    `${client.requests} requests, ${client.slow.length} of them above a second; ${answersText(loads)}`,
  );
  for (const line of faults.length === 0 ? lines : [...lines, ...cluster.history])
    console.log(line);
  assertNone(faults);
  if (cluster.faultsDone.size === 0 || underWayMost === 0)
    throw new Error("no fault or no job under way was seen, so little was tested");
  console.log("usage is what was answered, and every accepted job ended once");
});
