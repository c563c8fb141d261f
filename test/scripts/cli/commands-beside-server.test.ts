import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { adminSocketOf } from "../../../server/accounts/admin-socket.ts";
import { startServer, type RunningServer } from "../../../server/main.ts";
import { openLog } from "../../../server/process/open-log.ts";
import { create, json, runCommand, useStateFolder } from "../../support/command-line.ts";

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

/** 401 for a key that does not hold; 503 for one that does, since there is no snapshot. */
async function statusFor(server: RunningServer, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${server.origin}/v1/usage`, { headers })).status;
}

test("commands about accounts and keys go through the server that owns the state file", async () => {
  const server = await serve();
  expect(existsSync(adminSocketOf(at.state))).toBe(true);
  const { account_id: id, key } = await create();
  expect(await statusFor(server, key)).toBe(503);
  expect(await json("accounts", "set-plan", id, "scale")).toMatchObject({ plan: "scale" });
  expect(await json("accounts", "show", id)).toMatchObject({ usage: [{ limit: 1_000_000 }, {}] });
  const [old] = await json<{ key_id: string }[]>("keys", "list", "--account", id);
  const rotated = await json("keys", "rotate", "--key", key);
  expect(rotated).toMatchObject({ account_id: id, replaces: old!.key_id });
  expect(await statusFor(server, key), "from the next request on").toBe(401);
  expect(await statusFor(server, String(rotated["key"]))).toBe(503);
  expect(await json("keys", "revoke", "--id", String(rotated["key_id"]))).toMatchObject({
    account_id: id,
  });
  expect(await statusFor(server, String(rotated["key"]))).toBe(401);
  const again = await runCommand("accounts", "create", "--email", "ANN@example.com");
  expect(again).toMatchObject({ code: 1, out: "" });
  expect(again.err).toBe(`error: "ANN@example.com" already has an account: ${id}\n`);
  const unknown = await runCommand("keys", "revoke", "--id", "key_none");
  expect(unknown.err).toBe('error: there is no key with the id "key_none"\n');
});
