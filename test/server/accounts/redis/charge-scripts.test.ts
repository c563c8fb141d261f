import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  CHANGED,
  CHARGE,
  FENCE,
  GONE,
  REPAIR,
  TAKE_BACK,
  WRITER_KEPT_SECONDS,
} from "../../../../server/accounts/redis/charge-scripts.ts";
import type { LuaScript } from "../../../../server/redis/lua-script.ts";
import { describeOnRedis, redisOfTests } from "../../../support/redis-server.ts";

const SERVER = "hs:writer:a";
const ACCOUNT = "hs:account:ann";
const CALLS = "hs:calls:ann:2026-02";
const PERIOD = "used:live:2026-02";
const FIELD = "2026-02-10|live|/dca";
const LIMIT = 10;
const CALLS_KEPT_SECONDS = 93 * 86_400;
const FAR_MS = 3_600_000;

let client: Redis;
/** The number of this server's connection. */
let connection: number;

const run = (script: LuaScript, ...values: readonly (string | number)[]) =>
  client.eval(script.text, 0, ...values);

/** One batch of charges of the account, of so many units each. */
const batch = (units: string, { account = ACCOUNT, revision = "1" } = {}) => [
  account,
  revision,
  PERIOD,
  LIMIT,
  CALLS,
  FIELD,
  units,
];

interface Sent {
  readonly store?: string;
  readonly connection?: number;
  readonly deadlineMs?: number;
}

function charge(group: number, batches: readonly (string | number)[], sent: Sent = {}) {
  const deadlineMs = sent.deadlineMs ?? Date.now() + FAR_MS;
  const begun = [SERVER, sent.store ?? "s", sent.connection ?? connection, group, deadlineMs];
  return run(CHARGE, ...begun, ...batches) as Promise<[string, number, ...number[]]>;
}

const takeBack = (group: number, deadlineMs: number, batches: readonly (string | number)[]) =>
  run(TAKE_BACK, SERVER, "s", group, deadlineMs, ...batches);

/** Units used; calls, and units above one a call. */
async function books(): Promise<readonly number[]> {
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
    [, connection] = (await run(FENCE, SERVER, "s")) as [string, number, string];
  });

  test("fill the month to its last unit, in order, and past what does not fit", async () => {
    expect((await charge(1, batch("8,3,1,1,1"))).slice(2)).toEqual([0]);
    expect(await books()).toEqual([10, 3, 7]);
    expect((await charge(2, batch("1"))).slice(2)).toEqual([10]);
    expect(await books()).toEqual([10, 3, 7]);
  });

  test("say which accounts are gone or others by now, and charge the rest", async () => {
    const batches = [
      ...batch("1", { account: "hs:account:nobody" }),
      ...batch("1", { revision: "0" }),
      ...batch("1"),
    ];
    expect((await charge(1, batches)).slice(2)).toEqual([GONE, CHANGED, 0]);
    expect(await books()).toEqual([1, 1, 0]);
    expect(await client.exists("hs:account:nobody")).toBe(0);
  });

  test("write a group once, and none before it after it", async () => {
    await charge(2, batch("1"));
    expect((await charge(2, batch("1")))[0]).toBe("stale");
    expect((await charge(1, batch("1")))[0]).toBe("stale");
    expect(await books()).toEqual([1, 1, 0]);
  });

  test("write nothing of an earlier connection, of another store, or behind its deadline", async () => {
    const earlier = connection;
    [, connection] = (await run(FENCE, SERVER, "s")) as [string, number, string];
    expect((await charge(1, batch("1"), { connection: earlier }))[0]).toBe("stale");
    expect((await charge(1, batch("1"), { store: "other" }))[0]).toBe("strange");
    expect((await charge(1, batch("1"), { deadlineMs: Date.now() - 1_000 }))[0]).toBe("late");
    expect(await run(FENCE, SERVER, "other")).toEqual(["s"]);
    expect(await books()).toEqual([0, 0, 0]);
    expect((await charge(1, batch("1")))[0]).toBe("ok");
  });

  test("take back what was charged, calls and all, once, and keep it away", async () => {
    await charge(1, batch("2"));
    const bob = "hs:account:bob";
    await client.hset(bob, { rev: "1" });
    const batches = [
      ...batch("1", { revision: "0" }),
      ...batch("5", { account: bob }).with(4, "hs:calls:bob:2026-02"),
      ...batch("3,20,1"),
    ];
    await charge(2, batches);
    expect(await client.hget(bob, PERIOD)).toBe("5");
    expect(await books()).toEqual([6, 3, 3]);
    for (let times = 0; times < 2; times++) {
      expect(await takeBack(2, 0, batches)).toBe("settled");
      expect(await books()).toEqual([2, 1, 1]);
      expect(await client.hget(bob, PERIOD)).toBe("0");
    }
    expect((await charge(2, batches))[0], "again").toBe("stale");
    expect((await charge(3, batch("1")))[0], "its number is the taking back's").toBe("stale");
    expect((await charge(4, batch("1")))[0]).toBe("ok");
  });

  test("take back also the first charges of a period", async () => {
    await charge(1, batch("3"));
    await takeBack(1, 0, batch("3"));
    expect(await books()).toEqual([0, 0, 0]);
  });

  test("take nothing below nothing, nor from who is gone", async () => {
    await charge(1, batch("5"));
    await client.hset(ACCOUNT, PERIOD, 2); // as an operator may have
    await takeBack(1, 0, batch("5"));
    expect((await books())[0]).toBe(0);
    await charge(3, batch("5"));
    await client.del(ACCOUNT);
    expect(await takeBack(3, 0, batch("5"))).toBe("settled");
    expect(await client.exists(ACCOUNT)).toBe(0);
  });

  test("take back nothing of a group that another was written behind: its answer was heard", async () => {
    await charge(1, batch("1"));
    await charge(2, batch("2"));
    expect(await takeBack(1, 0, batch("1"))).toBe("settled");
    expect(await books()).toEqual([3, 2, 1]);
    expect((await charge(3, batch("1")))[0]).toBe("ok");
  });

  test("take a group back that may still come only when it cannot any more", async () => {
    expect(await takeBack(1, Date.now() + FAR_MS, batch("1"))).toBe("early");
    expect((await charge(1, batch("1")))[0]).toBe("ok");
    expect(await takeBack(2, Date.now() - 1_000, batch("1"))).toBe("settled");
    expect(await books(), "it never came").toEqual([1, 1, 0]);
    expect(await run(TAKE_BACK, SERVER, "other", 1, 0, ...batch("1"))).toBe("strange");
    expect(await books()).toEqual([1, 1, 0]);
  });

  test("write again what was lost, for who is there, once", async () => {
    const begun = [SERVER, "s", connection, 1, Date.now() + FAR_MS];
    const lost = [ACCOUNT, PERIOD, 12, CALLS, FIELD, 3];
    const nobody = ["hs:account:nobody", PERIOD, 1, CALLS, FIELD, 1];
    expect(await run(REPAIR, ...begun, ...lost, ...nobody)).toMatchObject([
      "ok",
      expect.anything(),
    ]);
    expect(await run(REPAIR, ...begun, ...lost)).toMatchObject(["stale", expect.anything()]);
    expect(await books()).toEqual([12, 3, 9]);
    expect(await client.exists("hs:account:nobody")).toBe(0);
  });

  test("let what is of no use any more go by itself", async () => {
    await charge(1, batch("1"));
    const [server, calls] = [await client.ttl(SERVER), await client.ttl(CALLS)];
    expect(server).toBeGreaterThan(WRITER_KEPT_SECONDS - 60);
    expect(calls).toBeGreaterThan(CALLS_KEPT_SECONDS - 60);
    expect(calls).toBeLessThanOrEqual(CALLS_KEPT_SECONDS);
    expect(await client.ttl(ACCOUNT), "accounts stay").toBe(-1);
  });
});
