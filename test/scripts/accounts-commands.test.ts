import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openEmbeddedAccounts } from "../../server/accounts/embedded/embedded-accounts.ts";
import { environmentOf } from "../../server/accounts/keys.ts";
import { BUILT_IN_PLANS } from "../../server/accounts/plans.ts";
import { runCommand } from "../support/command-line.ts";
import { bearer } from "../support/bearer.ts";

let folder: string;
let state: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hindsight-cli-"));
  state = join(folder, "state", "hindsight.db");
  vi.stubEnv("HINDSIGHT_STATE", state);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, out, err } = await runCommand(...args, "--json");
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out) as T;
}

interface Created {
  readonly account_id: string;
  readonly key: string;
  readonly plan: string;
}

const create = (email = "ann@example.com", plan = "developer") =>
  json<Created>("accounts", "create", "--email", email, "--plan", plan);

describe("hindsight accounts", () => {
  test("create --json prints exactly account_id, key and plan; without --plan the plan is trial", async () => {
    const made = await json<Created>("accounts", "create", "--email", "ann@example.com");
    expect(Object.keys(made)).toEqual(["account_id", "key", "plan"]);
    expect(made.account_id).toMatch(/^acc_/);
    expect(environmentOf(made.key)).toBe("live");
    expect(made.plan).toBe("trial");
    expect(statSync(state).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "state")).mode & 0o777).toBe(0o700);
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
    expect((await runCommand("accounts", "list")).out).toContain("No accounts");
    expect(await json("accounts", "list")).toEqual([]);
    expect(existsSync(state), "a look makes no file").toBe(false);
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
    expect(existsSync(state)).toBe(false);
  });

  test("show refuses two of an account", async () => {
    const message = "error: the account is given twice: by --account and by --email\n";
    const options = ["--account", "acc_1", "--email", "one@example.com"];
    expect(await runCommand("accounts", "show", ...options)).toEqual({
      code: 2,
      out: "",
      err: message,
    });
    const { code, err } = await runCommand(
      "accounts",
      "show",
      "one@example.com",
      "--account",
      "acc_1",
    );
    expect([code, err]).toEqual([
      2,
      'error: the account is given twice: as "one@example.com" and by --account\n',
    ]);
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
    const { code, err } = await runCommand("accounts", "set-plan");
    expect([code, err]).toEqual([
      2,
      "error: missing the plan: hindsight accounts set-plan ACCOUNT PLAN\n",
    ]);
  });

  test("take plans from --plans and HINDSIGHT_PLANS", async () => {
    const file = join(folder, "plans.json");
    const plan = { name: "load", price_usd: null, calls_per_month: 5, rate_per_minute: 5 };
    const rest = { backtest_units: null, concurrent_runs: null };
    writeFileSync(file, JSON.stringify({ plans: [{ ...plan, ...rest }] }));
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
    const file = join(folder, "gone.json");
    const plan = { name: "gone", price_usd: null, calls_per_month: 5, rate_per_minute: 5 };
    const rest = { backtest_units: null, concurrent_runs: null };
    writeFileSync(file, JSON.stringify({ plans: [{ ...plan, ...rest }] }));
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

describe("hindsight keys", () => {
  test("create, list, rotate and revoke while a server runs, which sees each of them", async () => {
    const made = await create();
    const clock = { steadyMs: 0, nowMs: Date.now, monotonicMs: () => clock.steadyMs };
    const plans = BUILT_IN_PLANS;
    const server = openEmbeddedAccounts({ file: state, plans, clock, housekeepingMs: null });
    const holds = async (key: string) => {
      clock.steadyMs += 10;
      return (await server.authenticate(bearer(key), Date.now())) !== undefined;
    };
    try {
      const account = ["--account", made.account_id];
      const sandbox = await json<Created>("keys", "create", ...account, "--env", "test");
      expect(environmentOf(sandbox.key)).toBe("test");
      expect(await Promise.all([made.key, sandbox.key].map(holds))).toEqual([true, true]);
      const listed = await json<{ key_id: string; env: string }[]>("keys", "list", ...account);
      expect(listed.map(({ env }) => env).sort()).toEqual(["live", "test"]);

      const rotated = await json<Created>("keys", "rotate", "--key", made.key);
      expect(await Promise.all([made.key, rotated.key].map(holds))).toEqual([false, true]);
      const graced = await json<Created>("keys", "rotate", "--key", rotated.key, "--grace", "1h");
      expect(await Promise.all([rotated.key, graced.key].map(holds))).toEqual([true, true]);

      const id = listed.find(({ env }) => env === "test")!.key_id;
      expect((await runCommand("keys", "revoke", "--id", id)).out).toContain("is revoked");
      expect((await runCommand("keys", "revoke", "--key", graced.key)).code).toBe(0);
      expect(await Promise.all([sandbox.key, graced.key].map(holds))).toEqual([false, false]);

      const { out } = await runCommand("keys", "list", ...account);
      for (const key of [made.key, sandbox.key, rotated.key, graced.key])
        expect(out).not.toContain(key);
      expect(out.match(/ revoked \d{4}/g)).toHaveLength(3);
      expect(out.match(/in force until \d{4}/g)).toHaveLength(1);
    } finally {
      await server.close();
    }
  });

  test("take the key from HINDSIGHT_KEY, to keep it out of process lists", async () => {
    const { key } = await create();
    vi.stubEnv("HINDSIGHT_KEY", key);
    expect((await runCommand("keys", "revoke")).code).toBe(0);
  });
});

describe("what goes wrong is one plain line", () => {
  const HINT =
    "create an account first (hindsight accounts create), or say where they are with --state";

  test.each([
    ["accounts create --email x", 2, 'error: "x" is not an e-mail address'],
    ["accounts create", 2, "error: required option '--email <email>' not given"],
    ["accounts create --emial x", 2, "error: unknown option '--emial' (Did you mean --email?)"],
    [
      "accounts create --email a@b.co --plan scal",
      2,
      'error: there is no plan "scal": the plans are free, trial, developer, startup, scale; did you mean "scale"?',
    ],
    ["accounts lst", 2, "error: unknown command 'lst' (Did you mean list?)"],
    ["acounts list", 2, "error: unknown command 'acounts' (Did you mean accounts?)"],
    [
      "accounts list --state http://x",
      2,
      /Allowed is the path of a file or the address of a Redis/,
    ],
    ["accounts list --state redis://x/y", 2, /the number of a database, such as \/0$/],
    ["accounts list --state=", 2, /Allowed is the path of a file or the address of a Redis/],
    ["accounts show", 2, "error: missing the account: give its id or e-mail address"],
    ["accounts show acc_x", 1, 'error: there is no account "acc_x"'],
    [
      "accounts set-plan acc_x",
      2,
      "error: missing the plan: hindsight accounts set-plan ACCOUNT PLAN",
    ],
    ["accounts list too many words", 2, /too many arguments/],
    ["keys create --account acc_x --env prod", 2, /Allowed choices are live, test\.$/],
    ["keys list --account acc_x", 1, 'error: there is no account "acc_x"'],
    ["keys revoke", 2, "error: missing the key: give --id, or the key itself with --key"],
    ["keys revoke --key hs_live_x", 2, "error: --key is not a key: it is malformed or mistyped"],
    ["keys revoke --id key_x", 1, 'error: there is no key with the id "key_x"'],
    ["keys rotate --id key_x --grace 3y", 2, /durations such as 30m, 24h or 7d, up to 90d\.$/],
    ["keys rotate --id key_x --grace 91d", 2, /up to 90d\.$/],
  ])("hindsight %s: exit %d", async (line, code, expected) => {
    await create("zoe@example.com");
    const outcome = await runCommand(...line.split(" "));
    expect(outcome.out).toBe("");
    expect(outcome.err).toMatch(/^[^\n]+\n$/);
    expect(outcome.err.trim()).toMatch(expected); // a text is looked for, a pattern is matched
    expect(outcome.code).toBe(code);
  });

  test("where there is no state file yet", async () => {
    const { code, err } = await runCommand("keys", "list", "--account", "acc_x");
    expect(err).toBe(`error: there is no state file at "${state}": ${HINT}\n`);
    expect(code).toBe(1);
    expect(existsSync(state)).toBe(false);
  });

  test("where the file is somebody else's", async () => {
    writeFileSync(join(folder, "notes.txt"), "dear diary, ".repeat(500));
    vi.stubEnv("HINDSIGHT_STATE", join(folder, "notes.txt"));
    const { code, err } = await runCommand("accounts", "list");
    expect(err).toMatch(/^error: "[^"]*notes\.txt" is not a Hindsight state file\n$/);
    expect(code).toBe(1);
  });

  test("where the e-mail address is taken", async () => {
    const { account_id: id } = await create();
    const { code, err } = await runCommand("accounts", "create", "--email", "ANN@example.com");
    expect(err).toBe(`error: "ANN@example.com" already has an account: ${id}\n`);
    expect(code).toBe(1);
  });

  test("where an environment variable has a bad value", async () => {
    vi.stubEnv("HINDSIGHT_ENV", "prod");
    const { code, err } = await runCommand("keys", "create", "--account", "acc_x");
    expect(err).toMatch(/^error: [^\n]*'prod' from env 'HINDSIGHT_ENV' is invalid[^\n]*\n$/);
    expect(code).toBe(2);
  });
});
