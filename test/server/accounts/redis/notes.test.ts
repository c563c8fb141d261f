import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RedisChild } from "../../../../scripts/faults/redis-child.ts";
import { TcpProxy } from "../../../../scripts/faults/tcp-proxy.ts";
import { AccountsUnavailable, type Caller } from "../../../../server/accounts/accounts.ts";
import type { NewAccount } from "../../../../server/accounts/admin.ts";
import type { RedisAccounts } from "../../../../server/accounts/redis/redis-accounts.ts";
import { callerOf } from "../../../support/accounts-contract/bench.ts";
import { RedisBench } from "../../../support/accounts-contract/redis-bench.ts";
import { describeOnRedis } from "../../../support/redis-server.ts";
import { charge } from "../../../support/charge.ts";

const HEAL_MS = 5_000;
/** How long notes are kept after they were settled. */
const KEPT_MS = 6_001;

let redis: RedisChild;
let bench: RedisBench;
let proxy: TcpProxy;
let notes: string;
let ann: NewAccount;
/** The server that is given up on, as if it had been killed while the proxy kept it from Redis. */
let lost: RedisAccounts;
let caller: Caller;

async function usage() {
  const { allowances, endpoints } = await (await bench.admin()).usageOf(ann.account.id);
  return { used: allowances[0]!.used, endpoints }; // the allowance of live keys
}

async function refused(server: RedisAccounts, units = 1): Promise<void> {
  const charging = charge(server, caller, units, bench.nowMs, "/dca");
  await expect(charging).rejects.toThrow(AccountsUnavailable);
}

/** A charge of five units that Redis makes but whose answer nobody hears. */
async function chargedUnheard(): Promise<void> {
  proxy.mode = "lose answers";
  await refused(lost, 5);
  expect((await usage()).used, "Redis made it").toBe(6);
  expect(readdirSync(notes)).toEqual([expect.stringMatching(/^charges-[0-9a-f]+\.json$/)]);
}

describeOnRedis("charges that were answered 503 before the server was killed", () => {
  beforeEach(async () => {
    redis = await RedisChild.start();
    bench = await RedisBench.on(redis);
    notes = mkdtempSync(join(tmpdir(), "hindsight-notes-"));
    bench.notes = notes;
    ann = await bench.account("free");
    proxy = await TcpProxy.to(Number(new URL(redis.address).port));
    lost = bench.serverSoon(undefined, `redis://127.0.0.1:${proxy.port}`);
    await lost.whenReady(HEAL_MS);
    caller = await callerOf(lost, ann.key, bench.nowMs);
    await charge(lost, caller, 1, bench.nowMs, "/dca");
  });
  afterEach(async () => {
    await bench.close();
    await proxy.close();
    await redis.remove();
    rmSync(notes, { recursive: true });
  });

  test("are taken back by the next server of the machine, calls and all, and its note goes", async () => {
    await chargedUnheard();
    const next = await bench.server();
    await next.refresh();
    expect(await usage()).toMatchObject({ used: 1, endpoints: [{ calls: 1, units: 1 }] });
    expect(readdirSync(notes), "kept while Redis may forget").toHaveLength(1);
    bench.standStill(KEPT_MS);
    await next.refresh();
    expect(readdirSync(notes)).toEqual([]);
    expect((await usage()).used).toBe(1);
  });

  test("are taken back once, by however many servers, and by the one that was not dead after all", async () => {
    await chargedUnheard();
    const others = await Promise.all([bench.server(), bench.server(), bench.server()]);
    await Promise.all(others.map((each) => each.refresh()));
    proxy.mode = "pass";
    expect(await lost.whenReady(HEAL_MS)).toBe(true);
    expect(await charge(lost, caller, 1, bench.nowMs, "/dca")).toMatchObject({ used: 2 });
    bench.standStill(KEPT_MS);
    await Promise.all([...others, lost].map((each) => each.refresh()));
    expect((await usage()).used).toBe(2);
    expect(readdirSync(notes)).toEqual([]);
  });

  test("are taken back again where Redis dies and forgets that they were", async () => {
    await chargedUnheard();
    expect((await usage()).used).toBe(6);
    const client = redis.client();
    await client.save();
    client.disconnect();
    const next = await bench.server();
    await next.refresh();
    expect((await usage()).used).toBe(1);
    await redis.kill();
    await redis.start(); // with what was saved
    expect(await next.whenReady(HEAL_MS)).toBe(true);
    expect((await usage()).used).toBe(1);
  });

  test("stay away where Redis never had them, and their notes wait until it is too late for them", async () => {
    proxy.mode = "hold requests";
    await refused(lost, 5);
    const next = await bench.server();
    await next.refresh();
    expect(readdirSync(notes)).toHaveLength(1);
    proxy.release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    bench.standStill(KEPT_MS);
    await next.refresh();
    bench.standStill(KEPT_MS);
    await next.refresh();
    expect(readdirSync(notes)).toEqual([]);
    expect((await usage()).used).toBe(1);
  });

  test("of another store, and what is no note, are left alone", async () => {
    await chargedUnheard();
    writeFileSync(join(notes, "charges-00.json"), '{"store":1}');
    const before = readdirSync(notes);
    const other = await RedisChild.start();
    const elsewhere = bench.serverSoon(undefined, other.address);
    await elsewhere.whenReady(HEAL_MS);
    await elsewhere.refresh();
    bench.standStill(KEPT_MS);
    await elsewhere.refresh();
    expect(readdirSync(notes)).toEqual(before);
    await elsewhere.close();
    await other.remove();
  });
});
