import { afterEach, beforeEach, expect, test } from "vitest";
import type { Redis } from "ioredis";
import { RedisChild } from "../../../../scripts/faults/redis-child.ts";
import { makeKey } from "../../../../server/accounts/keys.ts";
import type { RedisAccounts } from "../../../../server/accounts/redis/redis-accounts.ts";
import { callerOf } from "../../../support/accounts-contract/bench.ts";
import { RedisBench } from "../../../support/accounts-contract/redis-bench.ts";
import { describeOnRedis } from "../../../support/redis-server.ts";
import { bearer } from "../../../support/bearer.ts";
import { charge } from "../../../support/charge.ts";

let redis: RedisChild;
let client: Redis;
let bench: RedisBench;
let server: RedisAccounts;

/** How many scripts Redis has run so far. */
async function scriptsRun(): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info("commandstats"))?.[1] ?? 0);
}

describeOnRedis("floods of what is refused", () => {
  beforeEach(async () => {
    redis = await RedisChild.start();
    client = redis.client();
    bench = await RedisBench.on(redis);
    server = await bench.server();
    // Its own rounds run scripts too, but few, and with time in between.
    await server.refresh();
  });
  afterEach(async () => {
    client.disconnect();
    await bench.close();
    await redis.remove();
  });

  test("of an account above its minute cost Redis a reading of its month a second", async () => {
    const { key } = await bench.account("free");
    const caller = await callerOf(server, key, bench.nowMs);
    await charge(server, caller, 3, bench.nowMs, "/dca");
    let decision = await server.admit(caller, bench.nowMs);
    while (decision.admitted) decision = await server.admit(caller, bench.nowMs);
    const before = await scriptsRun();
    for (let n = 0; n < 2_000; n++) {
      expect((await server.admit(caller, bench.nowMs)).admitted).toBe(false);
      expect((await server.quota(caller, bench.nowMs)).used).toBe(3);
    }
    expect((await scriptsRun()) - before).toBeLessThan(20); // would be 4,000 otherwise
    bench.standStill(1_001);
    const other = await bench.server();
    await charge(other, await callerOf(other, key, bench.nowMs), 1, bench.nowMs, "/dca");
    await server.admit(caller, bench.nowMs);
    expect((await server.quota(caller, bench.nowMs)).used, "a second later").toBe(4);
  });

  test("of an account that is not refused is read each time", async () => {
    const { key } = await bench.account("free");
    const caller = await callerOf(server, key, bench.nowMs);
    expect((await server.quota(caller, bench.nowMs)).used).toBe(0);
    const other = await bench.server();
    await charge(other, await callerOf(other, key, bench.nowMs), 1, bench.nowMs, "/dca");
    expect((await server.quota(caller, bench.nowMs)).used).toBe(1);
  });

  test("of unknown keys are looked up once each, and keep nobody else waiting for Redis", async () => {
    const { key } = await bench.account("scale");
    const caller = await callerOf(server, key, bench.nowMs);
    const unknown = Array.from({ length: 3_000 }, () => makeKey("live"));
    const before = await scriptsRun();
    const refused = Promise.allSettled(
      unknown.map(async (each) => server.authenticate(bearer(each), bench.nowMs)),
    );
    const charged = await charge(server, caller, 1, bench.nowMs, "/dca");
    const answers = await refused;
    expect(charged).toMatchObject({ charged: true, used: 1 });
    const known = answers.filter((each) => each.status === "fulfilled" && each.value !== undefined);
    expect(known).toEqual([]);
    const looked = (await scriptsRun()) - before;
    // On a busy machine some were refused with 503 instead of being made to wait.
    const answered = unknown.filter((_, index) => answers[index]?.status === "fulfilled");
    for (const each of answered.slice(-100)) await server.authenticate(bearer(each), bench.nowMs);
    expect((await scriptsRun()) - before - looked, "they are remembered").toBeLessThan(10);
  });
});
