import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { HINDSIGHT } from "../support/built-script.ts";
import { create, json, runCommand, useStateFolder } from "../support/command-line.ts";

const at = useStateFolder();

const NO_ADDRESS =
  /^error: --state: allowed is the path of a file or the address of a Redis, such as redis:\S+$/;

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
    [
      "accounts create --email a@b.co --plan xyz",
      2,
      'error: there is no plan "xyz": the plans are free, trial, developer, startup, scale',
    ],
    ["accounts lst", 2, "error: unknown command 'lst' (Did you mean list?)"],
    ["acounts list", 2, "error: unknown command 'acounts' (Did you mean accounts?)"],
    ["accounts list --state http://me:secret@x", 2, NO_ADDRESS],
    ["accounts list --state redis+unix://x", 2, NO_ADDRESS],
    ["accounts list --state redis:/x", 2, NO_ADDRESS],
    ["accounts list --state redis:x:6379", 2, NO_ADDRESS],
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
    [
      "keys revoke --id key_x --key hs_live_x",
      2,
      "error: the key is given twice: by --key and by --id",
    ],
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

  test.each([
    "accounts list",
    "accounts list --json",
    "accounts list --usage",
    "accounts list --usage --csv",
    "accounts log",
    "accounts show acc_x",
    "accounts set-plan acc_x free",
    "accounts suspend acc_x",
    "accounts resume acc_x",
    "accounts address acc_x --to bob@example.com",
    "accounts delete acc_x --yes",
    "keys create --account acc_x",
    "keys list --account acc_x",
    "keys revoke --id key_x",
    "keys rotate --id key_x",
  ])("where there is no state file yet: %s", async (line) => {
    const { code, err } = await runCommand(...line.split(" "));
    expect(err).toBe(`error: there is no state file at "${at.state}": ${HINT}\n`);
    expect(code).toBe(1);
    expect(existsSync(at.state)).toBe(false);
  });

  test.each(["--email zoe --plan free", "--email zoe@example.com --plan gratis"])(
    "where a new account is refused: %s",
    async (line) => {
      expect((await runCommand("accounts", "create", ...line.split(" "))).code).toBe(2);
      expect(existsSync(at.state)).toBe(false);
    },
  );

  test("where the file is somebody else's", async () => {
    writeFileSync(join(at.folder, "notes.txt"), "dear diary, ".repeat(500));
    vi.stubEnv("HINDSIGHT_STATE", join(at.folder, "notes.txt"));
    const { code, err } = await runCommand("accounts", "list");
    expect(err).toMatch(/^error: "[^"]*notes\.txt" is not a Hindsight state file\n$/);
    expect(code).toBe(1);
  });

  test.skipIf(!existsSync("/dev/full"))("where a full disk takes no new key", async () => {
    const full = openSync("/dev/full", "w");
    const args = [HINDSIGHT, "accounts", "create", "--email", "ann@example.com", "--json"];
    const stdio = ["ignore", full, "pipe"] as const;
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: [...stdio] });
    closeSync(full);
    expect(status).toBe(1);
    const [id, keyId] = /account (acc_\w+) has .* keys rotate --id (key_\w+)\n/
      .exec(String(stderr))!
      .slice(1);
    const [lost] = await json<{ key_id: string }[]>("keys", "list", "--account", id!);
    expect(lost!.key_id).toBe(keyId);
    expect(await json("keys", "rotate", "--id", keyId!)).toMatchObject({ account_id: id });
  });

  test("where an environment variable has a bad value", async () => {
    vi.stubEnv("HINDSIGHT_ENV", "prod");
    const { code, err } = await runCommand("keys", "create", "--account", "acc_x");
    expect(err).toMatch(/^error: [^\n]*'prod' from env 'HINDSIGHT_ENV' is invalid[^\n]*\n$/);
    expect(code).toBe(2);
  });
});
