import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EmbeddedAccounts } from "../../../../server/accounts/embedded/embedded-accounts.ts";
import { openStateFile } from "../../../../server/accounts/embedded/state-file.ts";
import { AccountsFixture, callerSoon } from "../../../support/accounts-fixture.ts";

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

/** Charges so many calls and returns what is used then. */
async function chargeCalls(accounts: EmbeddedAccounts, key: string, calls: number) {
  const now = fixture.clock.wallMs;
  const caller = await callerSoon(accounts, key, now);
  let used = 0;
  for (let n = 0; n < calls; n++) ({ used } = await accounts.charge(caller, 1, now, "/signals"));
  return used;
}

/** What the state file alone has. */
function usedInState(): number {
  const db = openStateFile(fixture.file, { busyMs: 1_000 });
  const [used] = db.prepare("SELECT coalesce(sum(used), 0) FROM usage").raw().get() as [number];
  db.close();
  return used;
}

describe("a meter file older than the state file, as the disk may have it behind a power loss", () => {
  test.each(["another", undefined])("counts on from where it is (boot: %s)", async (boot) => {
    const metersFile = `${fixture.file}-meters`;
    const { key } = await fixture.account("developer");
    const first = fixture.server();
    await chargeCalls(first, key, 4);
    await first.close();
    const older = readFileSync(metersFile);
    const second = fixture.server();
    await chargeCalls(second, key, 3);
    await second.close();
    writeFileSync(metersFile, older);
    const third = fixture.server(boot === undefined ? {} : { bootId: boot });
    expect(await chargeCalls(third, key, 2)).toBe(9);
    fixture.clock.pass(1_000);
    await third.housekeep();
    expect(usedInState()).toBe(9);
    await third.close();
    expect(await chargeCalls(fixture.server(), key, 1)).toBe(10);
  });
});
