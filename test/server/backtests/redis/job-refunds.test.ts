import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { RedisChild } from "../../../../scripts/faults/redis-child.ts";
import type { Caller } from "../../../../server/accounts/accounts.ts";
import type { ClaimedJob } from "../../../../server/backtests/job.ts";
import type { JobHome } from "../../../../server/backtests/job-store.ts";
import { acceptedId, FAILURE, submissionOf } from "../../../support/job-steps.ts";
import { RedisJobBench } from "../../../support/redis-job-bench.ts";
import { describeOnRedis } from "../../../support/redis-server.ts";

let redis: RedisChild;
let bench: RedisJobBench;
let jobs: JobHome;

const now = () => bench.clock.wallMs;

async function take(who: Caller): Promise<number> {
  return acceptedId(await jobs.submit(submissionOf(bench, who)));
}

async function claimed(): Promise<ClaimedJob> {
  const job = await jobs.claim(now());
  if (job === undefined) throw new Error("expected a job to claim");
  return job;
}

/** What the contract of both stores leaves out: `job-store-contract.ts`. */
describeOnRedis("a job in Redis", () => {
  beforeAll(async () => {
    redis = await RedisChild.start();
  });
  afterAll(() => redis.remove());
  beforeEach(async () => {
    bench = await RedisJobBench.on(redis);
    jobs = await bench.process();
  });
  afterEach(() => bench.close());

  test("one that was taken in by a version that noted no calls is refunded all the same", async () => {
    const ann = await bench.caller("scale");
    await bench.client.hdel(`hs:job:${await take(ann)}`, "calls", "callsField");
    await jobs.finish(await claimed(), FAILURE, now());
    expect(await bench.used(ann)).toBe(0);
    expect(await bench.backtestsOf(ann)).toEqual({ calls: 1, units: 10 });
  });
});
