import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsFixture } from "../../../support/accounts-fixture.ts";

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

describe("a meter file older than the state file, as the disk may have it after a power loss", () => {
  test.each(["another", undefined])("counts on from where it is (boot: %s)", async (boot) => {
    const metersFile = `${fixture.file}-meters`;
    const { key } = await fixture.account("developer");
    const first = fixture.server();
    await fixture.chargeCalls(first, key, 4);
    await first.close();
    const older = readFileSync(metersFile);
    const second = fixture.server();
    await fixture.chargeCalls(second, key, 3);
    await second.close();
    writeFileSync(metersFile, older);
    const third = fixture.server(boot === undefined ? {} : { bootId: boot });
    expect(await fixture.chargeCalls(third, key, 2)).toBe(9);
    fixture.clock.pass(1_000);
    await third.housekeep();
    expect(fixture.usedInState()).toBe(9);
    await third.close();
    expect(await fixture.chargeCalls(fixture.server(), key, 1)).toBe(10);
  });
});
