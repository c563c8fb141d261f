import { mkdirSync, symlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileBehindLinks } from "../../../../server/accounts/sqlite/linked-file.ts";
import { openEmbeddedHome } from "../../../../server/jobs/sqlite/embedded-home.ts";
import { AccountsFixture, callerOf } from "../../../support/accounts-fixture.ts";
import { acceptedId, submissionOf } from "../../../support/job-steps.ts";

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
  test("takes jobs, is looked after, and counts with who comes by its own name", async () => {
    const { key } = await fixture.account("startup");
    const accounts = fixture.server({ file: link });
    const others = fixture.server();
    const now = fixture.clock.wallMs;
    const { monotonicMs } = fixture.clock;
    const report = (message: string) => {
      throw new Error(message);
    };
    const home = openEmbeddedHome({
      stateFile: link,
      accounts,
      snapshots: undefined,
      monotonicMs,
      report,
    });
    const caller = callerOf(accounts, key, now);
    const outcome = await home.submit(submissionOf(fixture, caller));
    await home.secure(outcome);
    expect(acceptedId(outcome)).toBeGreaterThan(0);
    await accounts.housekeep();
    expect(fixture.warnings).toEqual([]);
    const { used } = accounts.quota(caller, now);
    expect(await fixture.chargeCalls(others, key, 1)).toBe(used + 1);
    expect(await fixture.chargeCalls(accounts, key, 1)).toBe(used + 2);
    expect(await readdir(dirname(link)), "everything is beside the file").toEqual(["linked.db"]);
    await home.close();
  });

  test("is made where the link leads to", async () => {
    await fixture.admin().close();
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
