import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  ADJUST,
  CHANGED,
  CHARGE,
  FENCE,
  WRITER_KEPT_SECONDS,
} from "../../../accounts/redis/charge-scripts.ts";
import type { Adjustment } from "../../../accounts/redis/charge-group.ts";
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
let connection: number;

const run = (script: LuaScript, ...values: readonly (string | number)[]) =>
  client.eval(script.text, 0, ...values) as Promise<unknown>;

/** Charges of the account with these units, in order. */
function batch(units: readonly number[], { account = "ann", revision = "1", rate = 100 } = {}) {
  const kinds = [...new Set(units)];
  const order = units.map((each) => String(kinds.indexOf(each))).join("");
  const described = kinds.map((each) => [PERIOD, LIMIT, FIELD, each]);
  return [account, revision, rate, order, described];
}

const sent = async (script: LuaScript, group: number, values: readonly unknown[]) =>
  JSON.parse(
    String(await run(script, SERVER, connection, group, JSON.stringify(values))),
  ) as unknown;

const charge = (group: number, ...batches: readonly unknown[]) =>
  sent(CHARGE, group, batches) as Promise<number[][]>;

const adjust = (group: number, ...changes: readonly Adjustment[]) => sent(ADJUST, group, changes);

const change = (admitted: number, units: number, count: number, accountId = "ann") => ({
  accountId,
  admitted,
  used: PERIOD,
  calls: FIELD,
  units,
  count,
});

/** The reply for one account. */
const charged = async (group: number, one: readonly unknown[]) => (await charge(group, one))[1]!; // there is one

async function connect(): Promise<readonly [fence: number, group: number, answer: string]> {
  return (await run(FENCE, SERVER)) as [number, number, string];
}

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
    [connection] = await connect();
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

  test("write a group once, and none before it after it", async () => {
    await charge(2, batch([1]));
    expect(await charge(2, batch([1]))).toEqual([0]);
    expect(await charge(1, batch([1]))).toEqual([0]);
    expect(await counts()).toEqual([1, 1, 0]);
  });

  test("write nothing of an earlier connection, nor where Redis does not know the server", async () => {
    const [later] = await connect();
    expect(await charge(1, batch([1]))).toEqual([0]);
    connection = later;
    expect(await counts()).toEqual([0, 0, 0]);
    expect((await charge(1, batch([1])))[0]).toBe(1);
    await client.del(SERVER);
    expect(await charge(2, batch([1]))).toEqual([0]);
  });

  test("tell a new connection what the last group came to", async () => {
    expect((await connect()).slice(1)).toEqual([0, ""]);
    [connection] = await connect();
    const answer = await charge(7, batch([1, 20]), batch([1], { account: "nobody" }));
    expect((await connect()).slice(1)).toEqual([7, JSON.stringify(answer)]);
  });

  test("write again what was lost, admissions too, where there is an account, once", async () => {
    const lost = change(4, 12, 3);
    expect(await adjust(1, lost, change(1, 1, 1, "nobody"))).toEqual([1]);
    expect(await adjust(1, lost)).toEqual([0]);
    expect(await counts()).toEqual([12, 3, 9]);
    expect(await client.exists("hs:account:nobody")).toBe(0);
    expect((await charged(2, batch([1], { rate: 4 })))[0], "the window is full").toBe(0);
  });

  test("take back what was charged, calls and admissions too, but nothing below nothing", async () => {
    await charge(1, batch([3]));
    expect(await counts()).toEqual([3, 1, 2]);
    await adjust(2, change(-1, -3, -1));
    expect(await counts()).toEqual([0, 0, 0]);
    expect(
      (await charged(3, batch([0], { rate: 2 }))).slice(0, 2),
      "admitted and in the window",
    ).toEqual([1, 1]);
    await client.hset(ACCOUNT, PERIOD, 2); // as an operator may have
    await adjust(4, change(0, -5, -1));
    expect((await counts())[0]).toBe(0);
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
