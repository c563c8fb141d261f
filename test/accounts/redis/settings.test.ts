import { afterEach, expect, test } from "vitest";
import { RedisChild } from "../../../scripts/faults/redis-child.ts";
import { AccountsUnavailable } from "../../../accounts/accounts.ts";
import { BUILT_IN_PLANS } from "../../../accounts/plans.ts";
import { openRedisAdmin } from "../../../accounts/redis/redis-admin.ts";
import { tinyPlans } from "../../support/accounts-fixture.ts";
import { RedisBench } from "../../support/accounts-contract/redis-bench.ts";
import { describeOnRedis } from "../../support/redis-server.ts";

let redis: RedisChild | undefined;
let bench: RedisBench | undefined;

afterEach(async () => {
  await bench?.close();
  await redis?.remove();
});

/** The warnings of a server about a Redis with these settings. */
async function warningsWith(settings: Readonly<Record<string, string>>): Promise<string> {
  redis = await RedisChild.start(settings);
  bench = await RedisBench.on(redis);
  await bench.server();
  return bench.warnings.join("\n");
}

describeOnRedis("the settings of a Redis", () => {
  test.each([
    ["not where they are as they should be", { appendonly: "yes", appendfsync: "everysec" }, /^$/],
    [
      "where they lose accounts or usage",
      { "maxmemory-policy": "allkeys-lru" },
      /"appendonly" is off[^]*"maxmemory-policy" is "allkeys-lru"/,
    ],
    [
      "where a power loss takes more than a second",
      { appendonly: "yes", appendfsync: "no" },
      /"appendfsync" is "no"/,
    ],
  ])("are named, %s", async (_, settings, expected) => {
    expect(await warningsWith(settings)).toMatch(expected);
  });

  test("are seen also where CONFIG is forbidden", async () => {
    redis = await RedisChild.start();
    bench = await RedisBench.on(redis);
    const client = redis.client();
    const rights = ["on", ">secret", "~*", "&*", "+@all", "-config"];
    await client.call("ACL", "SETUSER", "hindsight", ...rights);
    client.disconnect();
    const address = redis.address.replace("redis://", "redis://hindsight:secret@");
    expect(await bench.serverSoon(undefined, address).whenReady(5_000)).toBe(true);
    expect(bench.warnings.join("\n")).toMatch(/"appendonly" is off/);
  });

  test("are said again after Redis was lost only where they are others", async () => {
    await warningsWith({});
    await redis!.kill();
    await redis!.start();
    const said = () => bench!.warnings.filter((each) => each.includes("appendonly"));
    await expect.poll(() => bench!.warnings.join("\n")).toMatch(/no longer holds/);
    expect(said()).toHaveLength(1);
  });
});

describeOnRedis("a store in Redis", () => {
  test("that has accounts on a plan that is in no table is logged, until they left it", async () => {
    redis = await RedisChild.start({ appendonly: "yes" });
    bench = await RedisBench.on(redis);
    const { account } = await bench.account("tiny", "ann@example.com", tinyPlans(5));
    const other = await bench.account("free", "bob@example.com");
    await bench.server();
    expect(bench.warnings).toEqual([
      'accounts are on plans the plan table does not have: "tiny"; they cannot be served until --plans names them',
    ]);
    const admin = await bench.admin(tinyPlans(5));
    await admin.setPlan(account.id, "free");
    bench.warnings.length = 0;
    await bench.server();
    expect(bench.warnings).toEqual([]);
    await admin.setPlan(other.account.id, "tiny");
    await bench.server();
    expect(bench.warnings).toHaveLength(1);
  });

  test("that a newer Hindsight wrote is left alone", async () => {
    redis = await RedisChild.start();
    bench = await RedisBench.on(redis);
    await bench.account("free");
    const client = redis.client();
    await client.hset("hs:store", "format", "9");
    client.disconnect();
    const { address } = redis;
    await expect(
      openRedisAdmin({ address, plans: BUILT_IN_PLANS, nowMs: Date.now, waitMs: 300 }),
    ).rejects.toThrow(/written by another Hindsight \(format 9/);
  });

  test("is not made by a look at it", async () => {
    redis = await RedisChild.start();
    const { address } = redis;
    await expect(
      openRedisAdmin({ address, plans: BUILT_IN_PLANS, nowMs: Date.now, mustExist: true }),
    ).rejects.toMatchObject({ code: "no_state_file" });
    const client = redis.client();
    expect(await client.dbsize()).toBe(0);
    client.disconnect();
    bench = undefined;
  });

  test("that cannot be reached is said to be so, without its password", async () => {
    const address = "redis://user:secret@127.0.0.1:1";
    const opening = openRedisAdmin({
      address,
      plans: BUILT_IN_PLANS,
      nowMs: Date.now,
      waitMs: 200,
    });
    await expect(opening).rejects.toThrow(AccountsUnavailable);
    await expect(opening).rejects.toThrow(
      /^redis:\/\/127\.0\.0\.1:1 cannot be used: connect ECONNREFUSED/,
    );
    redis = undefined;
    bench = undefined;
  });
});
