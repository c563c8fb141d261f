import { afterAll, beforeAll } from "vitest";
import { RedisChild } from "../../../scripts/faults/redis-child.ts";
import { accountsContract } from "../../support/accounts-contract/contract.ts";
import { RedisBench } from "../../support/accounts-contract/redis-bench.ts";
import { describeOnRedis } from "../../support/redis-server.ts";

describeOnRedis("accounts in Redis", () => {
  let redis: RedisChild;

  beforeAll(async () => {
    redis = await RedisChild.start({ appendonly: "yes" });
  });

  afterAll(() => redis.remove());

  accountsContract(() => RedisBench.on(redis));
});
