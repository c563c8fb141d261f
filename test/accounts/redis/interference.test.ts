import { afterEach, beforeEach, expect, test } from "vitest";
import type { Redis } from "ioredis";
import { RedisChild } from "../../../scripts/faults/redis-child.ts";
import { TcpProxy } from "../../../scripts/faults/tcp-proxy.ts";
import { AccountsUnavailable, type Caller } from "../../../accounts/accounts.ts";
import type { NewAccount } from "../../../accounts/admin.ts";
import type { RedisAccounts } from "../../../accounts/redis/redis-accounts.ts";
import { callerOf } from "../../support/accounts-contract/bench.ts";
import { RedisBench } from "../../support/accounts-contract/redis-bench.ts";
import { describeOnRedis } from "../../support/redis-server.ts";
import { charge } from "../../support/charge.ts";

const HEAL_MS = 5_000;
/** The number of steps in which charges are made, with interference in some of them. */
const STEPS = 40;
const CHARGES_A_STEP = 5;
const INTERFERED_STEPS = 8;

let redis: RedisChild;
let client: Redis;
let bench: RedisBench;
let ann: NewAccount;
let accounts: RedisAccounts;
let caller: Caller;

async function begin(
  settings: Readonly<Record<string, string>> = {},
  address?: string,
): Promise<void> {
  redis = await RedisChild.start(settings);
  client = redis.client();
  bench = await RedisBench.on(redis);
  ann = await bench.account("scale");
  await connect(address ?? redis.address);
}

async function connect(address: string): Promise<void> {
  accounts = bench.serverSoon(undefined, address);
  expect(await accounts.whenReady(HEAL_MS)).toBe(true);
  caller = await callerOf(accounts, ann.key, bench.nowMs);
}

/**
 * Charges in steps, with interference in the middle of some. Returns how many charges were answered.
 */
async function chargedThrough(interfere: () => Promise<unknown>): Promise<number> {
  let answered = 0;
  for (let step = 0; step < STEPS; step++) {
    expect(await accounts.whenReady(HEAL_MS)).toBe(true);
    const charges = Array.from({ length: CHARGES_A_STEP }, () =>
      charge(accounts, caller, 1, bench.nowMs, "/dca"),
    );
    if (step % INTERFERED_STEPS === 0) void interfere();
    const outcomes = await Promise.allSettled(charges);
    answered += outcomes.filter(({ status }) => status === "fulfilled").length;
    const failures = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(failures.every((failure) => failure instanceof AccountsUnavailable)).toBe(true);
  }
  expect(await accounts.whenReady(HEAL_MS)).toBe(true);
  return answered;
}

describeOnRedis("charges while somebody else interferes with Redis", () => {
  afterEach(async () => {
    client.disconnect();
    await bench.close();
    await redis.remove();
  });

  test.each([
    [
      "cuts the connections",
      () => client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"),
    ],
    ["has the scripts forgotten", () => client.call("SCRIPT", "FLUSH")],
    ["holds Redis up for longer than requests wait", () => client.call("DEBUG", "SLEEP", "0.3")],
  ])("that %s are counted if they were answered, and only then", async (_, interfere) => {
    await begin({ "enable-debug-command": "yes" });
    const answered = await chargedThrough(interfere);
    expect(answered, "most of them").toBeGreaterThan((STEPS * CHARGES_A_STEP) / 2);
    expect(await bench.usedBy(ann)).toBe(answered);
  });

  test("by a user that lacks a command are not begun, rather than half made, and it says which", async () => {
    await begin();
    const rights = ["on", ">secret", "~hs:*", "&hs:*", "+@all", "-hset", "-expire"];
    await client.call("ACL", "SETUSER", "hindsight", ...rights);
    const address = redis.address.replace("redis://", "redis://hindsight:secret@");
    const limited = bench.serverSoon(undefined, address);
    expect(await limited.whenReady(500)).toBe(false);
    await expect(limited.ping()).rejects.toThrow(/may not run EXPIRE, HSET: .*redis\.md/);
    await client.call("ACL", "SETUSER", "hindsight", "+hset", "+expire");
    expect(await limited.whenReady(HEAL_MS)).toBe(true);
    caller = await callerOf(limited, ann.key, bench.nowMs);
    expect(await charge(limited, caller, 1, bench.nowMs, "/dca")).toMatchObject({ used: 1 });
    await client.call("ACL", "SETUSER", "hindsight", "-hset"); // while it is at work
    const charging = charge(limited, caller, 1, bench.nowMs, "/dca");
    await expect(charging).rejects.toThrow(AccountsUnavailable);
    expect(await limited.whenReady(500), "no second charge is half made").toBe(false);
    const asked = limited.ping();
    await expect(asked, "why it is away now, not why it was lost").rejects.toThrow(
      /may not run HSET:/,
    );
  });

  test("by a server whose clock is off share one rate limit window with the others, with a warning", async () => {
    await begin();
    const { key } = await bench.account("free", "bob@example.com");
    const other = await bench.server();
    const nowMs = bench.nowMs;
    const later = nowMs + 3_600_000;
    const [near, far] = [await callerOf(accounts, key, nowMs), await callerOf(other, key, later)];
    let admitted = 0;
    for (let n = 0; n < 20; n++) {
      if ((await charge(accounts, near, 0, nowMs)).rate.admitted) admitted++;
      if ((await charge(other, far, 0, later)).rate.admitted) admitted++;
    }
    expect(admitted, "of the free plan's ten a minute").toBe(10);
    expect(bench.clockWarnings[0]).toMatch(/clock is \d+ s (ahead of|behind) that of Redis/);
  });
});

describeOnRedis("a replica that takes the place of its Redis", () => {
  let replica: RedisChild;
  let proxy: TcpProxy;

  beforeEach(async () => {
    redis = await RedisChild.start({ "repl-diskless-sync-delay": "0" });
    replica = await RedisChild.start();
    proxy = await TcpProxy.to(portOf(redis));
    client = replica.client();
    bench = await RedisBench.on(redis);
  });
  afterEach(async () => {
    client.disconnect();
    await bench.close();
    await proxy.close();
    await replica.remove();
    await redis.remove();
  });

  test("is used as it is, without what it had not received", async () => {
    ann = await bench.account("scale");
    await connect(`redis://127.0.0.1:${proxy.port}`);
    await client.call("REPLICAOF", "127.0.0.1", String(portOf(redis)));
    await expect.poll(() => client.exists("hs:store"), { timeout: HEAL_MS }).toBe(1);
    await charge(accounts, caller, 3, bench.nowMs, "/dca");
    await expect
      .poll(() => client.hget(`hs:account:${ann.account.id}`, "used:live:2026-02"))
      .toBe("3");
    await client.call("REPLICAOF", "NO", "ONE"); // no longer hears from its master
    for (let n = 0; n < 4; n++) await charge(accounts, caller, 1, bench.nowMs, "/signals");
    expect(await client.hget(`hs:account:${ann.account.id}`, "used:live:2026-02")).toBe("3");
    await redis.kill();
    await expect.poll(() => accounts.whenReady(0)).toBe(false);
    proxy.targetPort = portOf(replica);
    expect(await accounts.whenReady(HEAL_MS)).toBe(true);
    expect(await charge(accounts, caller, 1, bench.nowMs, "/dca")).toMatchObject({ used: 4 });
  });
});

function portOf({ address }: RedisChild): number {
  return Number(new URL(address).port);
}
