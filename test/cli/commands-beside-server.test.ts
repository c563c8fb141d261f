import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { adminSocketOf } from "../../accounts/admin-socket.ts";
import { environmentOf } from "../../accounts/keys.ts";
import { startServer, type RunningServer } from "../../server/main.ts";
import { openLog } from "../../server/process/open-log.ts";
import { create, json, runCommand, useStateFolder, type Created } from "../support/command-line.ts";

const at = useStateFolder();

async function serve(): Promise<RunningServer> {
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    snapshots: join(at.folder, "snapshots"),
    state: at.state,
    corsOrigins: [],
    log: openLog({ level: "silent" }),
    sharePort: false,
    version: "1.2.3",
  });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

/** Whether a server takes each key: 401 for one that does not hold; 503 for one that does, without a snapshot. */
async function held({ origin }: RunningServer, ...keys: readonly string[]): Promise<boolean[]> {
  const statuses = keys.map(async (key) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${origin}/v1/usage`, { headers })).status;
  });
  const all = await Promise.all(statuses);
  expect([401, 503]).toEqual(expect.arrayContaining(all));
  return all.map((status) => status === 503);
}

test("commands about accounts and keys go through the server that owns the state file", async () => {
  const server = await serve();
  expect(existsSync(adminSocketOf(at.state))).toBe(true);
  const { account_id: id, key } = await create();
  const account = ["--account", id];
  expect(await json("accounts", "set-plan", id, "scale")).toMatchObject({ plan: "scale" });
  expect(await json("accounts", "show", id)).toMatchObject({ usage: [{ limit: 1_000_000 }, {}] });
  const sandbox = await json<Created>("keys", "create", ...account, "--env", "test");
  expect(environmentOf(sandbox.key)).toBe("test");
  expect(await held(server, key, sandbox.key)).toEqual([true, true]);
  const listed = await json<{ key_id: string; env: string }[]>("keys", "list", ...account);
  expect(listed.map(({ env }) => env).sort()).toEqual(["live", "test"]);
  const idOf = (env: string) => listed.find((each) => each.env === env)!.key_id;

  const rotated = await json<Created>("keys", "rotate", "--key", key);
  expect(rotated).toMatchObject({ account_id: id, replaces: idOf("live") });
  expect(await held(server, key, rotated.key), "from the next request on").toEqual([false, true]);
  const graced = await json<Created>("keys", "rotate", "--key", rotated.key, "--grace", "1h");
  expect(await held(server, rotated.key, graced.key)).toEqual([true, true]);

  expect((await runCommand("keys", "revoke", "--id", idOf("test"))).out).toContain("is revoked");
  const revoked = await json("keys", "revoke", "--key", graced.key);
  expect(revoked).toMatchObject({ account_id: id });
  expect(await held(server, sandbox.key, graced.key)).toEqual([false, false]);

  const { out } = await runCommand("keys", "list", ...account);
  for (const each of [key, sandbox.key, rotated.key, graced.key]) expect(out).not.toContain(each);
  expect(out.match(/ revoked \d{4}/g)).toHaveLength(3);
  expect(out.match(/in force until \d{4}/g)).toHaveLength(1);

  const again = await runCommand("accounts", "create", "--email", "ANN@example.com");
  expect(again).toMatchObject({ code: 1, out: "" });
  expect(again.err).toBe(`error: "ANN@example.com" already has an account: ${id}\n`);
  const unknown = await runCommand("keys", "revoke", "--id", "key_none");
  expect(unknown.err).toBe('error: there is no key with the id "key_none"\n');
});
