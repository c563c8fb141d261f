import { beforeEach, describe, expect, test } from "vitest";
import type { Adjustment } from "../../../../server/accounts/redis/charge-group.ts";
import {
  CHARGE,
  FENCE,
  REPAIR,
  WRITER_KEPT_SECONDS,
} from "../../../../server/accounts/redis/charge-scripts.ts";
import { ChargeWriter } from "../../../../server/accounts/redis/charge-writer.ts";
import { RedisClock } from "../../../../server/accounts/redis/redis-clock.ts";
import { StoreIdentity } from "../../../../server/accounts/redis/store-identity.ts";
import type { LuaScript } from "../../../../server/redis/lua-script.ts";
import type { RedisLink } from "../../../../server/redis/redis-link.ts";
import { FakeClock } from "../../../support/accounts-fixture.ts";

const WITHIN_MS = 100;
const MONTH_MS = WRITER_KEPT_SECONDS * 1000;
const CHARGED: Adjustment = {
  account: "hs:account:ann",
  field: "used:live:2026-02",
  units: 1,
  calls: "hs:calls:ann:2026-02",
  callsField: "2026-02-10|live|/dca",
  count: 1,
};

/** As much of Redis as a writer sees, on a clock that the test moves. */
class FakeRedis {
  nowMs = Date.parse("2026-02-10T00:00:00Z");
  writer: { fence: number; group: number; expiresMs: number } | undefined;
  repairs = 0;

  readonly link = {
    open: true,
    call: (command: string) => Promise.resolve(this.#call(command)),
    run: (script: LuaScript, values: readonly unknown[]) =>
      Promise.resolve(this.#run(script, values)),
    drop: () => {},
  } as unknown as RedisLink;

  #call(command: string): unknown {
    this.#expire();
    if (command === "EXPIRE" && this.writer !== undefined) {
      this.writer.expiresMs = this.nowMs + MONTH_MS;
    }
    return [String(Math.floor(this.nowMs / 1000)), "0"];
  }

  #run(script: LuaScript, values: readonly unknown[]): unknown {
    this.#expire();
    if (script !== CHARGE && script !== REPAIR && script !== FENCE) return ["store", "1"];
    if (script === FENCE) {
      const { fence = 0, group = 0 } = this.writer ?? {};
      this.writer = { fence: fence + 1, group, expiresMs: this.nowMs + MONTH_MS };
      return ["store", this.writer.fence, String(group)];
    }
    const [, , fence, group] = values as [unknown, unknown, number, number];
    if (this.writer?.fence !== fence) return ["stale", this.nowMs];
    if (script === REPAIR) this.repairs += 1;
    this.writer.group = group;
    return ["ok", this.nowMs, 0];
  }

  #expire(): void {
    if (this.writer !== undefined && this.nowMs >= this.writer.expiresMs) this.writer = undefined;
  }
}

describe("what a server wrote last, when Redis no longer knows the server", () => {
  let redis: FakeRedis;
  let clock: FakeClock;
  let warnings: string[];
  let writer: ChargeWriter;

  beforeEach(async () => {
    [redis, clock, warnings] = [new FakeRedis(), new FakeClock(), []];
    const { nowMs, monotonicMs } = clock;
    const identity = new StoreIdentity(() => {});
    const warn = (message: string) => void warnings.push(message);
    const redisClock = new RedisClock(monotonicMs);
    const clocks = { redisClock, nowMs, monotonicMs };
    writer = new ChargeWriter({ identity, ...clocks, warn, notes: undefined });
    await identity.open(redis.link, WITHIN_MS);
    await writer.recover(redis.link, WITHIN_MS);
    await write();
  });

  const write = () =>
    writer.write({
      link: redis.link,
      script: CHARGE,
      values: [],
      withinMs: WITHIN_MS,
      written: () => [CHARGED],
    });

  function pass(ms: number): void {
    clock.pass(ms);
    redis.nowMs += ms;
  }

  test("is written again if Redis came back without it", async () => {
    pass(1_000);
    redis.writer = undefined;
    await writer.recover(redis.link, WITHIN_MS);
    expect(redis.repairs).toBe(1);
    expect(warnings).toEqual(["Redis lost its last writes: 1 are written again"]);
  });

  test("stands if Redis forgot the server because nothing was heard of it for a month", async () => {
    pass(MONTH_MS);
    await writer.recover(redis.link, WITHIN_MS);
    expect([redis.repairs, warnings]).toEqual([0, []]);
  });

  test("stands if Redis forgot the server because its clock was set a month ahead", async () => {
    redis.nowMs += MONTH_MS;
    await expect(write()).rejects.toThrow("stale");
    await writer.recover(redis.link, WITHIN_MS);
    expect([redis.repairs, warnings]).toEqual([0, []]);
    await write();
  });

  test("stands also if that clock is right again when the server comes back", async () => {
    redis.nowMs += MONTH_MS;
    await expect(write()).rejects.toThrow("stale");
    redis.nowMs -= MONTH_MS;
    await writer.recover(redis.link, WITHIN_MS);
    expect([redis.repairs, warnings]).toEqual([0, []]);
  });

  test("is written again if Redis loses it after the server was heard of under the clock set ahead", async () => {
    redis.nowMs += MONTH_MS / 2;
    await write();
    pass(3_600_000);
    await writer.beHeard(redis.link, WITHIN_MS);
    redis.nowMs += MONTH_MS / 2;
    await write();
    redis.writer = undefined;
    await writer.recover(redis.link, WITHIN_MS);
    expect(redis.repairs).toBe(1);
  });
});
