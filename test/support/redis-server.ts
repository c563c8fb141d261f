import { describe } from "vitest";
import { hasRedisServer } from "../../scripts/faults/redis-child.ts";

/**
 * Tests that need a Redis server start one of their own. Where the machine has none they are skipped and say so,
 * unless HINDSIGHT_REQUIRE_REDIS=1 asks for them.
 */
const here = hasRedisServer() || process.env["HINDSIGHT_REQUIRE_REDIS"] === "1";

if (!here) {
  process.stderr.write("tests on Redis are skipped: this machine has no redis-server\n");
}

export const describeOnRedis = here ? describe : describe.skip;
