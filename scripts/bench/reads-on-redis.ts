/** The cost of a read for the server and for Redis, where accounts are kept in Redis. */
import { RedisChild } from "../faults/redis-child.ts";
import { cpuMsOf } from "../support/child-processes.ts";
import { makeAccounts, storeIn } from "../support/made-accounts.ts";
import { measureLoad, writeRequests } from "./load.ts";
import { inRounds, spreadOf, type Bench } from "./part.ts";
import type { LoadRequest } from "./raw-request.ts";
import { startOurs } from "./servers.ts";

/** Few enough that several requests of a group share an account. */
const ACCOUNTS = 8;
/** Long enough to compile the code and to render the documentation on a thread. */
const WARM_SECONDS = 10;

/** Sends the paths of these requests with keys of accounts in a Redis of its own, and returns the figures as a line. */
export async function readsOnRedis(
  bench: Bench,
  requests: readonly LoadRequest[],
): Promise<string> {
  const redis = await RedisChild.start({ appendonly: "yes" });
  const store = storeIn(bench.folder, redis.address);
  const accounts = await makeAccounts(store, "load", ACCOUNTS);
  const own = requests.map(({ path }, n) => ({ path, key: accounts[n % ACCOUNTS]!.key }));
  const requestsFile = writeRequests(bench.folder, "on-redis", own);
  const server = await startOurs(bench.snapshots, store);
  const measure = async (seconds: number) => {
    const before = cpuMsOf(redis.pid);
    const load = await measureLoad(server, { ...bench, seconds, requestsFile });
    if (load.failed > 0) throw new Error(`${load.failed} reads on Redis failed`);
    return { ...load, redisMicros: ((cpuMsOf(redis.pid) - before) * 1000) / load.requests };
  };
  await measure(WARM_SECONDS);
  const loads = await inRounds(bench, "reads on Redis", () => measure(bench.seconds));
  await server.stop();
  await redis.remove();
  const [perSecond, server_us, redis_us] = [
    loads.map((load) => load.perSecond),
    loads.map((load) => load.cpuMicros),
    loads.map((load) => load.redisMicros),
  ].map((values) => spreadOf(values).median);
  return `GET /signals?coin on Redis, ${ACCOUNTS} accounts: ${Math.round(perSecond!)}/s; CPU a request: server ${server_us!.toFixed(1)} us, Redis ${redis_us!.toFixed(1)} us.`;
}
