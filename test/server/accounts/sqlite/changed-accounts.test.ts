import { afterEach, beforeEach, expect, test } from "vitest";
import { openMeterFile } from "../../../../server/accounts/sqlite/meter-file.ts";
import { CHUNK_RECORDS } from "../../../../server/accounts/sqlite/meter-layout.ts";
import { AccountsFixture } from "../../../support/accounts-fixture.ts";

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

test("a meter file lists what has changed, from any account on and as many as are asked for", async () => {
  await fixture.account("developer");
  const file = openMeterFile(fixture.file);
  const slots = [1, 2, 31, 32, 63, 64, 1_023, 1_025, 1_056, 2_047];
  file.reserve(CHUNK_RECORDS);
  for (const slot of slots) {
    const meter = file.at(slot);
    meter.lock();
    const epoch = meter.open("live", { period: 1, day: 1 }, 0);
    meter.unlock();
    meter.charge({ env: "live", epoch }, 0, 1);
  }
  for (let from = 0; from <= 2 * CHUNK_RECORDS; from++) {
    const expected = slots.filter((slot) => slot >= from);
    expect(file.changed(from)).toEqual(expected);
    expect(file.changed(from, 3)).toEqual(expected.slice(0, 3));
  }
  file.close();
});
