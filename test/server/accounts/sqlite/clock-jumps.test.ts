import { afterEach, beforeEach, expect, test } from "vitest";
import { openStateFile } from "../../../../server/accounts/sqlite/state-file.ts";
import { monthOf } from "../../../../server/accounts/period.ts";
import { AccountsFixture, callerSoon, FakeClock } from "../../../support/accounts-fixture.ts";
import { seededUniform } from "../../../support/made-up-bars.ts";
import { charge } from "../../../support/charge.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

function monthsInState(): Record<string, number> {
  const db = openStateFile(fixture.file, { busyMs: 1_000 });
  const rows = db.prepare("SELECT period, sum(used) FROM usage GROUP BY period").raw().all();
  db.close();
  return Object.fromEntries(rows as [string, number][]);
}

test("two servers whose clocks jump, each for itself and over a month's edge, count every call in its month once", async () => {
  const edge = Date.parse("2026-03-01T00:00:00Z");
  const keys: string[] = [];
  for (const name of ["a", "b", "c"]) {
    keys.push((await fixture.account("scale", `${name}@example.com`)).key);
  }
  const servers = [new FakeClock(), new FakeClock()].map((clock) => {
    clock.wallMs = edge - 1;
    return { clock, accounts: fixture.server({ clock }) };
  });
  const uniform = seededUniform(3);
  const jumps = [0, 1, -1, 2, -HOUR_MS, HOUR_MS, DAY_MS, -DAY_MS, 31 * DAY_MS, -31 * DAY_MS];
  const charged: Record<string, number> = {};
  for (let step = 0; step < 300; step++) {
    const { clock, accounts } = servers[Math.floor(uniform() * 2)]!;
    clock.wallMs += jumps[Math.floor(uniform() * jumps.length)]!;
    clock.steadyMs += 10;
    const now = clock.wallMs;
    const month = monthOf(now).name;
    const key = keys[Math.floor(uniform() * keys.length)]!;
    const caller = await callerSoon(accounts, key, now);
    const calls = 1 + Math.floor(uniform() * 3);
    const decisions = await Promise.all(
      Array.from({ length: calls }, () => charge(accounts, caller, 1, now, "/dca")),
    );
    expect(decisions.every((decision) => decision.charged)).toBe(true);
    charged[month] = (charged[month] ?? 0) + calls;
    if (step % 20 === 0) await accounts.housekeep();
  }
  for (const { accounts } of servers) await accounts.close();
  expect(Object.keys(charged).length).toBeGreaterThan(1);
  expect(monthsInState()).toEqual(charged);
});
