import { afterEach, beforeEach, expect, test } from "vitest";
import { AccountsUnavailable } from "../../../../server/accounts/accounts.ts";
import { AccountsFixture } from "../../../support/accounts-fixture.ts";
import { refuseForces } from "../../../support/refused-files.ts";

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(() => fixture.close());

test("a key that the disk does not take is not shown", async () => {
  const { account } = await fixture.account("developer");
  const admin = fixture.admin();
  await admin.createKey(account.id, "test");
  const goOn = refuseForces(`${fixture.file}-wal`);
  await expect(admin.createKey(account.id, "live")).rejects.toThrow(AccountsUnavailable);
  goOn();
  await admin.createKey(account.id, "live");
  expect(await admin.listKeys(account.id)).toHaveLength(3);
});
