import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "../../../../server/accounts/accounts.ts";
import type { EmbeddedAccounts } from "../../../../server/accounts/sqlite/embedded-accounts.ts";
import { openStateFile, type Connection } from "../../../../server/accounts/sqlite/state-file.ts";
import { parsePlans } from "../../../../server/accounts/plans.ts";
import { EmbeddedJobs } from "../../../../server/jobs/sqlite/embedded-jobs.ts";
import { AccountsFixture, callerOf } from "../../../support/accounts-fixture.ts";
import { holding } from "../../../support/held-snapshots.ts";
import type { Submission } from "../../../../server/jobs/job-store.ts";
import { acceptedId, FAILURE, REQUEST } from "../../../support/job-steps.ts";
import { charge } from "../../../support/charge.ts";

const CALLS = 105;
const UNITS = 10;

const plan = { name: "small", price_usd: 1, calls_per_month: CALLS, rate_per_minute: 1_000 };
const sold = { ...plan, backtest_units: UNITS, concurrent_runs: 100 };
const plans = parsePlans(JSON.stringify({ plans: [sold] }), "small");

let fixture: AccountsFixture;
let servers: EmbeddedAccounts[];
let connections: Connection[] = [];
let key: string;
let accountId: string;

beforeEach(async () => {
  fixture = new AccountsFixture();
  const made = await fixture.account("small", "ann@example.com", plans);
  ({ key } = made);
  accountId = made.account.id;
  servers = [fixture.server({ plans }), fixture.server({ plans })];
});

afterEach(async () => {
  for (const db of connections) db.close();
  connections = [];
  await fixture.close();
});

/** The jobs as one of the two servers sees them. */
function jobsOf(server: number): EmbeddedJobs {
  const db = openStateFile(fixture.file, { busyMs: 250 });
  connections.push(db);
  const ledger = servers[server]!.ledgerOn(db);
  const own = { snapshots: holding("s1"), isAlive: () => true, pid: server + 1, pidNamespace: "" };
  return new EmbeddedJobs({ db, ledger, ...own });
}

function callerAt(server: number): Caller {
  return callerOf(servers[server]!, key, fixture.clock.wallMs);
}

async function call(server: number): Promise<boolean> {
  const now = fixture.clock.wallMs;
  return (await charge(servers[server]!, callerAt(server), 1, now, "/dca")).charged;
}

function submission(server: number): Submission {
  const source = { snapshotId: "s1", attribution: { snapshot: "s1" }, idempotencyKey: undefined };
  return { caller: callerAt(server), request: REQUEST, ...source, nowMs: fixture.clock.wallMs };
}

const used = (server: number) =>
  servers[server]!.quota(callerAt(server), fixture.clock.wallMs).used;

describe("jobs and calls of one account", () => {
  test("see each other at once, on two servers", async () => {
    const jobs = jobsOf(1);
    expect(await call(0)).toBe(true);
    expect(jobs.submit(submission(1))).toMatchObject({ kind: "accepted", month: { used: 11 } });
    expect(used(0)).toBe(11);
    expect(await call(0)).toBe(true);
    expect(used(1)).toBe(12);
    const { allowances } = await fixture.admin(plans).usageOf(accountId);
    expect(allowances[0]?.used).toBe(12);
  });

  test("fill the month to its last unit and not beyond, in any order", async () => {
    const jobs = [jobsOf(0), jobsOf(1)];
    let calls = 0;
    let runs = 0;
    for (let turn = 0; turn < CALLS; turn++) {
      const server = turn % 2;
      if (await call(server)) calls++;
      if (turn % 3 > 0) continue;
      const { kind } = jobs[1 - server]!.submit(submission(1 - server));
      expect(["accepted", "quota_exceeded"]).toContain(kind);
      if (kind === "accepted") runs++;
      expect(calls + runs * UNITS).toBeLessThanOrEqual(CALLS);
    }
    expect(calls + runs * UNITS).toBe(CALLS);
    expect([used(0), used(1)]).toEqual([CALLS, CALLS]);
  });

  test("are charged one after the other, and all or nothing", () => {
    const jobs = jobsOf(0);
    const outcomes = Array.from({ length: 11 }, () => jobs.submit(submission(0)));
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 10 }, () => "accepted"),
      "quota_exceeded",
    ]);
    expect(used(1)).toBe(100);
  });

  test("have room on every server at once when one is refunded", async () => {
    const jobs = jobsOf(0);
    for (let n = 0; n < 10; n++) acceptedId(jobs.submit(submission(0)));
    for (let n = 0; n < 5; n++) expect(await call(1)).toBe(true);
    expect(await call(1)).toBe(false);
    jobs.finish(jobs.claim(fixture.clock.wallMs)!, FAILURE, fixture.clock.wallMs);
    expect(await call(1)).toBe(true);
    expect(used(0)).toBe(96);
  });
});
