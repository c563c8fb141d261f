import type { Redis } from "ioredis";
import type { AccountLoad } from "./account-load.ts";
import { UNITS_PER_RUN } from "./paid-accounts.ts";

interface StoredJob {
  readonly id: number;
  readonly account: string;
  readonly status: string;
  readonly attempt: number;
  readonly hasResult: boolean;
}

export interface Books {
  readonly faults: readonly string[];
  readonly lines: readonly string[];
}

/** Jobs of an account that are queued or running, as Redis counts them. */
export async function underWay(redis: Redis, loads: readonly AccountLoad[]): Promise<number[]> {
  return await Promise.all(loads.map(({ account }) => redis.zcard(`hs:jobs:open:${account.id}`)));
}

/** Compares what Redis holds with what the accounts were answered. */
export async function clusterBooks(redis: Redis, loads: readonly AccountLoad[]): Promise<Books> {
  const jobs = await storedJobs(redis);
  const faults = jobs
    .filter(({ status, hasResult }) => (status === "done") !== hasResult)
    .map(
      ({ id, status }) =>
        `job ${id} is ${status} and ${status === "done" ? "lacks" : "has"} a result`,
    );
  for (const key of await keysOf(redis, "hs:jobs:of:*")) faults.push(`${key} is still there`);
  for (const key of await keysOf(redis, "hs:jobs:queue:*")) faults.push(`${key} is still there`);
  const lines: string[] = [];
  for (const load of loads) {
    const own = jobs.filter(({ account }) => account === load.account.id);
    const used = await usedBy(redis, load.account.id);
    const page = pageOf(load, own, used);
    faults.push(...page.faults);
    lines.push(page.line);
  }
  const again = jobs.filter(({ attempt }) => attempt > 1);
  const most = Math.max(0, ...jobs.map(({ attempt }) => attempt));
  const failed = jobs.filter(({ status }) => status === "error").length;
  lines.push(
    `${jobs.length} jobs in the store, ${again.length} of them begun more than once (at most ${most} times), ${failed} ended in error`,
  );
  return { faults, lines };
}

function pageOf(
  { account, counts, jobs }: AccountLoad,
  own: readonly StoredJob[],
  used: number,
): { readonly faults: readonly string[]; readonly line: string } {
  const faults: string[] = [];
  const ids = new Set(own.map(({ id }) => id));
  for (const id of jobs) if (!ids.has(id)) faults.push(`accepted job ${id} is lost`);
  const untold = own.filter(({ id }) => !jobs.has(id)).length;
  if (untold > counts.submissionsLost) {
    faults.push(
      `${untold} jobs of ${account.id} were never answered for, and ${counts.submissionsLost} submissions had no answer`,
    );
  }
  const paid = own.filter(({ status }) => status !== "error").length * UNITS_PER_RUN;
  const reads = used - paid;
  const most = counts.reads + counts.readsLost;
  const line = `${account.id}: used ${used} = ${paid} for ${own.length} jobs (${untold} untold) + ${reads} reads; answered ${counts.reads} reads, without an answer ${counts.readsLost}`;
  if (reads < counts.reads || reads > most) faults.push(line);
  return { faults, line };
}

async function usedBy(redis: Redis, accountId: string): Promise<number> {
  const fields = await redis.hgetall(`hs:account:${accountId}`);
  return Object.entries(fields)
    .filter(([name]) => name.startsWith("used:"))
    .reduce((sum, [, value]) => sum + Number(value), 0);
}

async function storedJobs(redis: Redis): Promise<readonly StoredJob[]> {
  const keys = await keysOf(redis, "hs:job:*");
  return await Promise.all(
    keys.map(async (key) => {
      const [account, status, attempt] = await redis.hmget(key, "account", "status", "attempt");
      return {
        id: Number(key.slice("hs:job:".length)),
        account: account ?? "",
        status: status ?? "",
        attempt: Number(attempt),
        hasResult: (await redis.hexists(key, "result")) === 1,
      };
    }),
  );
}

async function keysOf(redis: Redis, pattern: string): Promise<readonly string[]> {
  const keys = new Set<string>();
  let cursor = "0";
  do {
    const [next, found] = await redis.scan(cursor, "MATCH", pattern, "COUNT", 1000);
    cursor = next;
    for (const key of found) keys.add(key);
  } while (cursor !== "0");
  return [...keys];
}
