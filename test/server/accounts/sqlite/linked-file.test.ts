import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileBehindLinks } from "../../../../server/accounts/sqlite/linked-file.ts";
import { openSqliteState } from "../../../../server/accounts/sqlite/open-sqlite-state.ts";
import { BUILT_IN_PLANS } from "../../../../server/accounts/plans.ts";
import { AccountsFixture } from "../../../support/accounts-fixture.ts";

let fixture: AccountsFixture;
let link = "";
beforeEach(() => {
  fixture = new AccountsFixture();
  link = join(fixture.folder, "links", "linked.db");
  mkdirSync(dirname(link));
  symlinkSync("../state/hindsight.db", link);
});
afterEach(() => fixture.close());

describe("a state file that is named by a symbolic link", () => {
  test("is owned, looked after and counted in by its own name", async () => {
    const { key } = await fixture.account("startup");
    const { plans, file } = { plans: BUILT_IN_PLANS, file: link };
    const linked = openSqliteState({ file, plans, clock: fixture.clock, roundMs: null });
    expect(existsSync(`${fixture.file}-owner`)).toBe(true);
    expect(await fixture.chargeCalls(linked.accounts, key, 1)).toBe(1);
    await linked.round();
    expect(await readdir(dirname(link)), "everything is beside the file").toEqual(["linked.db"]);
    await linked.close();
    expect(await fixture.chargeCalls((await fixture.state()).accounts, key, 1)).toBe(2);
  });

  test("is made where the link leads to", async () => {
    await fixture.state();
    expect(fileBehindLinks(link)).toBe(fixture.file);
    const again = join(fixture.folder, "again.db");
    symlinkSync(link, again);
    expect(fileBehindLinks(again)).toBe(fixture.file);
  });

  test("may lead to nothing yet, or round in a circle", () => {
    mkdirSync(dirname(fixture.file));
    expect(fileBehindLinks(link)).toBe(fixture.file);
    const circle = join(fixture.folder, "circle.db");
    symlinkSync(circle, circle);
    expect(fileBehindLinks(circle)).toBe(circle);
    expect(fileBehindLinks(fixture.file), "no link").toBe(fixture.file);
  });
});
