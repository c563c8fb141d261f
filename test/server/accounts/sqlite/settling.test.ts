import { beforeEach, describe, expect, test } from "vitest";
import type { GroupSettlement } from "../../../../server/accounts/sqlite/group-settlement.ts";
import { MeterBusy } from "../../../../server/accounts/sqlite/held-meter.ts";
import type { MeterFile } from "../../../../server/accounts/sqlite/meter-file.ts";
import { Settling } from "../../../../server/accounts/sqlite/settling.ts";
import { until } from "../../../support/until.ts";

const ALL_ACCOUNTS_MAX = 500;
const SOME_ACCOUNTS = 100;

/** Slots whose accounts have calls that the state file has not. */
let changed: Set<number>;
/** Whether an account goes on calling, and so is never settled for long. */
let goesOn: boolean;
/** What happened: the meter file was forced to the disk, or a slot was settled. */
let events: ("sync" | number)[];
let fails: (slots: readonly number[]) => Error | undefined;
let steadyMs: number;
/** When any process began a round. */
let begunMs: number;
/** In the place of a force to the disk. */
let force: () => Promise<void>;
let settling: Settling;

beforeEach(() => {
  [changed, events, goesOn] = [new Set(), [], false];
  [steadyMs, begunMs] = [0, Number.NEGATIVE_INFINITY];
  fails = () => undefined;
  force = () => Promise.resolve();
  const meters: Pick<MeterFile, "changed" | "takeSettlingTurn" | "sync"> = {
    changed: (from, atMost) => [...changed].filter((slot) => slot >= (from ?? 0)).slice(0, atMost),
    takeSettlingTurn(nowMs, everyMs) {
      if (nowMs - begunMs < everyMs) return false;
      begunMs = nowMs;
      return true;
    },
    sync: () => {
      events.push("sync");
      return force();
    },
  };
  const settlement: Pick<GroupSettlement, "settle"> = {
    settle(slots) {
      const failure = fails(slots);
      if (failure !== undefined) throw failure;
      events.push(...slots);
      if (!goesOn) for (const slot of slots) changed.delete(slot);
    },
  };
  settling = new Settling({
    meters: meters as MeterFile,
    settlement: settlement as GroupSettlement,
    steadyMs: () => steadyMs,
  });
});

/** The round a second later. */
async function nextRound(): Promise<void> {
  steadyMs += 1_000;
  await settling.round();
}

function accounts(count: number): number[] {
  const slots = Array.from({ length: count }, (_, n) => 2 * n + 1);
  changed = new Set(slots);
  return slots;
}

describe("a round of settling", () => {
  test("takes all of up to five hundred accounts, each once", async () => {
    const slots = accounts(ALL_ACCOUNTS_MAX);
    await nextRound();
    expect(events).toEqual(slots);
  });

  test("takes a hundred of more, and forces what is counted to the disk for the others first", async () => {
    const slots = accounts(ALL_ACCOUNTS_MAX + 1);
    await nextRound();
    expect(events).toEqual(["sync", ...slots.slice(0, SOME_ACCOUNTS)]);
  });

  test.each([650, 700])("goes on where the last one ended, of %d that all go on", async (count) => {
    goesOn = true;
    const slots = accounts(count);
    for (let round = 0; round < Math.ceil(count / SOME_ACCOUNTS); round++) await nextRound();
    expect(events.filter((event) => event !== "sync")).toEqual(slots);
    events = [];
    await nextRound();
    expect(events, "and from the first again").toEqual(["sync", ...slots.slice(0, SOME_ACCOUNTS)]);
  });

  test("settles nothing of more where the disk does not take what is counted", async () => {
    accounts(ALL_ACCOUNTS_MAX + 1);
    force = () => Promise.reject(new Error("the disk is gone"));
    await expect(nextRound()).rejects.toThrow("the disk is gone");
    expect(events).toEqual(["sync"]);
  });

  test("is another process's where that has begun one", async () => {
    accounts(3);
    begunMs = 0;
    steadyMs = 899;
    await settling.round();
    expect(events).toEqual([]);
    steadyMs = 900; // nearly a second: timers are not exact
    await settling.round();
    expect(events).toHaveLength(3);
  });

  test("is one at a time", async () => {
    const slots = accounts(ALL_ACCOUNTS_MAX + 1);
    let end = () => {};
    force = () => new Promise((resolve) => (end = resolve));
    const first = nextRound();
    await nextRound();
    expect(events).toEqual(["sync"]);
    end();
    await first;
    expect(events).toEqual(["sync", ...slots.slice(0, SOME_ACCOUNTS)]);
  });

  test("leaves a record that another process is at work on for later, and no other", async () => {
    const slots = accounts(40);
    fails = (group) => (group.includes(slots[3]!) ? new MeterBusy() : undefined);
    await nextRound();
    expect(events).toEqual(slots.filter((slot) => slot !== slots[3]));
    fails = () => undefined;
    await nextRound();
    expect(events.at(-1)).toBe(slots[3]);
  });

  test("leaves what a busy state file does not take for later, and fails for any other reason", async () => {
    accounts(3);
    fails = () => Object.assign(new Error("locked"), { code: "SQLITE_BUSY" });
    await expect(nextRound()).resolves.toBeUndefined();
    fails = () => Object.assign(new Error("full"), { code: "SQLITE_FULL" });
    await expect(nextRound()).rejects.toThrow("full");
    expect(events).toEqual([]);
    fails = () => undefined;
    await nextRound();
    expect(events, "the next one begins as ever").toHaveLength(3);
  });
});

test("settling all waits for the round under way, however that ends, and leaves nobody out", async () => {
  const slots = accounts(ALL_ACCOUNTS_MAX + 1);
  let fail: (error: Error) => void = () => {};
  force = () => new Promise((_, reject) => (fail = reject));
  const round = nextRound();
  const all = settling.all();
  await until(() => events.length > 0);
  expect(events).toEqual(["sync"]);
  fail(new Error("the disk is gone"));
  await Promise.all([expect(round).rejects.toThrow("the disk is gone"), all]);
  expect(events).toEqual(["sync", ...slots]);
});
