import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HEADER_BYTES } from "../../../../server/accounts/sqlite/meter-layout.ts";
import { DAY_MS } from "../../../../server/accounts/period.ts";
import { AccountsFixture, callerOf } from "../../../support/accounts-fixture.ts";

const BOOTS = [
  "01234567-89ab-cdef-0123-456789abcdef",
  "11234567-89ab-cdef-0123-456789abcdef",
  "21234567-89ab-cdef-0123-456789abcdef",
] as const;
const [ANOTHER_BOOT] = BOOTS;

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

describe("a meter file older than the state file, as the disk may have it after a power loss", () => {
  test.each([ANOTHER_BOOT, undefined])("counts on from where it is (boot: %s)", async (boot) => {
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

describe("a meter file whose pages are of different instants, as the disk may have them after a power loss", () => {
  test("settles what an account calls that the list of changed ones has lost", async () => {
    const metersFile = `${fixture.file}-meters`;
    const { key } = await fixture.account("developer");
    const first = fixture.server();
    await fixture.chargeCalls(first, key, 4);
    const changed = readFileSync(metersFile);
    await first.close();
    changed.writeInt32LE(0, HEADER_BYTES); // the list is on another page than most of its records
    writeFileSync(metersFile, changed);
    const second = fixture.server({ bootId: ANOTHER_BOOT });
    expect(await fixture.chargeCalls(second, key, 2)).toBe(6);
    fixture.clock.pass(1_000);
    await second.housekeep();
    expect(fixture.usedInState()).toBe(6);
  });

  test("empties the minutes of a boot that the header has lost", async () => {
    const metersFile = `${fixture.file}-meters`;
    const { key } = await fixture.account("free");
    const admitted = async (bootId: string) => {
      const accounts = fixture.server({ bootId });
      const now = fixture.clock.wallMs;
      const caller = callerOf(accounts, key, now);
      let count = 0;
      for (let n = 0; n < 7; n++) if ((await accounts.admit(caller, now)).admitted) count++;
      await accounts.close();
      return count;
    };
    expect(await admitted(BOOTS[0])).toBe(7);
    const header = readFileSync(metersFile).subarray(0, HEADER_BYTES);
    fixture.clock.steadyMs += 20 * DAY_MS;
    expect(await admitted(BOOTS[1])).toBe(7);
    const meters = readFileSync(metersFile);
    header.copy(meters);
    writeFileSync(metersFile, meters);
    fixture.clock.steadyMs = 1_000; // begins with the machine, so what was admitted is days ahead
    expect(await admitted(BOOTS[2])).toBe(7);
  });
});
