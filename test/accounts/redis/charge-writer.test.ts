import { beforeEach, describe, expect, test } from "vitest";
import {
  ADJUST,
  CHARGE,
  FENCE,
  REFUSED,
  WRITER_KEPT_SECONDS,
} from "../../../accounts/redis/charge-scripts.ts";
import type { Adjustment } from "../../../accounts/redis/charge-group.ts";
import { ChargeWriter } from "../../../accounts/redis/charge-writer.ts";
import { AccountsUnavailable } from "../../../accounts/accounts.ts";
import type { LuaScript } from "../../../accounts/redis/lua-script.ts";
import type { RedisLink } from "../../../accounts/redis/redis-link.ts";
import { FakeClock } from "../../support/fake-clock.ts";

const WITHIN_MS = 100;
const MONTH_MS = WRITER_KEPT_SECONDS * 1000;
const USED = "used:live:2026-02";
const CALLS = "2026-02-10|live|/dca";
/** One call of an account, and the reply of `CHARGE` if it passes. */
const VALUES = ["ann", "1", 60, "0", [[USED, 100, CALLS, 1]]] as const;
const ANSWER = "[1,[1,1,0,0,1]]";

const again = (count: number, admitted = count): Adjustment[] => [
  { accountId: "ann", admitted, used: USED, calls: CALLS, units: count, count },
];

/** A fake of the parts of Redis that a writer uses, on a clock that the test moves. */
class FakeRedis {
  nowMs = Date.parse("2026-02-10T00:00:00Z");
  writer: { fence: number; group: number; answer: string; expiresMs: number } | undefined;
  adjusted: Adjustment[][] = [];
  /** The fate of the next group: only its answer is lost, or the group itself. */
  loses: "answer" | "group" | undefined;
  #open = true;

  get link(): RedisLink {
    const open = () => this.#open;
    return {
      get open() {
        return open();
      },
      call: () => Promise.resolve(this.#refresh()),
      run: async (script: LuaScript, values: readonly unknown[]) => this.#run(script, values),
      drop: () => {},
    } as unknown as RedisLink;
  }

  connect(): RedisLink {
    this.#open = true;
    return this.link;
  }

  #refresh(): void {
    if (this.#live() !== undefined) this.writer!.expiresMs = this.nowMs + MONTH_MS; // it lives
  }

  #live() {
    if (this.writer !== undefined && this.nowMs >= this.writer.expiresMs) this.writer = undefined;
    return this.writer;
  }

  #run(script: LuaScript, values: readonly unknown[]): unknown {
    if (script === FENCE) {
      const { fence = 0, group = 0, answer = "" } = this.#live() ?? {};
      this.writer = { fence: fence + 1, group, answer, expiresMs: this.nowMs + MONTH_MS };
      return [this.writer.fence, group, answer];
    }
    const [, fence, group, sent] = values as [unknown, number, number, string];
    const writer = this.#live();
    if (writer?.fence !== fence) return REFUSED;
    const lost = this.loses;
    this.loses = undefined;
    const answer = script === CHARGE ? ANSWER : "[1]";
    if (lost !== "group") {
      Object.assign(writer, { group, answer });
      if (script === ADJUST) this.adjusted.push(JSON.parse(sent) as Adjustment[]);
    }
    if (lost === undefined) return answer;
    this.#open = false;
    throw new AccountsUnavailable("no answer");
  }
}

describe("what a server sent to a Redis that failed", () => {
  let redis: FakeRedis;
  let clock: FakeClock;
  let warnings: string[];
  let writer: ChargeWriter;

  beforeEach(async () => {
    [redis, clock, warnings] = [new FakeRedis(), new FakeClock(), []];
    const warn = (message: string) => void warnings.push(message);
    writer = new ChargeWriter({ monotonicMs: clock.monotonicMs, warn });
    await recover();
    await write();
  });

  const write = () => writer.charge(redis.link, [VALUES], WITHIN_MS);
  const recover = () => writer.recover(redis.connect(), WITHIN_MS);

  function pass(ms: number): void {
    clock.pass(ms);
    redis.nowMs += ms;
  }

  test("is reversed if it was written and not answered", async () => {
    redis.loses = "answer";
    await expect(write()).rejects.toThrow(AccountsUnavailable);
    expect(writer.owes).toBe(true);
    await recover();
    expect(redis.adjusted).toEqual([again(-1)]);
    expect(writer.owes).toBe(false);
    await recover();
    expect(redis.adjusted, "once").toHaveLength(1);
  });

  test("is not reversed if it was never written", async () => {
    redis.loses = "group";
    await expect(write()).rejects.toThrow(AccountsUnavailable);
    await recover();
    expect(redis.adjusted).toEqual([]);
    expect(writer.owes).toBe(false);
  });

  test.each([
    ["answer", 1],
    ["group", 2],
  ] as const)("is reversed once if the reversal's own %s is lost", async (lost, sent) => {
    redis.loses = "answer";
    await expect(write()).rejects.toThrow(AccountsUnavailable);
    redis.loses = lost;
    await expect(recover()).rejects.toThrow(AccountsUnavailable);
    expect(writer.owes).toBe(true);
    await recover();
    expect(redis.adjusted).toEqual([again(-1)]);
    expect(redis.writer?.group).toBe(2 + sent);
  });

  test("is written and reversed again if Redis lost both", async () => {
    redis.loses = "answer";
    await expect(write()).rejects.toThrow(AccountsUnavailable);
    await recover();
    redis.adjusted = [];
    redis.writer!.group = 1; // it has one
    await recover();
    expect(redis.adjusted, "which is the same as neither").toEqual([]);
  });

  test("is written again if Redis came back without it", async () => {
    pass(1_000);
    redis.writer = undefined;
    await recover();
    expect(redis.adjusted).toEqual([again(1)]);
    expect(warnings).toEqual(["Redis lost its last writes: 1 groups are written again"]);
  });

  test("counts no more for the rate if it is written again after a minute", async () => {
    pass(60_001);
    redis.writer = undefined;
    await recover();
    expect(redis.adjusted).toEqual([again(1, 0)]);
  });

  test("is written again in one go, however many groups it was", async () => {
    for (let n = 0; n < 4; n++) await write();
    redis.writer!.group = 2; // it has one
    await recover();
    expect(redis.adjusted).toEqual([again(3)]);
  });

  test("is not written again if Redis forgot the server because its clock was set a month ahead", async () => {
    pass(6_001);
    await writer.tend(redis.link, WITHIN_MS);
    await write();
    redis.nowMs += MONTH_MS;
    await expect(write()).rejects.toThrow("no longer knows this process");
    await recover();
    expect(redis.adjusted).toEqual([]);
    await write();
  });

  test("is short, which is said, if Redis lost more than is remembered", async () => {
    for (let n = 0; n < 3; n++) await write();
    pass(6_001);
    await writer.tend(redis.link, WITHIN_MS);
    redis.writer!.group = 2; // it has one
    await recover();
    expect(redis.adjusted).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("usage is short")]);
  });
});
