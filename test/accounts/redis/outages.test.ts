import { createServer } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RedisChild } from "../../../scripts/faults/redis-child.ts";
import { TcpProxy } from "../../../scripts/faults/tcp-proxy.ts";
import { AccountsUnavailable, type Caller } from "../../../accounts/accounts.ts";
import type { NewAccount } from "../../../accounts/admin.ts";
import { makeKey } from "../../../accounts/keys.ts";
import type { RedisAccounts } from "../../../accounts/redis/redis-accounts.ts";
import { callerOf } from "../../support/accounts-contract/bench.ts";
import { RedisBench } from "../../support/accounts-contract/redis-bench.ts";
import { describeOnRedis } from "../../support/redis-server.ts";
import { bearer } from "../../support/bearer.ts";
import { charge } from "../../support/charge.ts";

/** The longest that a request may wait, and an allowance for a busy machine. */
const WAIT_MAX_MS = 250 + 250;
const HEAL_MS = 5_000;

let redis: RedisChild;
let bench: RedisBench;
let ann: NewAccount;
let accounts: RedisAccounts;
let caller: Caller;

/** A server, an account and its caller, on a Redis with these settings. */
async function begin(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  redis = await RedisChild.start(settings);
  bench = await RedisBench.on(redis);
  ann = await bench.account("free");
  accounts = await bench.server();
  caller = await callerOf(accounts, ann.key, bench.nowMs);
}

/** The message of the store's failure, which must come in time. */
async function failureOf(ask: () => unknown): Promise<string> {
  const startedMs = performance.now();
  const failure = await Promise.resolve()
    .then(ask)
    .then(
      () => new Error("it did not fail"),
      (error: unknown) => error,
    );
  expect(performance.now() - startedMs).toBeLessThan(WAIT_MAX_MS);
  expect(failure).toBeInstanceOf(AccountsUnavailable);
  return (failure as Error).message;
}

/** Checks the answers that every outage has in common. */
async function expectOutage(): Promise<void> {
  await failureOf(() => charge(accounts, caller, 1, bench.nowMs, "/dca"));
  await failureOf(() => charge(accounts, caller, 1, bench.nowMs, "/dca"));
  await failureOf(() => charge(accounts, caller, 0, bench.nowMs, "/dca"));
  await failureOf(() => accounts.report(caller, bench.nowMs));
  await failureOf(() => accounts.authenticate(bearer(makeKey("live")), bench.nowMs));
  expect(await accounts.authenticate(bearer(ann.key), bench.nowMs), "known keys stay known").toBe(
    caller,
  );
}

async function expectHealed(used: number): Promise<void> {
  expect(await accounts.whenReady(HEAL_MS)).toBe(true);
  expect(await charge(accounts, caller, 1, bench.nowMs, "/dca")).toMatchObject({ used });
  expect(await bench.usedBy(ann)).toBe(used);
}

describeOnRedis("accounts in a Redis that fails", () => {
  beforeEach(() => {
    redis = undefined as never;
  });
  afterEach(async () => {
    redis?.signal("SIGCONT");
    await bench?.close();
    await redis?.remove();
  });

  test("are out of reach while nothing listens, and recover when Redis is back", async () => {
    await begin({ appendonly: "yes" });
    await charge(accounts, caller, 1, bench.nowMs, "/dca");
    await redis.kill();
    await expectOutage();
    await redis.start();
    await expectHealed(2);
    expect(bench.warnings.join("\n")).toMatch(/can be used again/);
  });

  test("are out of reach while Redis is stopped, which charges nothing when it goes on", async () => {
    await begin();
    redis.signal("SIGSTOP");
    const many = Array.from({ length: 20 }, () =>
      failureOf(() => charge(accounts, caller, 1, bench.nowMs, "/dca")),
    );
    await Promise.all(many);
    await expectOutage();
    redis.signal("SIGCONT");
    await expectHealed(1);
    expect(bench.warnings.join("\n")).toMatch(/did not answer within \d+ ms/);
  });

  test("are out of reach while Redis is full or read only", async () => {
    await begin();
    const client = redis.client();
    await client.config("SET", "maxmemory", "1");
    expect(await failureOf(() => charge(accounts, caller, 1, bench.nowMs))).toMatch(/OOM/);
    await expect(accounts.ping(), "so it is not ready").rejects.toThrow(/OOM/);
    await client.config("SET", "maxmemory", "0");
    await expectHealed(1);
    await client.call("REPLICAOF", "127.0.0.1", "1");
    expect(await failureOf(() => charge(accounts, caller, 1, bench.nowMs))).toMatch(
      /READONLY|MASTERDOWN/,
    );
    await expectOutage();
    await client.call("REPLICAOF", "NO", "ONE");
    await expectHealed(2);
    client.disconnect();
  });

  test("are out of reach when Redis comes back empty, rather than unknown, until it is restored", async () => {
    await begin();
    const client = redis.client();
    const store = await client.hgetall("hs:store");
    const account = await client.hgetall(`hs:account:${ann.account.id}`);
    client.disconnect();
    await redis.kill();
    await redis.start();
    expect(await accounts.whenReady(500)).toBe(false);
    await expectOutage();
    expect(bench.warnings.join("\n")).toMatch(/no longer holds the accounts this process serves/);
    const restorer = redis.client();
    await restorer.hset(`hs:account:${ann.account.id}`, account);
    await restorer.hset("hs:store", store);
    restorer.disconnect();
    await expectHealed(1);
  });

  test("notice that the data is gone although the connection is still open", async () => {
    await begin();
    const client = redis.client();
    await client.flushall();
    client.disconnect();
    await failureOf(() => charge(accounts, caller, 1, bench.nowMs));
    expect(await accounts.whenReady(300)).toBe(false);
    await expect(accounts.ping()).rejects.toThrow(/no longer holds/);
  });

  test("see what was revoked while the process itself stood still, at its first request", async () => {
    await begin();
    const admin = await bench.admin();
    await admin.revokeKey({ id: ann.record.id });
    bench.standStill(10_000);
    expect(await accounts.authenticate(bearer(ann.key), bench.nowMs)).toBeUndefined();
  });

  test("go on from what Redis has, without what it had answered and lost", async () => {
    await begin();
    for (let n = 0; n < 3; n++) await charge(accounts, caller, 1, bench.nowMs, "/dca");
    const client = redis.client();
    await client.save();
    for (let n = 0; n < 4; n++) await charge(accounts, caller, 1, bench.nowMs, "/signals");
    client.disconnect();
    await redis.kill();
    await redis.start(); // with what was saved
    await expectHealed(4);
    const { endpoints } = await accounts.report(caller, bench.nowMs);
    expect(endpoints.map(({ endpoint, calls }) => [endpoint, calls])).toEqual([["/dca", 4]]);
  });
});

describeOnRedis("accounts behind a network that fails", () => {
  let proxy: TcpProxy;

  beforeEach(async () => {
    redis = await RedisChild.start();
    bench = await RedisBench.on(redis);
    ann = await bench.account("free");
    proxy = await TcpProxy.to(Number(new URL(redis.address).port));
    accounts = bench.serverSoon(undefined, `redis://127.0.0.1:${proxy.port}`);
    await accounts.whenReady(HEAL_MS);
    caller = await callerOf(accounts, ann.key, bench.nowMs);
  });
  afterEach(async () => {
    await bench.close();
    await proxy.close();
    await redis.remove();
  });

  test("take back a charge whose answer was lost", async () => {
    await charge(accounts, caller, 1, bench.nowMs, "/dca");
    proxy.mode = "lose answers";
    await failureOf(() => charge(accounts, caller, 5, bench.nowMs, "/dca"));
    expect(await bench.usedBy(ann), "Redis wrote it").toBe(6);
    proxy.mode = "pass";
    await expectHealed(2);
  });

  test("never make a charge that was given up and arrives later", async () => {
    proxy.mode = "hold requests";
    await failureOf(() => charge(accounts, caller, 5, bench.nowMs, "/dca"));
    proxy.mode = "pass";
    await expectHealed(1);
    proxy.release();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await bench.usedBy(ann)).toBe(1);
  });

  test("end only once a charge that was given up can no longer arrive", async () => {
    proxy.mode = "hold requests";
    const given = failureOf(() => charge(accounts, caller, 5, bench.nowMs, "/dca"));
    await new Promise((resolve) => setTimeout(resolve, 20)); // until it is sent
    proxy.mode = "pass";
    const client = redis.client();
    await client.call("CLIENT", "KILL", "TYPE", "normal");
    client.disconnect();
    await given;
    await accounts.close();
    expect(bench.warnings.join("\n")).not.toContain("stopped before it was known");
  });
});

describeOnRedis("a Redis that cannot be used", () => {
  test.each([
    ["LOADING Redis is loading the dataset in memory", /LOADING/],
    ["NOAUTH Authentication required.", /NOAUTH/],
    ["MISCONF Errors writing to the AOF file", /MISCONF/],
  ])("is not waited for: %s", async (answer, expected) => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => socket.write(`-${answer}\r\n`));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const warnings = await warningsOf(`redis://user:secret@127.0.0.1:${port}`);
    server.close();
    expect(warnings).toMatch(expected);
    expect(warnings).not.toContain("secret");
  });

  test("is not waited for when it says nothing", async () => {
    const server = createServer((socket) => socket.on("error", () => {}));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const warnings = await warningsOf(`redis://127.0.0.1:${port}`);
    server.close();
    expect(warnings).toBe(""); // not yet, because it is given two seconds
  });
});

/** The warnings of a server with this address, whose requests fail at once. */
async function warningsOf(address: string): Promise<string> {
  redis = await RedisChild.start();
  const other = await RedisBench.on(redis);
  const soon = other.serverSoon(undefined, address);
  expect(await soon.whenReady(300)).toBe(false);
  await failureOf(() => soon.authenticate(bearer(makeKey("live")), other.nowMs));
  await other.close();
  await redis.remove();
  return other.warnings.join("\n");
}
