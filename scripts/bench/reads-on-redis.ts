/** What a read costs the server and Redis, where accounts are kept in Redis. */
import { join } from "node:path";
import { RedisChild } from "../faults/redis-child.ts";
import { cpuMsOf } from "../support/child-processes.ts";
import type { ChildServer } from "../support/child-server.ts";
import { makeAccounts, storeIn } from "../support/made-accounts.ts";
import { measureLoad, type MeasuredLoad } from "./load.ts";
import type { Bench } from "./part.ts";
import { writeRequests, type LoadRequest } from "./raw-request.ts";
import { startOurs } from "./servers.ts";
import { spreadOf, type Spread } from "./spread.ts";

/** So few that several requests of a group share an account. */
const ACCOUNTS = 8;
/** Until its code is compiled, and a thread of it has rendered the documentation. */
const WARM_SECONDS = 10;

interface ReadsOnRedis {
  readonly perSecond: Spread;
  readonly serverMicros: Spread;
  readonly redisMicros: Spread;
}

/** Sends the paths of these requests with keys of accounts in a Redis of its own. Round 0 warms up. */
export async function readsOnRedis(
  bench: Bench,
  requests: readonly LoadRequest[],
): Promise<ReadsOnRedis> {
  const redis = await RedisChild.start({ appendonly: "yes" });
  let server: ChildServer | undefined;
  try {
    const store = storeIn(bench.folder, redis.address);
    const accounts = await makeAccounts(store, "load", ACCOUNTS);
    const own = requests.map(({ path }, n) => ({ path, key: accounts[n % ACCOUNTS]!.key }));
    const requestsFile = writeRequests(join(bench.folder, "on-redis"), own);
    server = await startOurs(bench.snapshots, store);
    const measured: (MeasuredLoad & { readonly redisMicros: number })[] = [];
    for (let round = 0; round <= bench.rounds; round++) {
      bench.progress(`round ${round} of ${bench.rounds}: reads on Redis`);
      const before = cpuMsOf(redis.pid);
      const seconds = round === 0 ? WARM_SECONDS : bench.seconds;
      const load = await measureLoad(server, { ...bench, seconds, requestsFile });
      if (load.failed > 0) throw new Error(`${load.failed} reads on Redis failed`);
      const redisMicros = ((cpuMsOf(redis.pid) - before) * 1000) / load.requests;
      if (round > 0) measured.push({ ...load, redisMicros });
    }
    return {
      perSecond: spreadOf(measured.map(({ perSecond }) => perSecond)),
      serverMicros: spreadOf(measured.map(({ cpuMicros }) => cpuMicros)),
      redisMicros: spreadOf(measured.map(({ redisMicros }) => redisMicros)),
    };
  } finally {
    await server?.stop();
    await redis.remove();
  }
}

export function lineOf({ perSecond, serverMicros, redisMicros }: ReadsOnRedis): string {
  const micros = (spread: Spread) => `${spread.median.toFixed(1)} us`;
  return `GET /signals?coin on Redis, ${ACCOUNTS} accounts: ${Math.round(perSecond.median)}/s; CPU a request: server ${micros(serverMicros)}, Redis ${micros(redisMicros)}.`;
}
