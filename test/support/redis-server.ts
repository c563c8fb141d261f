import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe } from "vitest";
import { RedisChild } from "../../scripts/faults/redis-child.ts";

/**
 * Tests that need a Redis server start one of their own. Redis is optional for the product and no npm package
 * brings it, so a newcomer's `make test` must not fail without it: these tests are then skipped, and say so.
 * CI sets HINDSIGHT_REQUIRE_REDIS=1, which makes them always run, so that a missing server is a failure.
 */
const isRequired = process.env["HINDSIGHT_REQUIRE_REDIS"] === "1";
const here = hasRedisServer() || isRequired;

if (!here) {
  process.stderr.write("tests on Redis are skipped: this machine has no redis-server\n");
}

export const describeOnRedis = here ? describe : describe.skip;

/** One Redis server for all tests of a `describe`. */
export function redisOfTests(): () => RedisChild {
  let redis: RedisChild;
  beforeAll(async () => {
    redis = await RedisChild.start();
  });
  afterAll(() => redis.remove());
  return () => redis;
}

/**
 * `describeOnRedis` for a Redis that supports TLS; some builds do not. Finding out takes a process, so only tests that
 * need TLS ask.
 */
export function describeOnRedisTls() {
  if (isRequired || hasRedisTls()) return describe;
  process.stderr.write("tests of TLS are skipped: no redis-server here that is built with it\n");
  return describe.skip;
}

/** Whether this machine has a Redis server to start. */
function hasRedisServer(): boolean {
  return spawnSync("redis-server", ["--version"], { stdio: "ignore" }).status === 0;
}

/** Whether that server was built with TLS: one that was not refuses the setting. */
function hasRedisTls(): boolean {
  const { stderr } = spawnSync("redis-server", ["--port", "0", "--tls-port", "0"]);
  return hasRedisServer() && !String(stderr).includes("FATAL CONFIG");
}
