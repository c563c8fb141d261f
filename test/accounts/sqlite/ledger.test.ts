import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AccountsUnavailable, type ChargeOutcome } from "../../../accounts/accounts.ts";
import type { SqliteState } from "../../../accounts/sqlite/sqlite-state.ts";
import { AccountsFixture, callerOf, tinyPlans } from "../../support/accounts-fixture.ts";
import { charge } from "../../support/charge.ts";

/** The rules of charges in both stores are tested in test/support/accounts-contract/. */
let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

/** An account with its only key in use. */
async function opened(plan = "developer", callsPerMonth = 1_000_000) {
  const plans = tinyPlans(callsPerMonth);
  const state = await fixture.state({ plans });
  const { key } = await state.admin.createAccount({ email: "a@example.com", plan });
  const now = fixture.clock.wallMs;
  return { state, key, now, caller: callerOf(state, key, now) };
}

/** Fills the file, as on a full disk. Returns a function that makes room again. */
function fill({ ledger: { db } }: SqliteState): () => void {
  const [pages] = db.prepare("PRAGMA page_count").raw().get() as [number];
  db.exec(`PRAGMA max_page_count = ${pages}`);
  return () => db.exec(`PRAGMA max_page_count = ${pages + 100_000}`);
}

describe("requests that race at the edge of the quota", () => {
  test("get exactly what is left, a thousand in one turn and in many", async () => {
    const { state, caller, now, key } = await opened("tiny", 20);
    await charge(state, caller, 9, now);
    const all = Array.from({ length: 500 }, () => charge(state, caller, 1, now));
    for (let turn = 0; turn < 500; turn++) {
      all.push(charge(state, callerOf(state, key, now), 1, now));
      if (turn % 7 === 0) await new Promise(setImmediate);
    }
    const kinds = (await Promise.all(all)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "charged")).toHaveLength(11);
    expect(
      kinds.slice(0, 11).every((kind) => kind === "charged"),
      "the first come",
    ).toBe(true);
    expect(state.ledger.quotaOf(caller, now)).toMatchObject({ used: 20, quota: { remaining: 0 } });
    await fixture.closeState();
    expect(fixture.rows("SELECT used FROM usage")).toEqual([[20]]);
  });

  test("are decided beside a job that is charged in the same turn", async () => {
    const { state, caller, now } = await opened("tiny", 20);
    const before = charge(state, caller, 15, now);
    const job = { caller, units: 10, nowMs: now, endpoint: "/backtests" };
    const { ledger } = state;
    const refused = ledger.transaction(() => ledger.chargeNow(job));
    expect(refused.decision, "what came before is stored first").toMatchObject({
      charged: false,
      used: 15,
    });
    expect((await before).used).toBe(15);
    const fits = ledger.transaction(() => ledger.chargeNow({ ...job, units: 5 }));
    expect(fits.decision).toMatchObject({ charged: true, used: 20, quota: { remaining: 0 } });
    expect((await charge(state, caller, 1, now)).kind).toBe("quota_exceeded");
  });
});

describe("a request whose connection is gone", () => {
  test("is not charged, and counts for the rate limit all the same, also after a restart", async () => {
    const { state, caller, now, key } = await opened("free");
    const settle = () => {
      throw new Error("nothing is sent on a connection that is gone");
    };
    const connection = { open: true };
    const request = { caller, units: 1, nowMs: now, endpoint: "/dca", connection, settle };
    const leaving = { ...request, rate: state.admit(caller) };
    state.charge(leaving);
    connection.open = false; // before the turn is over
    expect((await charge(state, caller, 1, now)).used).toBe(1);
    await fixture.closeState();
    const accounts = await fixture.state();
    const { rate } = await charge(accounts, callerOf(accounts, key, now), 0, now);
    expect(rate.window.remaining, "three of ten").toBe(7);
  });
});

describe("a full disk", () => {
  test("charges nothing, answers what is free from memory, and leaves no trace once it has room", async () => {
    const { state, caller, now } = await opened();
    await charge(state, caller, 1, now, "/signals");
    const makeRoom = fill(state);
    const endpoint = "/".padEnd(9_000, "x");
    const [costly, free, refused] = await Promise.allSettled([
      charge(state, caller, 1, now, endpoint),
      charge(state, caller, 0, now, endpoint),
      charge(state, caller, 1e9, now, endpoint),
    ]);
    expect(costly).toMatchObject({ reason: expect.any(AccountsUnavailable) as Error });
    expect(free).toMatchObject({ value: { kind: "charged", used: 1 } });
    expect(refused).toMatchObject({ reason: expect.any(AccountsUnavailable) as Error });
    const job = { caller, units: 5, nowMs: now, endpoint };
    const { ledger } = state;
    expect(() => ledger.transaction(() => ledger.chargeNow(job))).toThrow(/disk is full/);
    expect(ledger.quotaOf(caller, now).used).toBe(1);
    await state.round();
    expect((await state.report(caller, now)).endpoints, "what was charged before").toEqual([
      { day: "2026-02-10", env: "live", endpoint: "/signals", calls: 1, units: 1 },
    ]);
    makeRoom();
    expect((await charge(state, caller, 1, now, endpoint)).used).toBe(2);
    await state.round();
    expect(ledger.db.prepare("SELECT used FROM usage").raw().all()).toEqual([[2]]);
  });

  test("is not ready while it takes no charge, and is again without one", async () => {
    const { state, caller, now } = await opened();
    const { db } = state.ledger;
    db.exec(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON charge_log BEGIN SELECT raise(FAIL, 'full'); END",
    );
    await state.ping();
    await expect(charge(state, caller, 1, now)).rejects.toThrow("full");
    await expect(state.ping()).rejects.toThrow(AccountsUnavailable);
    db.exec("DROP TRIGGER full");
    await state.ping();
    expect(db.prepare("SELECT count(*) FROM charge_log").raw().get()).toEqual([0]);
  });

  test("lists calls that it cannot fold", async () => {
    const { state, caller, now } = await opened();
    const { ledger } = state;
    await charge(state, caller, 1, now, "/dca");
    await state.round();
    await Promise.all([1, 1].map((units) => charge(state, caller, units, now, "/dca")));
    ledger.db.exec(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON usage BEGIN SELECT raise(FAIL, 'full'); END",
    );
    await state.round();
    expect(fixture.warnings).toEqual([expect.stringContaining("full")]);
    expect((await state.report(caller, now)).endpoints).toMatchObject([{ calls: 3, units: 3 }]);
    ledger.db.exec("DROP TRIGGER full");
    await state.round();
    expect((await state.report(caller, now)).endpoints).toMatchObject([{ calls: 3, units: 3 }]);
  });
});

describe("folding", () => {
  test("moves every row into usage, calls and recent, in slices, and leaves an empty log", async () => {
    const { state, caller, now } = await opened("tiny");
    const { ledger } = state;
    const paths = Array.from({ length: 300 }, (_, at) => `/${at}`);
    await Promise.all(paths.map((path) => charge(state, caller, 0, now, path)));
    for (let turn = 0; turn < 300; turn++) {
      const path = turn % 3 === 0 ? "/dca" : "/signals";
      await Promise.all([charge(state, caller, 1, now, path), charge(state, caller, 0, now, path)]);
    }
    const rows = (sql: string) => ledger.db.prepare(sql).raw().all();
    expect(rows("SELECT count(*) FROM charge_log")).toEqual([[301]]);
    const executed = vi.spyOn(ledger.db, "exec");
    const folded = state.round();
    await charge(state, caller, 1, now, "/dca");
    await folded;
    await state.round();
    const slices = executed.mock.calls.filter(([sql]) => sql === "COMMIT").length;
    expect(slices, "300 paths, then two in turn, then what came meanwhile").toBe(3);
    expect(rows("SELECT count(*) FROM charge_log")).toEqual([[0]]);
    expect(rows("SELECT used FROM usage")).toEqual([[301]]);
    expect(rows("SELECT endpoint, calls, units FROM calls")).toEqual([
      ["/dca", 101, 101],
      ["/signals", 200, 200],
    ]);
    expect(rows("SELECT second, requests FROM recent")).toEqual([[now / 1000, 901]]);
    fixture.clock.pass(62_000);
    await state.round();
    expect(rows("SELECT count(*) FROM recent"), "no window contains it").toEqual([[0]]);
  });

  test("cuts calls off that are older than kept, a few rows a round, and no others", async () => {
    const { state } = await opened();
    const { db } = state.ledger;
    const insert = db.prepare("INSERT INTO calls VALUES (?, 'acc', 'live', ?, 1, 1)");
    const dateOf = (days: number) =>
      new Date(fixture.clock.wallMs - days * 86_400_000).toISOString().slice(0, 10);
    for (let n = 0; n < 700; n++) insert.run([dateOf(63), `/old-${n}`]);
    insert.run([dateOf(62), "/kept"]);
    insert.run([dateOf(0), "/today"]);
    const left = () => (db.prepare("SELECT count(*) FROM calls").raw().get() as [number])[0];
    await state.round();
    expect(left()).toBe(202);
    await state.round();
    expect(left()).toBe(2);
    fixture.clock.pass(86_400_000);
    await state.round();
    expect(left(), "the next day, the next day's").toBe(1);
  });
});

describe("a job's charge", () => {
  test("is undone with its transaction, in memory too", async () => {
    const { state, caller, now } = await opened();
    const { ledger } = state;
    const job = { caller, units: 10, nowMs: now, endpoint: "/backtests" };
    expect(ledger.transaction(() => ledger.chargeNow(job))).toMatchObject({
      decision: { charged: true, used: 10 },
      period: "2026-02",
    });
    const failing = () =>
      ledger.transaction(() => {
        ledger.chargeNow(job);
        throw new Error("no job after all");
      });
    expect(failing).toThrow("no job after all");
    expect(ledger.quotaOf(caller, now).used).toBe(10);
    expect((await charge(state, caller, 1, now)).used).toBe(11);
  });

  test("goes back to the period and day that paid, and takes the call along if it is to be forgotten", async () => {
    const { state, caller, now } = await opened();
    const { ledger } = state;
    const job = { caller, units: 10, nowMs: now, endpoint: "/backtests" };
    const { period } = ledger.transaction(() => ledger.chargeNow(job));
    ledger.transaction(() => ledger.chargeNow(job));
    const march = Date.parse("2026-03-05T00:00:00Z");
    const { accountId, env } = caller;
    const payment = { accountId, env, period, units: 10, chargedMs: now, endpoint: "/backtests" };
    await charge(state, caller, 1, march);
    ledger.transaction(() => ledger.refund(payment, { forget: false }));
    ledger.transaction(() => ledger.refund(payment, { forget: true }));
    expect(ledger.quotaOf(caller, march).used).toBe(1);
    expect(ledger.quotaOf(caller, now).used).toBe(0);
    const calls = ledger.db.prepare(
      "SELECT day, calls, units FROM calls WHERE endpoint = '/backtests'",
    );
    expect(calls.raw().all()).toEqual([["2026-02-10", 1, 0]]);
  });
});

test("requests wait while the file is held, and are settled then", async () => {
  const { state, caller, now } = await opened();
  const outcomes: (ChargeOutcome | Error)[] = [];
  let release = () => {};
  const held = state.hold(() => new Promise<void>((resolve) => (release = resolve)));
  const waiting = charge(state, caller, 1, now).then((outcome) => outcomes.push(outcome));
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  expect(outcomes).toEqual([]);
  release();
  await held;
  await waiting;
  expect(outcomes).toMatchObject([{ used: 1 }]);
});
