import { afterAll, beforeAll } from "vitest";
import { RedisChild } from "../../../../scripts/faults/redis-child.ts";
import { jobStoreContract } from "../../../support/job-store-contract.ts";
import { RedisJobBench } from "../../../support/redis-job-bench.ts";
import { describeOnRedis } from "../../../support/redis-server.ts";

describeOnRedis("the job store on Redis", () => {
  let redis: RedisChild;

  beforeAll(async () => {
    redis = await RedisChild.start();
  });

  afterAll(() => redis.remove());

  jobStoreContract(() => RedisJobBench.on(redis));
});
