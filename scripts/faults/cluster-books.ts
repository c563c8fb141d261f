import type { Redis } from "ioredis";
import type { AccountLoad } from "./account-load.ts";
import { usageBook } from "./usage-book.ts";

interface StoredJob {
  readonly id: number;
  readonly account: string;
  readonly status: string;
  readonly attempt: number;
  /** Hashes of what was asked, snapshot included, and of the result; the latter is empty if there is none. */
  readonly asked: string;
  readonly result: string;
}

/**
 * Jobs with hashes in place of requests and results: there are tens of thousands of them, at some 40 KB each.
 * KEYS: jobs.
 */
const READ_JOBS = `
local out = {}
for i, name in ipairs(KEYS) do
  local job = redis.call('HMGET', name, 'account', 'status', 'attempt', 'request', 'snapshot', 'result')
  local asked = redis.sha1hex((job[4] or '') .. (job[5] or ''))
  out[i] = { job[1] or '', job[2] or '', job[3] or '0', asked, job[6] and redis.sha1hex(job[6]) or '' }
end
return out`;
/** How many one script reads, so that each is over soon. */
const JOBS_AT_ONCE = 200;

interface Books {
  /** Jobs that ended in error. */
  readonly failed: number;
  readonly faults: readonly string[];
  readonly lines: readonly string[];
}

/** How many jobs of the accounts are queued or running, as Redis counts them. */
export async function underWay(redis: Redis, loads: readonly AccountLoad[]): Promise<number[]> {
  return await Promise.all(loads.map(({ account }) => redis.zcard(`hs:jobs:open:${account.id}`)));
}

/** Compares what Redis holds with what the accounts were answered. */
export async function clusterBooks(redis: Redis, loads: readonly AccountLoad[]): Promise<Books> {
  const jobs = await storedJobs(redis);
  const faults = jobs
    .filter(({ status, result }) => (status === "done") !== (result !== ""))
    .map(
      ({ id, status }) =>
        `job ${id} is ${status} and ${status === "done" ? "lacks" : "has"} a result`,
    );
  faults.push(...differences(jobs));
  for (const key of await keysOf(redis, "hs:jobs:of:*")) faults.push(`${key} is still there`);
  for (const key of await keysOf(redis, "hs:jobs:queue:*")) faults.push(`${key} is still there`);
  const lines: string[] = [];
  for (const load of loads) {
    const own = jobs.filter(({ account }) => account === load.account.id);
    const ids = new Set(own.map(({ id }) => id));
    for (const id of load.jobs) if (!ids.has(id)) faults.push(`accepted job ${id} is lost`);
    load.done = own.filter(({ id, status }) => status === "done" && load.jobs.has(id)).length;
    const book = usageBook(load, await usedBy(redis, load.account.id));
    faults.push(...book.faults);
    lines.push(book.line);
  }
  const again = jobs.filter(({ attempt }) => attempt > 1);
  const most = jobs.reduce((max, { attempt }) => Math.max(max, attempt), 0);
  const failed = jobs.filter(({ status }) => status === "error").length;
  lines.push(
    `${jobs.length} jobs in the store, ${again.length} of them begun more than once (at most ${most} times), ${failed} ended in error`,
  );
  return { faults, lines, failed };
}

async function usedBy(redis: Redis, accountId: string): Promise<number> {
  const fields = await redis.hgetall(`hs:account:${accountId}`);
  return Object.entries(fields)
    .filter(([name]) => name.startsWith("used:"))
    .reduce((sum, [, value]) => sum + Number(value), 0);
}

async function storedJobs(redis: Redis): Promise<readonly StoredJob[]> {
  const keys = await keysOf(redis, "hs:job:*");
  const jobs: StoredJob[] = [];
  for (let at = 0; at < keys.length; at += JOBS_AT_ONCE) {
    const some = keys.slice(at, at + JOBS_AT_ONCE);
    const rows = (await redis.eval(READ_JOBS, some.length, ...some)) as string[][];
    for (const [
      index,
      [account = "", status = "", attempt, asked = "", result = ""],
    ] of rows.entries()) {
      const id = Number(some[index]?.slice("hs:job:".length));
      jobs.push({
        id,
        account,
        status,
        attempt: Number(attempt),
        asked,
        result,
      });
    }
  }
  return jobs;
}

/** Equal requests with different results: equal runs must give the same bytes. */
function differences(jobs: readonly StoredJob[]): readonly string[] {
  const seen = new Map<string, string>();
  const faults: string[] = [];
  for (const { id, asked, result } of jobs) {
    if (result === "") continue;
    const before = seen.get(asked) ?? result;
    seen.set(asked, before);
    if (before !== result) faults.push(`job ${id} has another result than one like it`);
  }
  return faults;
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
