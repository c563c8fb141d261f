import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { openSqliteState } from "../../accounts/sqlite/open-sqlite-state.ts";
import { environmentOf } from "../../accounts/keys.ts";
import { BUILT_IN_PLANS } from "../../accounts/plans.ts";
import {
  chargeKey,
  create,
  json,
  runCommand,
  useStateFolder,
  type Created,
} from "../support/command-line.ts";

const at = useStateFolder();

/** A file with a plan of this name. */
function planFile(name: string): string {
  const file = join(at.folder, "plans.json");
  const limits = { price_usd: null, calls_per_month: 5, rate_per_minute: 5 };
  const plan = { name, ...limits, backtest_units: null, concurrent_runs: null };
  writeFileSync(file, JSON.stringify({ plans: [plan] }));
  return file;
}

describe("hindsight accounts", () => {
  test("create --json prints exactly account_id, key and plan; without --plan the plan is trial", async () => {
    const made = await json<Created>("accounts", "create", "--email", "ann@example.com");
    expect(Object.keys(made)).toEqual(["account_id", "key", "plan"]);
    expect(made.account_id).toMatch(/^acc_/);
    expect(environmentOf(made.key)).toBe("live");
    expect(made.plan).toBe("trial");
    expect(statSync(at.state).mode & 0o777).toBe(0o600);
    expect(statSync(join(at.folder, "state")).mode & 0o777).toBe(0o700);
  });

  test("create tells a person the key and what to do with it", async () => {
    const { out } = await runCommand("accounts", "create", "--email", "ann@example.com");
    const key = /hs_live_\w{36}/.exec(out)?.[0] ?? "";
    expect(environmentOf(key)).toBe("live");
    expect(out).toContain("shown this once");
    expect(out).toContain(`curl -H 'Authorization: Bearer ${key}'`);
    expect(out).toMatch(
      /1,000 calls until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, then free; 30 a minute/,
    );
  });

  test("says where it cannot look, instead of that there is no account", async () => {
    const { code, out, err } = await runCommand("accounts", "list", "--state", "package.json/x.db");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain('cannot open the state file "package.json/x.db"');
  });

  test("list and show", async () => {
    const ann = await create();
    const bob = await create("bob@example.com", "free");
    const listed = await json<{ account_id: string; email: string; plan: string }[]>(
      "accounts",
      "list",
    );
    const rows = new Map(listed.map((row) => [row.account_id, `${row.email} ${row.plan}`]));
    expect(rows.get(ann.account_id)).toBe("ann@example.com developer");
    expect(rows.get(bob.account_id)).toBe("bob@example.com free");
    expect(rows.size).toBe(2);
    expect((await runCommand("accounts", "list")).out.split("\n")).toHaveLength(4);
    const shown = await runCommand("accounts", "show", "ANN@example.com");
    expect(shown.out).toContain('the plan "developer" (10,000 calls a month; 60 a minute)');
    expect(shown.out).toMatch(/Live keys: 0 of 10,000 calls used in \d{4}-\d\d, 10,000 left/);
    expect(shown.out).toContain(`${ann.key.slice(0, 12)}...${ann.key.slice(-4)}`);
    expect(shown.out).not.toContain(ann.key);
    expect(await json("accounts", "show", ann.account_id)).toMatchObject({
      account_id: ann.account_id,
      plan: "developer",
      trial_ends_at: null,
      usage: [
        { env: "live", limit: 10_000 },
        { env: "test", limit: 100 },
      ],
      keys: [{ env: "live", prefix: ann.key.slice(0, 12), revoked_at: null }],
    });
  });

  test.each([
    [["ann@example.com", "startup"]],
    [["--email", "ann@example.com", "startup"]],
    [["--email", "ann@example.com", "--plan", "startup"]],
    [["ann@example.com", "--plan", "startup"]],
  ])("set-plan %j", async (args) => {
    await create();
    expect(await json("accounts", "set-plan", ...args)).toMatchObject({ plan: "startup" });
    expect(await json("accounts", "show", "ann@example.com")).toMatchObject({ plan: "startup" });
  });

  test.each([
    ["account", ["one@example.com", "startup", "--account", "two@example.com"], "one@example.com"],
    ["account", ["one@example.com", "startup", "--email", "two@example.com"], "one@example.com"],
    ["plan", ["one@example.com", "startup", "--plan", "scale"], "startup"],
    ["plan", ["--email", "one@example.com", "startup", "--plan", "scale"], "startup"],
  ])("set-plan refuses two of an %s: %j", async (what, args, word) => {
    const asked = await runCommand("accounts", "set-plan", ...args);
    expect(asked.code).toBe(2);
    expect(asked.err).toMatch(
      new RegExp(`^error: the ${what} is given twice: as "${word}" and by --\\w+\\n$`),
    );
    expect(existsSync(at.state)).toBe(false);
  });

  test.each([
    [["--account", "acc_1", "--email", "one@example.com"], "by --account and by --email"],
    [["one@example.com", "--account", "acc_1"], 'as "one@example.com" and by --account'],
  ])("show refuses two of an account: %j", async (options, how) => {
    const err = `error: the account is given twice: ${how}\n`;
    expect(await runCommand("accounts", "show", ...options)).toEqual({ code: 2, out: "", err });
  });

  test("the command line takes precedence over variables, and no variable sets a plan", async () => {
    await create();
    await create("bob@example.com");
    vi.stubEnv("HINDSIGHT_ACCOUNT", "ann@example.com");
    vi.stubEnv("HINDSIGHT_PLAN", "scale");
    const changed = (...args: string[]) => json("accounts", "set-plan", ...args);
    const bob = { email: "bob@example.com", plan: "startup" };
    expect(await changed("bob@example.com", "startup")).toMatchObject(bob);
    expect(await changed("--email", "bob@example.com", "startup")).toMatchObject(bob);
    expect(await changed("bob@example.com", "--plan", "startup")).toMatchObject(bob);
    expect(await changed("free")).toMatchObject({ email: "ann@example.com", plan: "free" });
    vi.stubEnv("HINDSIGHT_EMAIL", "bob@example.com");
    expect(await changed("free"), "of the two, the id").toMatchObject({ email: "ann@example.com" });
    vi.stubEnv("HINDSIGHT_ACCOUNT", undefined);
    expect(await changed("free")).toMatchObject({ email: "bob@example.com", plan: "free" });
  });

  test("set-plan says what holds from now on, and refuses a plan that there is not", async () => {
    const { account_id: id } = await create();
    const { code, out } = await runCommand("accounts", "set-plan", id, "startup");
    expect([code, out]).toEqual([
      0,
      `Account ${id} is on the plan "startup" (100,000 calls a month; 180 a minute) from its next request on; what it has used is kept.\n`,
    ]);
    const refused = await runCommand("accounts", "set-plan", id, "start");
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toMatch(
      /^error: there is no plan "start": [^\n]*; did you mean "startup"\?\n$/,
    );
    expect(await json("accounts", "show", id)).toMatchObject({ plan: "startup" });
  });

  test("show says what is used and left, by kind of key, never less than nothing", async () => {
    const made = await create();
    const { account_id: id } = made;
    await chargeKey(at.state, made.key, 150);
    const usage = async () => (await json<{ usage: object[] }>("accounts", "show", id)).usage;
    expect(await usage()).toMatchObject([
      { env: "live", used: 150, limit: 10_000, remaining: 9_850 },
      { env: "test", used: 0, limit: 100, remaining: 100 },
    ]);
    await runCommand("accounts", "set-plan", id, "free");
    expect((await usage())[0]).toMatchObject({ used: 150, limit: 100, remaining: 0 });
    const { out } = await runCommand("accounts", "show", id);
    expect(out).toMatch(/^Live keys: 150 of 100 calls used in \d{4}-\d\d, 0 left until /m);
    expect(out).toMatch(/^Test keys: 0 of 100 calls used in \d{4}-\d\d, 100 left until /m);
    expect(out).toMatch(/^Created \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\.$/m);
    expect(out).toMatch(/  in force$/m);
  });

  test("show says when a trial ends, and what of it is used", async () => {
    const { account_id: id } = await create("tim@example.com", "trial");
    const { created_at: created, trial_ends_at: ends } = await json<Record<string, string>>(
      "accounts",
      "show",
      id,
    );
    expect(Date.parse(ends!) - Date.parse(created!)).toBe(14 * 86_400_000);
    const { out } = await runCommand("accounts", "show", id);
    expect(out).toContain(`0 of 1,000 calls used in the trial, 1,000 left until ${ends}.`);
  });

  test("list is whole beyond a page, for people and for programs", async () => {
    const clock = { nowMs: Date.now, monotonicMs: () => 0 };
    const state = openSqliteState({ file: at.state, plans: BUILT_IN_PLANS, clock });
    const { admin } = state;
    const ids: string[] = [];
    for (let n = 0; n < 1_001; n++) {
      const { account } = await admin.createAccount({ email: `a${n}@example.com`, plan: "free" });
      ids.push(account.id);
    }
    await state.close();
    const listed = await json<{ account_id: string; email: string }[]>("accounts", "list");
    const emails = new Map(listed.map((row) => [row.account_id, row.email]));
    expect([listed.length, emails.size]).toEqual([1_001, 1_001]);
    expect(ids.map((id) => emails.get(id))).toEqual(ids.map((_, n) => `a${n}@example.com`));
    const [titles, ...lines] = (await runCommand("accounts", "list")).out.trimEnd().split("\n");
    expect(titles).toMatch(/^account +plan +created +e-mail$/);
    expect(lines.map((line) => line.split(/ +/)[0])).toEqual(listed.map((row) => row.account_id));
    const starts = [titles!, ...lines].map((line) => line.lastIndexOf(" "));
    expect(new Set(starts).size, "every page lines up with the titles").toBe(1);
  });

  test("take plans from --plans and HINDSIGHT_PLANS", async () => {
    const file = planFile("load");
    const args = ["accounts", "create", "--plan", "load", "--email"];
    expect(await json(...args, "a@example.com", "--plans", file)).toMatchObject({ plan: "load" });
    vi.stubEnv("HINDSIGHT_PLANS", file);
    expect(await json(...args, "b@example.com")).toMatchObject({ plan: "load" });
    writeFileSync(file, "{");
    expect(await runCommand(...args, "c@example.com")).toEqual({
      code: 2,
      out: "",
      err: `error: the plan file "${file}" is not JSON\n`,
    });
  });

  test("shows what it can of an account whose plan is in no table", async () => {
    const file = planFile("gone");
    const email = ["--email", "lost@example.com"];
    await runCommand("accounts", "create", "--plan", "gone", ...email, "--plans", file);
    const shown = await runCommand("accounts", "show", ...email);
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(/on the plan "gone", which the plan table does not have[^]*hs_live_/);
    expect(shown.err).toMatch(/^error: there is no plan "gone": [^\n]*\n$/);
    const asJson = await runCommand("accounts", "show", ...email, "--json");
    expect([asJson.code, JSON.parse(asJson.out)]).toMatchObject([1, { plan: "gone", usage: null }]);
  });
});
