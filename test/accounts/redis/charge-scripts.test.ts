import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  CHANGED,
  CHARGE,
  CONNECT,
  COUNTED_LIMIT,
  WRITER_KEPT_SECONDS,
} from "../../../accounts/redis/charge-scripts.ts";
import type { LuaScript } from "../../../accounts/redis/lua-script.ts";
import { describeOnRedis, redisOfTests } from "../../support/redis-server.ts";

const SERVER = "hs:writer:a";
const ACCOUNT = "hs:account:ann";
const CALLS = "hs:calls:ann:2026-02";
const PERIOD = "used:live:2026-02";
const FIELD = "2026-02-10|live|/dca";
const LIMIT = 10;
const CALLS_KEPT_SECONDS = 93 * 86_400;

let client: Redis;
/** The number of this server's connection. */
let connection = 0;

const run = (script: LuaScript, ...values: readonly (string | number)[]) =>
  client.eval(script.text, 0, ...values) as Promise<unknown>;

/** Charges of the account with these units, in order. */
function batch(units: readonly number[], { account = "ann", revision = "1", rate = 100 } = {}) {
  const kinds = [...new Set(units)];
  const order = units.map((each) => String(kinds.indexOf(each))).join("");
  const described = kinds.map((each) => [PERIOD, LIMIT, FIELD, each]);
  return [account, revision, rate, order, described];
}

const sent = (script: LuaScript, group: number, values: readonly unknown[]) =>
  run(script, SERVER, connection, group, JSON.stringify(values));

const charge = async (group: number, ...batches: readonly unknown[]) =>
  JSON.parse(String(await sent(CHARGE, group, batches))) as number[][];

/** A new connection, after the answer of this group was lost; 0 for none. */
async function connect(group = 0, ...batches: readonly unknown[]): Promise<void> {
  connection += 1;
  await sent(CONNECT, group, batches);
}

/** The reply for one account. */
const charged = async (group: number, one: readonly unknown[]) => (await charge(group, one))[1]!; // there is one

/** Units used, calls, and units beyond one per call. */
async function counts(): Promise<readonly number[]> {
  const used = await client.hget(ACCOUNT, PERIOD);
  const [calls, more] = await client.hmget(CALLS, FIELD, `${FIELD}|more`);
  return [Number(used), Number(calls), Number(more)];
}

describeOnRedis("the scripts of charges", () => {
  const redis = redisOfTests();

  beforeAll(() => {
    client = redis().client();
  });
  afterAll(() => client.disconnect());
  beforeEach(async () => {
    await client.flushall();
    await client.hset("hs:store", { id: "s" });
    await client.hset(ACCOUNT, { rev: "1" });
    await connect();
  });

  test("fill the quota to its last unit, in order, and past what does not fit", async () => {
    const [admitted, count, , ...kinds] = await charged(1, batch([8, 3, 1, 1, 1]));
    expect([admitted, count]).toEqual([5, 5]);
    expect(kinds, "for 8, 3 and 1: used before, and charged").toEqual([0, 1, 0, 0, 0, 2]);
    expect(await counts()).toEqual([10, 3, 7]);
    expect((await charged(2, batch([1]))).slice(3)).toEqual([10, 0]);
    expect(await counts()).toEqual([10, 3, 7]);
  });

  test("charge nothing above the rate, and count what is free for the rate alone", async () => {
    const reply = await charged(1, batch([1, 0, 0, 1, 1], { rate: 4 }));
    expect(reply.slice(0, 2), "admitted, and in the window").toEqual([4, 4]);
    expect(reply.slice(3), "for 1 and 0: used before, and charged").toEqual([0, 2, 0, 0]);
    expect(await counts()).toEqual([2, 2, 0]);
    expect((await charged(2, batch([1], { rate: 4 }))).slice(0, 2)).toEqual([0, 4]);
    expect(await counts()).toEqual([2, 2, 0]);
  });

  test("say which accounts are others by now, or not there, and charge the rest", async () => {
    const batches = [batch([1], { account: "nobody" }), batch([1], { revision: "0" }), batch([1])];
    expect(await charge(1, ...batches)).toMatchObject([1, [CHANGED], [CHANGED], [1, 1, {}, 0, 1]]);
    expect(await counts()).toEqual([1, 1, 0]);
    expect(await client.exists("hs:account:nobody")).toBe(0);
  });

  test("keep live and test keys apart, but for the rate", async () => {
    const test = ["used:test:2026-02", 1, "2026-02-10|test|/dca", 1];
    const live = [PERIOD, LIMIT, FIELD, 1];
    const [admitted, , , ...kinds] = await charged(1, ["ann", "1", 5, "010111", [live, test]]);
    expect([admitted, ...kinds]).toEqual([5, 0, 2, 0, 1]);
    expect(await client.hget(ACCOUNT, "used:test:2026-02")).toBe("1");
    expect(await counts()).toEqual([2, 2, 0]);
  });

  test("write nothing of an earlier connection, nor where Redis does not know the server", async () => {
    await connect();
    connection -= 1;
    expect(await charge(1, batch([1]))).toEqual([0]);
    connection += 1;
    expect(await counts()).toEqual([0, 0, 0]);
    expect((await charge(1, batch([1])))[0]).toBe(1);
    await client.del(SERVER);
    expect(await charge(2, batch([1]))).toEqual([0]);
  });

  test("take back a group whose answer was lost, calls and admissions too, once", async () => {
    await charge(1, batch([3]));
    const lost = [batch([1, 20, 0, 2]), batch([1], { account: "nobody" })];
    await charge(2, ...lost);
    expect(await counts()).toEqual([6, 3, 3]);
    await connect(2, ...lost);
    expect(await counts()).toEqual([3, 1, 2]);
    await connect(2, ...lost);
    expect(await counts()).toEqual([3, 1, 2]);
    const [admitted, inWindow] = await charged(3, batch([0, 0], { rate: 2 }));
    expect([admitted, inWindow], "there is room for one more").toEqual([1, 2]);
    expect(await client.exists("hs:account:nobody")).toBe(0);
  });

  test.each([2, 0])("take back no group that was not written: %i after 1", async (group) => {
    await charge(1, batch([3]));
    await connect(group, batch([3]));
    expect(await counts()).toEqual([3, 1, 2]);
  });

  test("take back nothing below nothing, nor admissions that were counted elsewhere", async () => {
    await charge(1, batch([1, 0]));
    const lost = batch([5], { rate: COUNTED_LIMIT });
    await charge(2, lost);
    await client.hset(ACCOUNT, PERIOD, 2); // as an operator may have
    await connect(2, lost);
    expect((await counts())[0]).toBe(0);
    expect((await charged(3, batch([0, 0], { rate: 3 }))).slice(0, 2)).toEqual([1, 3]);
  });

  test("let what is of no use any more go by itself", async () => {
    await charge(1, batch([1]));
    const [server, calls] = [await client.ttl(SERVER), await client.ttl(CALLS)];
    expect(server).toBeGreaterThan(WRITER_KEPT_SECONDS - 60);
    expect(calls).toBeGreaterThan(CALLS_KEPT_SECONDS - 60);
    expect(calls).toBeLessThanOrEqual(CALLS_KEPT_SECONDS);
    expect(await client.ttl(ACCOUNT), "accounts stay").toBe(-1);
  });
});
