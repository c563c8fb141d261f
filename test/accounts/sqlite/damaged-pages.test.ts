import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { expect, test } from "vitest";
import { AccountsFixture } from "../../support/accounts-fixture.ts";

const PAGE_BYTES = 4096;

test("a file with damaged pages is not ready once they were looked at", async () => {
  const fixture = new AccountsFixture();
  try {
    for (let each = 0; each < 200; each++) await fixture.account("free", `${each}@example.com`);
    const whole = await fixture.state();
    await whole.examine();
    await whole.ping();
    await fixture.closeState();
    const file = openSync(fixture.file, "r+");
    const lastPage = statSync(fixture.file).size - PAGE_BYTES; // a leaf of accounts or keys
    writeSync(file, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, lastPage);
    closeSync(file);
    const damaged = await fixture.state();
    await damaged.ping();
    await damaged.examine();
    await expect(damaged.ping()).rejects.toThrow(
      /the state file is damaged \(.+\): restore a backup/,
    );
    expect(fixture.warnings.join()).toContain("restore a backup");
  } finally {
    await fixture.close();
  }
});
