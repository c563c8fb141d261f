import { describe, expect, test, vi } from "vitest";
import { keyRows } from "../../cli/keys.ts";
import type { KeyRecord } from "../../accounts/admin.ts";
import {
  chargeKey,
  create,
  json,
  runCommand,
  useStateFolder,
  type Created,
} from "../support/command-line.ts";

const at = useStateFolder();

describe("hindsight keys", () => {
  test("say what was done with a key, and until when the old one holds", async () => {
    const { account_id: id, key } = await create();
    const made = await runCommand("keys", "create", "--account", "ann@example.com");
    expect(made.out).toMatch(
      /^Key key_\w+ \(live\) of account acc_\w+, shown this once[^]*\n {2}hs_live_\w{36}\n[^]*holds from now on/,
    );
    const graced = await runCommand("keys", "rotate", "--key", key, "--grace", "2h");
    expect(graced.out).toMatch(/^Key key_[^]*\nThe old key key_\w+ holds until \d{4}-[^\n]*Z\.\n$/);
    const keyId = /^The old key (\w+)/m.exec(graced.out)![1]!;
    const ended = await runCommand("keys", "rotate", "--id", keyId);
    expect(ended.out).toMatch(new RegExp(`\nThe old key ${keyId} has ended\\.\n$`));
    const third = /^Key (\w+)/.exec(ended.out)![1]!;
    expect(await json("keys", "revoke", "--id", third)).toMatchObject({
      account_id: id,
      key_id: third,
      revoked_at: expect.stringMatching(/Z$/),
    });
    expect((await runCommand("keys", "rotate", "--id", third)).err).toContain("no longer holds");
  });

  test("list a key by whether it holds now: the end of a replaced one lies ahead or behind", () => {
    const expiresMs = Date.parse("2026-02-01T00:00:00Z");
    const key: KeyRecord = {
      id: "key_x",
      name: "",
      accountId: "acc_x",
      env: "live",
      prefix: "hs_live_ab",
      lastFour: "wxyz",
      createdMs: 0,
      lastUsedMs: null,
      expiresMs,
      revokedMs: null,
    };
    const state = (nowMs: number) => keyRows([key], nowMs)[0]!.at(-2);
    expect(state(expiresMs - 1)).toBe("in force until 2026-02-01T00:00:00Z");
    expect(state(expiresMs)).toBe("ended 2026-02-01T00:00:00Z");
  });

  test.each([
    ["0", 0],
    ["45s", 45],
    ["30m", 1_800],
    ["24h", 86_400],
    ["90d", 7_776_000],
  ])("rotate --grace %s ends the old key in that time", async (grace, seconds) => {
    const { key } = await create();
    const from = Math.floor(Date.now() / 1000);
    const { replaced_key_ends_at: ends } = await json<{ replaced_key_ends_at: string }>(
      "keys",
      "rotate",
      "--key",
      key,
      "--grace",
      grace,
    );
    const end = Date.parse(ends) / 1000 - seconds;
    expect(end).toBeGreaterThanOrEqual(from);
    expect(end).toBeLessThanOrEqual(Date.now() / 1000);
  });

  test("list says when a key was last used, and null or never before that", async () => {
    const { account_id: id, key } = await create();
    const list = () => json<{ last_used_at: string | null }[]>("keys", "list", "--account", id);
    expect(await list()).toMatchObject([{ last_used_at: null, expires_at: null }]);
    expect((await runCommand("keys", "list", "--account", id)).out).toMatch(
      /Z {2}never +in force\n$/,
    );
    await chargeKey(at.state, key, 1);
    expect((await list())[0]!.last_used_at).toMatch(/^\d{4}-.*Z$/);
    expect((await runCommand("keys", "list", "--account", id)).out).toMatch(
      /Z {2}\d{4}-\S+Z +in force\n$/,
    );
  });

  test("take the key from the command line before any variable, and no key from two variables", async () => {
    const { account_id: id, key } = await create();
    const other = await json<Created & { key_id: string }>("keys", "create", "--account", id);
    vi.stubEnv("HINDSIGHT_KEY", key);
    const revoked = await json("keys", "revoke", "--id", other.key_id);
    expect(revoked).toMatchObject({ key_id: other.key_id });
    vi.stubEnv("HINDSIGHT_KEY_ID", other.key_id);
    expect(await runCommand("keys", "revoke")).toEqual({
      code: 2,
      out: "",
      err: "error: the key is given twice: by HINDSIGHT_KEY and by HINDSIGHT_KEY_ID\n",
    });
    vi.stubEnv("HINDSIGHT_KEY", undefined);
    expect((await json<{ key_id: string }>("keys", "revoke", "--key", key)).key_id).not.toBe(
      other.key_id,
    );
  });

  test("take the key from HINDSIGHT_KEY, to keep it out of process lists", async () => {
    const { key } = await create();
    vi.stubEnv("HINDSIGHT_KEY", key);
    expect((await runCommand("keys", "revoke")).code).toBe(0);
  });
});
