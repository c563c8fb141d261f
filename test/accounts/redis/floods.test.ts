import { afterEach, beforeEach, expect, test } from "vitest";
import type { Redis } from "ioredis";
import { RedisChild } from "../../../scripts/faults/redis-child.ts";
import { makeKey } from "../../../accounts/keys.ts";
import type { RedisAccounts } from "../../../accounts/redis/redis-accounts.ts";
import { callerOf } from "../../support/accounts-contract/bench.ts";
import { RedisBench } from "../../support/accounts-contract/redis-bench.ts";
import { describeOnRedis } from "../../support/redis-server.ts";
import { bearer } from "../../support/bearer.ts";
import { charge } from "../../support/charge.ts";

let redis: RedisChild;
let client: Redis;
let bench: RedisBench;
let server: RedisAccounts;

/** The number of scripts that Redis has run. */
async function scriptsRun(): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info("commandstats"))?.[1] ?? 0);
}

describeOnRedis("floods of what is refused", () => {
  beforeEach(async () => {
    redis = await RedisChild.start();
    client = redis.client();
    bench = await RedisBench.on(redis);
    server = await bench.server();
    // The server's own rounds run scripts too, but few.
    await server.refresh();
  });
  afterEach(async () => {
    client.disconnect();
    await bench.close();
    await redis.remove();
  });

  test("of a mistyped key never reach it", async () => {
    const before = await scriptsRun();
    for (let n = 0; n < 100; n++) {
      const key = makeKey("live");
      const mistyped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
      expect(await server.authenticate(bearer(mistyped), bench.nowMs)).toBeUndefined();
    }
    expect((await scriptsRun()) - before).toBeLessThan(5);
  });

  test("of a key that was revoked or has expired are looked up as often as one that never was", async () => {
    const admin = await bench.admin();
    const revoked = await bench.account("free");
    const expiring = await bench.account("free", "bob@example.com");
    await callerOf(server, revoked.key, bench.nowMs);
    await callerOf(server, expiring.key, bench.nowMs);
    await admin.revokeKey({ key: revoked.key });
    await admin.rotateKey({ key: expiring.key }, 1_000);
    await bench.pass(1_000);
    for (const key of [makeKey("live"), revoked.key, expiring.key]) {
      await server.writeKeyUse();
      const runs = [await scriptsRun()];
      for (let time = 1; time <= 2; time++) {
        expect(await server.authenticate(bearer(key), bench.nowMs)).toBeUndefined();
        runs.push(await scriptsRun());
      }
      const [before, once, twice] = runs as [number, number, number];
      expect(once, "the first time, Redis is asked").toBe(before + 1);
      expect(twice, "and then for a while not").toBe(once);
    }
  });

  test("of unknown keys are looked up once each, and keep no other request waiting for Redis", async () => {
    const { key } = await bench.account("scale");
    const caller = await callerOf(server, key, bench.nowMs);
    const unknown = Array.from({ length: 1_500 }, () => makeKey("live"));
    const before = await scriptsRun();
    const refused = Promise.allSettled(
      unknown.map(async (each) => server.authenticate(bearer(each), bench.nowMs)),
    );
    const charged = await charge(server, caller, 1, bench.nowMs, "/dca");
    const answers = await refused;
    expect(charged).toMatchObject({ kind: "charged", used: 1 });
    expect(new Set(answers.map((each) => JSON.stringify(each)))).toEqual(
      new Set(['{"status":"fulfilled"}']),
    );
    const looked = (await scriptsRun()) - before;
    expect(looked, "many in a script").toBeLessThan(60);
    for (const each of unknown.slice(-100)) await server.authenticate(bearer(each), bench.nowMs);
    expect((await scriptsRun()) - before - looked, "they are remembered").toBeLessThan(10);
  });
});
