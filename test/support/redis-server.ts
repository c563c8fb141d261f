import { describe } from "vitest";
import { hasRedisServer } from "../../scripts/faults/redis-child.ts";

/**
 * Tests that need a Redis server start one of their own. Redis is an option of the product and no npm package brings it, so a
 * newcomer's `make test` must not fail for want of it: then these are skipped, and say so. CI sets
 * HINDSIGHT_REQUIRE_REDIS=1, with which they always run and a missing server is a failure.
 */
const here = hasRedisServer() || process.env["HINDSIGHT_REQUIRE_REDIS"] === "1";

if (!here) {
  process.stderr.write("tests on Redis are skipped: this machine has no redis-server\n");
}

export const describeOnRedis = here ? describe : describe.skip;
