import { cpSync, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { monthOf } from "../../../accounts/in-force.ts";
import { openSqliteState } from "../../../accounts/sqlite/open-sqlite-state.ts";
import type { SqliteState } from "../../../accounts/sqlite/sqlite-state.ts";
import { BUILT_IN_PLANS } from "../../../accounts/plans.ts";
import { AccountsFixture, callerOf } from "../../support/accounts-fixture.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { charge } from "../../support/charge.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let fixture: AccountsFixture;
let copies: SqliteState[];
beforeEach(() => {
  fixture = new AccountsFixture();
  copies = [];
});
afterEach(async () => {
  for (const copy of copies) await copy.close();
  await fixture.close();
});

/** The state as another process would find it if this one were killed now. */
function killed(clock = fixture.clock): SqliteState {
  const folder = join(fixture.folder, `copy-${copies.length}`);
  cpSync(dirname(fixture.file), folder, { recursive: true });
  const file = join(folder, "hindsight.db");
  const state = openSqliteState({ file, plans: BUILT_IN_PLANS, clock, roundMs: null });
  copies.push(state);
  return state;
}

/** The number of these requests that the rate limit admits. */
async function admittedOf(state: SqliteState, key: string, requests: number): Promise<number> {
  const now = fixture.clock.wallMs;
  const caller = callerOf(state, key, now);
  const all = Array.from({ length: requests }, () => charge(state, caller, 0, now));
  return (await Promise.all(all)).filter(({ kind }) => kind === "charged").length;
}

describe("after a kill", () => {
  test.each([false, true])("every answered call is there, folded or not (%s)", async (isFolded) => {
    const { key } = await fixture.account("developer");
    const state = await fixture.state();
    expect(await fixture.chargeCalls(state, key, 7)).toBe(7);
    if (isFolded) await state.round();
    const after = killed();
    const now = fixture.clock.wallMs;
    const caller = callerOf(after, key, now);
    expect(after.ledger.quotaOf(caller, now).used).toBe(7);
    expect((await after.report(caller, now)).endpoints).toMatchObject([{ calls: 7 }]);
    expect(await fixture.chargeCalls(after, key, 1)).toBe(8);
  });

  test("calls of one turn are with their accounts and endpoints, alike or not", async () => {
    const state = await fixture.state();
    const one = (await fixture.account("developer", "one@example.com")).key;
    const two = (await fixture.account("developer", "two@example.com")).key;
    const now = fixture.clock.wallMs;
    const call = (key: string, endpoint: string) =>
      charge(state, callerOf(state, key, now), 1, now, endpoint);
    const paths = ["/dca", "/signals", "/signals", "/dca", "/dca"];
    await Promise.all(paths.flatMap((path) => [call(one, path), call(two, path)]));
    await Promise.all([call(two, "/dca"), call(one, "/signals"), call(one, "/signals")]);
    const after = killed();
    const callsOf = async (key: string) =>
      (await after.report(callerOf(after, key, now), now)).endpoints.map(({ calls }) => calls);
    expect([await callsOf(one), await callsOf(two)]).toEqual([
      [3, 4],
      [4, 2],
    ]);
  });

  test("no 60 seconds have more requests than the rate limit, wherever the restart falls", async () => {
    const { key } = await fixture.account("free"); // ten a minute
    const state = await fixture.state();
    fixture.clock.pass(300);
    expect(await admittedOf(state, key, 4)).toBe(4);
    fixture.clock.pass(30_500);
    expect(await admittedOf(state, key, 5)).toBe(5);
    await state.round();
    const at = new FakeClock();
    at.wallMs = fixture.clock.wallMs;
    at.steadyMs = 5_000_000; // a steady clock begins anew with each boot
    const after = killed(at);
    expect(await admittedOf(after, key, 3), "nine were admitted").toBe(1);
    at.pass(29_500); // the first four were at 0.3 s, 60 s ago
    expect(await admittedOf(after, key, 9), "a second counts at its end").toBe(0);
    at.pass(700);
    expect(await admittedOf(after, key, 9)).toBe(4);
    at.pass(31_000);
    expect(await admittedOf(after, key, 9), "the five and the one").toBe(6);
  });

  test("seconds in the future, from a clock that was set back, count as now and only once", async () => {
    const { key } = await fixture.account("free");
    const state = await fixture.state();
    expect(await admittedOf(state, key, 8)).toBe(8);
    const at = new FakeClock();
    at.wallMs = fixture.clock.wallMs - HOUR_MS;
    const after = killed(at);
    expect(await admittedOf(after, key, 8)).toBe(2);
    at.pass(60_001);
    expect(await admittedOf(after, key, 20), "not an hour later").toBe(10);
    expect(after.ledger.db.prepare("SELECT max(second) FROM recent").raw().get()).toEqual([
      Math.floor((fixture.clock.wallMs - HOUR_MS) / 1000),
    ]);
  });
});

test("a server whose clock jumps over a month's edge counts every call in its month once", async () => {
  const edge = Date.parse("2026-03-01T00:00:00Z");
  const { clock } = fixture;
  clock.wallMs = edge - 1;
  const keys: string[] = [];
  for (const name of ["a", "b", "c"]) {
    keys.push((await fixture.account("scale", `${name}@example.com`)).key);
  }
  const uniform = seededUniform(3);
  const jumps = [0, 1, -1, 2, -HOUR_MS, HOUR_MS, DAY_MS, -DAY_MS, 31 * DAY_MS, -31 * DAY_MS];
  const charged: Record<string, number> = {};
  for (let step = 0; step < 300; step++) {
    const state = await fixture.state();
    clock.wallMs += jumps[Math.floor(uniform() * jumps.length)]!;
    clock.steadyMs += 1_000;
    const now = clock.wallMs;
    const month = monthOf(now).name;
    const caller = callerOf(state, keys[Math.floor(uniform() * keys.length)]!, now);
    const calls = 1 + Math.floor(uniform() * 3);
    const outcomes = await Promise.all(
      Array.from({ length: calls }, () => charge(state, caller, 1, now, "/dca")),
    );
    expect(outcomes.every(({ kind }) => kind === "charged")).toBe(true);
    charged[month] = (charged[month] ?? 0) + calls;
    if (step % 20 === 0) await state.round();
    if (step % 50 === 0) await fixture.closeState();
  }
  await fixture.closeState();
  expect(Object.keys(charged).length).toBeGreaterThan(1);
  const months = fixture.rows("SELECT period, sum(used) FROM usage GROUP BY period");
  expect(Object.fromEntries(months as [string, number][])).toEqual(charged);
});

test("an orderly end leaves nothing in the log beside the file", async () => {
  const { key } = await fixture.account("free");
  await fixture.chargeCalls(await fixture.state(), key, 1);
  await fixture.closeState();
  const log = `${fixture.file}-wal`;
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
  expect(fixture.rows("SELECT count(*) FROM charge_log")).toEqual([[0]]);
  expect(fixture.warnings).toEqual([]);
});
