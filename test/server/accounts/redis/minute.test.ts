import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Redis } from "ioredis";
import { ADMIT } from "../../../../server/accounts/redis/minute-script.ts";
import { RATE_WINDOW_MS } from "../../../../server/accounts/rate.ts";
import { callerOf } from "../../../support/accounts-contract/bench.ts";
import { RedisBench } from "../../../support/accounts-contract/redis-bench.ts";
import { describeOnRedis, redisOfTests } from "../../../support/redis-server.ts";

const redis = redisOfTests();
let client: Redis;
let bench: RedisBench;

beforeAll(() => {
  client = redis().client();
});
afterAll(() => client.disconnect());
beforeEach(async () => {
  bench = await RedisBench.on(redis());
});
afterEach(() => bench.close());

/** The script at an instant of the test's choosing, in microseconds. */
const AT = ADMIT.text.replace("redis.call('TIME')", "{ KEYS[1], KEYS[2] }");

async function admitAt(micros: number, limit: number, asked: number, list = "hs:minute:x") {
  const time = [Math.floor(micros / 1_000_000), micros % 1_000_000];
  const reply = await client.eval(AT, 2, ...time, list, limit, asked);
  const [admitted, count, waitMicros] = reply as [number, number, number];
  return { admitted, count, waitMicros };
}

const WINDOW_MICROS = RATE_WINDOW_MS * 1_000;
const START = 1_770_000_000_000_000;

describeOnRedis("the minute in Redis", () => {
  test("is one for all servers: of many at once exactly the limit is admitted", async () => {
    const { key } = await bench.account("free");
    const servers = await Promise.all([1, 2, 3].map(() => bench.server()));
    const decisions = await Promise.all(
      servers.flatMap((server) =>
        Array.from({ length: 20 }, async () =>
          server.admit(await callerOf(server, key, bench.nowMs), bench.nowMs),
        ),
      ),
    );
    const admitted = decisions.filter((each) => each.admitted);
    expect(admitted).toHaveLength(10);
    expect(admitted.map(({ minute }) => minute.remaining).sort((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
    for (const { retryAfterSeconds, minute } of decisions.filter((each) => !each.admitted)) {
      expect(minute.remaining).toBe(0);
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(60); // 60.001 s, rounded up, is 61
    }
  });

  test("admits again when the oldest admission is 60 seconds old, and not before", async () => {
    expect(await admitAt(START, 2, 1)).toEqual({
      admitted: 1,
      count: 1,
      waitMicros: WINDOW_MICROS,
    });
    expect((await admitAt(START + 10_000_000, 2, 3)).admitted).toBe(1);
    expect(await admitAt(START + WINDOW_MICROS - 1, 2, 1)).toMatchObject({
      admitted: 0,
      waitMicros: 1,
    });
    expect((await admitAt(START + WINDOW_MICROS, 2, 1)).admitted).toBe(1);
    expect((await admitAt(START + WINDOW_MICROS, 2, 1)).waitMicros).toBe(10_000_000);
  });

  test("says how long to wait when the limit was lowered below what is used", async () => {
    for (let n = 0; n < 5; n++) await admitAt(START + n * 1_000_000, 10, 1);
    expect(await admitAt(START + 5_000_000, 2, 1)).toEqual({
      admitted: 0,
      count: 5,
      waitMicros: WINDOW_MICROS - 2_000_000, // the fourth of the five has left by then
    });
  });

  test("never admits more than the limit in any 60 seconds, and never fewer than fit", async () => {
    const step = fc.record({
      // Often within one millisecond, sometimes nearly a window, sometimes more.
      micros: fc.oneof(fc.nat(1_500), fc.nat(WINDOW_MICROS / 4), fc.nat(2 * WINDOW_MICROS)),
      asked: fc.integer({ min: 1, max: 4 }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const list = `hs:minute:run${run++}`;
        const limit = 5;
        const admissions: number[] = [];
        let at = START;
        for (const { micros, asked } of steps) {
          at += micros;
          const atMs = at / 1_000;
          const before = admissions.filter((each) => atMs - each < RATE_WINDOW_MS).length;
          const { admitted, count } = await admitAt(at, limit, asked, list);
          expect(admitted).toBe(Math.min(asked, limit - before));
          expect(count).toBe(before + admitted);
          for (let n = 0; n < admitted; n++) admissions.push(Math.ceil(atMs));
        }
      }),
      { numRuns: 40 },
    );
  });

  test("locks nobody out for longer than a minute when Redis's clock is set back", async () => {
    expect((await admitAt(START, 2, 2)).admitted).toBe(2);
    const back = START - 3_600_000_000;
    expect(await admitAt(back, 2, 1)).toMatchObject({ admitted: 0, waitMicros: WINDOW_MICROS });
    expect((await admitAt(back + WINDOW_MICROS - 1, 2, 1)).admitted).toBe(0);
    expect((await admitAt(back + WINDOW_MICROS, 2, 1)).admitted).toBe(1);
  });

  test("keeps one entry a millisecond and forgets accounts that are idle", async () => {
    const { key, account } = await bench.account("scale");
    const server = await bench.server();
    const caller = await callerOf(server, key, bench.nowMs);
    await Promise.all(Array.from({ length: 100 }, async () => server.admit(caller, bench.nowMs)));
    const list = `hs:minute:${account.id}`;
    expect(await client.llen(list)).toBe(2);
    expect(await client.pttl(list)).toBeGreaterThan(RATE_WINDOW_MS - 5_000);
  });

  test("does not ask again for one that was refused until there is room", async () => {
    const { key, account } = await bench.account("free");
    const server = await bench.server();
    const caller = await callerOf(server, key, bench.nowMs);
    for (let n = 0; n < 11; n++) await server.admit(caller, bench.nowMs);
    await client.del(`hs:minute:${account.id}`);
    const refused = await server.admit(caller, bench.nowMs);
    expect(refused.admitted).toBe(false);
    await bench.pass(RATE_WINDOW_MS - 10_000);
    expect((await server.admit(caller, bench.nowMs)).admitted).toBe(false);
    await bench.pass(refused.retryAfterSeconds * 1_000 - (RATE_WINDOW_MS - 10_000)); // up to 61 s in all
    expect((await server.admit(caller, bench.nowMs)).admitted).toBe(true);
  });
});
