import type { Redis } from "ioredis";
import type { AccountLoad } from "./account-load.ts";
import { usageAudit } from "./usage-audit.ts";

/** How many jobs are read at once. */
const JOBS_AT_ONCE = 200;

/** How many jobs of the accounts are queued or running, as Redis counts them. */
export async function underWay(redis: Redis, loads: readonly AccountLoad[]): Promise<number[]> {
  return await Promise.all(loads.map(({ account }) => redis.zcard(`hs:jobs:open:${account.id}`)));
}

/** Compares what Redis holds with what the accounts were answered, whose jobs were all polled. */
export async function clusterAudit(redis: Redis, loads: readonly AccountLoad[]) {
  const jobs = await storedJobs(redis);
  const faults = jobs
    .filter(({ status, hasResult }) => (status === "done") !== hasResult)
    .map(({ key, status, hasResult }) => `${key} is ${status}, with a result: ${hasResult}`);
  const left = [
    ...(await keysOf(redis, "hs:jobs:of:*")),
    ...(await keysOf(redis, "hs:jobs:queue:*")),
  ];
  faults.push(...left.map((key) => `${key} is still there`));
  const lines: string[] = [];
  for (const load of loads) {
    const audit = usageAudit(load, await usedBy(redis, load.account.id));
    faults.push(...audit.faults);
    lines.push(audit.line);
  }
  const again = jobs.filter(({ attempt }) => attempt > 1);
  const most = jobs.reduce((max, { attempt }) => Math.max(max, attempt), 0);
  const failed = jobs.filter(({ status }) => status === "error").length;
  lines.push(
    `${jobs.length} jobs in the store, ${again.length} of them begun more than once (at most ${most} times), ${failed} ended in error`,
  );
  return { faults, lines };
}

async function usedBy(redis: Redis, accountId: string): Promise<number> {
  const fields = await redis.hgetall(`hs:account:${accountId}`);
  return Object.entries(fields)
    .filter(([name]) => name.startsWith("used:"))
    .reduce((sum, [, value]) => sum + Number(value), 0);
}

async function storedJobs(redis: Redis) {
  const keys = await keysOf(redis, "hs:job:*");
  const jobs = [];
  for (let at = 0; at < keys.length; at += JOBS_AT_ONCE) {
    const some = keys.slice(at, at + JOBS_AT_ONCE).map(async (key) => {
      const [status = "", attempt = ""] = await redis.hmget(key, "status", "attempt");
      const hasResult = (await redis.hstrlen(key, "result")) > 0;
      return { key, status, attempt: Number(attempt), hasResult };
    });
    jobs.push(...(await Promise.all(some)));
  }
  return jobs;
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
