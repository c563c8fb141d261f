import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, describe, test } from "vitest";
import { openMeterFile } from "../../../../server/accounts/sqlite/meter-file.ts";
import { CHUNK_RECORDS, HEADER_BYTES } from "../../../../server/accounts/sqlite/meter-layout.ts";
import { AccountsFixture, callerOf } from "../../../support/accounts-fixture.ts";

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

const minutesFile = () => `${fixture.file}-minutes`;

describe("the file of minutes", () => {
  /** How many of seven requests a server admits for a free account, which may make ten a minute. */
  async function admitted(key: string): Promise<number> {
    const accounts = fixture.server();
    const caller = callerOf(accounts, key, fixture.clock.wallMs);
    let count = 0;
    for (let n = 0; n < 7; n++) {
      if ((await accounts.admit(caller, fixture.clock.wallMs)).admitted) count++;
    }
    await accounts.close();
    return count;
  }

  test("that is missing, another's, of another version or cut off begins anew, and the calls stay", async () => {
    const { key } = await fixture.account("free");
    expect(await fixture.chargeCalls(fixture.server(), key, 4)).toBe(4);
    expect(await admitted(key)).toBe(7);
    expect(await admitted(key)).toBe(3);
    const other = readFileSync(minutesFile());
    rmSync(minutesFile());
    expect(await admitted(key), "missing").toBe(7);
    expect(await admitted(key)).toBe(3);
    writeFileSync(minutesFile(), other);
    expect(await admitted(key), "another's").toBe(7);
    const later = readFileSync(minutesFile());
    later.writeInt32LE(99, 4);
    writeFileSync(minutesFile(), later);
    expect(await admitted(key), "of another version").toBe(7);
    truncateSync(minutesFile(), HEADER_BYTES + 1_000);
    expect(await admitted(key), "cut off").toBe(7);
    expect(await admitted(key)).toBe(3);
    expect(await fixture.chargeCalls(fixture.server(), key, 1)).toBe(5);
  });

  test("is not put in the place of a file of somebody's own", async () => {
    await fixture.account("free");
    rmSync(minutesFile());
    writeFileSync(minutesFile(), "my diary");
    expect(() => fixture.server()).toThrow(/is not a Hindsight file of minutes/);
    expect(readFileSync(minutesFile(), "utf8")).toBe("my diary");
  });

  test("that the system does not let be opened is not taken for the meter file", async () => {
    await fixture.account("free");
    rmSync(minutesFile());
    mkdirSync(minutesFile());
    const said = `cannot open the meters of "${fixture.file}": EISDIR: `;
    expect(() => fixture.server()).toThrow(said);
  });

  test("removed under a running server stops it, so that nobody has two minutes at once", async () => {
    const { key } = await fixture.account("free");
    const running = fixture.server();
    expect(await fixture.chargeCalls(running, key, 1)).toBe(1);
    rmSync(minutesFile());
    const second = fixture.server();
    await expect(fixture.chargeCalls(running, key, 1)).rejects.toThrow("was replaced");
    expect(await fixture.chargeCalls(second, key, 1)).toBe(2);
  });

  test("removed under a running server, and grown since: an account past its end is refused and does not crash the process", async () => {
    await fixture.account("free");
    const running = openMeterFile(fixture.file);
    rmSync(minutesFile());
    const second = openMeterFile(fixture.file);
    const slot = CHUNK_RECORDS + 1;
    second.reserve(slot);
    second.at(slot).admit(1, 0);
    expect(() => running.at(slot)).toThrow("the minute file ends before an account's place in it");
    running.close();
    second.close();
  });
});
