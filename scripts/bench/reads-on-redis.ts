/** What a read costs the server and Redis, where accounts are kept in Redis. */
import { join } from "node:path";
import { openRedisAdmin } from "../../server/accounts/redis/redis-admin.ts";
import { readPlans } from "../../server/accounts/plans.ts";
import { RedisChild } from "../faults/redis-child.ts";
import { cpuMsOf } from "../support/child-processes.ts";
import { measureLoad } from "./measured-load.ts";
import { target, type Bench, type Target } from "./part.ts";
import { writeRequests, type LoadRequest } from "./raw-request.ts";
import { startOurs } from "./servers.ts";
import { spreadOf, type Spread } from "./spread.ts";
import type { BenchState } from "./state-file.ts";

/** So few that several requests of a group share an account. */
const ACCOUNTS = 8;

export interface ReadsOnRedis {
  readonly perSecond: Spread;
  readonly serverMicros: Spread;
  readonly redisMicros: Spread;
}

/** Sends the paths of these requests with keys of accounts in a Redis of its own. */
export async function readsOnRedis(
  bench: Bench,
  { plans }: Pick<BenchState, "plans">,
  requests: readonly LoadRequest[],
): Promise<ReadsOnRedis> {
  const redis = await RedisChild.start({ appendonly: "yes" });
  try {
    const keys = await makeAccounts(redis.address, plans);
    const own = requests.map(({ path }, index) => ({ path, key: keys[index % ACCOUNTS] ?? "" }));
    const requestsFile = writeRequests(join(bench.folder, "on-redis"), own);
    const server = await startOurs(bench.snapshots, { state: redis.address, plans });
    try {
      return await inRounds(bench, async (seconds) => {
        const before = cpuMsOf(redis.pid) ?? NaN;
        const load = await measureLoad(server, { ...bench, seconds, requestsFile });
        if (load.broken + load.status400 > 0) throw new Error("reads on Redis were refused");
        const redisMicros = ((cpuMsOf(redis.pid) ?? NaN) - before) * (1000 / load.requests);
        return [load.perSecond, load.cpuMicros, redisMicros];
      });
    } finally {
      await server.stop();
    }
  } finally {
    await redis.remove();
  }
}

export function lineOf({ perSecond, serverMicros, redisMicros }: ReadsOnRedis): string {
  const micros = (spread: Spread) => `${spread.median.toFixed(1)} us`;
  return `GET /signals?coin on Redis, ${ACCOUNTS} accounts: ${Math.round(perSecond.median)}/s; CPU a request: server ${micros(serverMicros)}, Redis ${micros(redisMicros)}.`;
}

export function redisTargetsOf({ serverMicros, redisMicros }: ReadsOnRedis): readonly Target[] {
  return [
    target("a read on Redis: us of CPU in the server", { below: 12 }, serverMicros.median),
    target("a read on Redis: us of CPU in Redis", { below: 4 }, redisMicros.median),
  ];
}

async function makeAccounts(address: string, file: string): Promise<readonly string[]> {
  const admin = await openRedisAdmin({ address, plans: readPlans(file), nowMs: Date.now });
  const keys: string[] = [];
  for (let n = 0; n < ACCOUNTS; n++) {
    const { key } = await admin.createAccount({ email: `load-${n}@example.com`, plan: "load" });
    keys.push(key);
  }
  await admin.close();
  return keys;
}

/** Round 0 warms up. */
async function inRounds(
  bench: Bench,
  measure: (seconds: number) => Promise<readonly [number, number, number]>,
): Promise<ReadsOnRedis> {
  const measured: (readonly [number, number, number])[] = [];
  for (let round = 0; round <= bench.rounds; round++) {
    bench.progress(`round ${round} of ${bench.rounds}: reads on Redis`);
    const figures = await measure(round === 0 ? 1 : bench.seconds);
    if (round > 0) measured.push(figures);
  }
  const column = (index: 0 | 1 | 2) => spreadOf(measured.map((figures) => figures[index]));
  return { perSecond: column(0), serverMicros: column(1), redisMicros: column(2) };
}
