import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { adminApi } from "../../accounts/admin-api.ts";
import { connectToAdmin, adminSocketOf, listenOnAdminSocket } from "../../accounts/admin-socket.ts";
import { AccountsUnavailable } from "../../accounts/accounts.ts";
import type { AccountsAdmin } from "../../accounts/accounts-admin.ts";
import { AccountsRefused } from "../../accounts/refused.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const KEY = `hs_live_${"x".repeat(36)}`;

/** A store that answers each method with its name and arguments, after an optional failure. */
function echo(failure?: Error): AccountsAdmin {
  return new Proxy({} as AccountsAdmin, {
    get:
      (_, method) =>
      async (...args: unknown[]) => {
        if (failure !== undefined && method !== "listAccounts") throw failure;
        return { method, args };
      },
  });
}

async function serve(file: string, failure?: Error): Promise<AccountsAdmin> {
  const socket = await listenOnAdminSocket(
    file,
    adminApi(() => echo(failure)),
  );
  onTestFinished(() => socket.close());
  return (await connectToAdmin(file))!; // it listens
}

const folder = temporaryFolder("admin");

test("every method arrives as it was called", async () => {
  const admin = await serve(join(folder, "every.db"));
  const calls: [keyof AccountsAdmin, unknown[]][] = [
    ["createAccount", [{ email: "Ann@example.com", plan: "free" }]],
    ["findAccount", ["ann+x/y?z@example.com"]],
    ["setPlan", ["acc_1", "scale"]],
    ["suspend", ["acc_1"]],
    ["resume", ["acc_1"]],
    ["changeAddress", ["acc_1", "bob@example.com"]],
    ["deleteAccount", ["acc_1"]],
    ["listUsage", [undefined, 10, "2026-01"]],
    ["listChanges", [0, 10]],
    ["usageOf", ["acc_1"]],
    ["createKey", ["acc_1", "test"]],
    ["listKeys", ["acc_1"]],
    ["rotateKey", [{ id: "key_1" }, 3_600_000]],
    ["rotateKey", [{ key: KEY }, 0]],
    ["revokeKey", [{ key: KEY }]],
    ["revokeKey", [{ id: "key_1" }]],
    ["listAccounts", [undefined, 10]],
    ["listAccounts", [{ id: "acc_1", createdMs: 5 }, 10]],
  ];
  for (const [method, args] of calls) {
    const call = admin[method] as (...given: unknown[]) => Promise<unknown>;
    const sent = JSON.parse(JSON.stringify(args)) as unknown;
    expect(await call(...args)).toEqual({ method, args: sent });
  }
});

test("refusals keep their code, and other failures their message", async () => {
  const refused = await serve(
    join(folder, "refused.db"),
    new AccountsRefused("email_taken", 'it is "taken"'),
  );
  const error = await refused.usageOf("acc_1").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AccountsRefused);
  expect(error).toMatchObject({ code: "email_taken", message: 'it is "taken"' });
  const busy = await serve(join(folder, "busy.db"), new AccountsUnavailable("the disk is full"));
  await expect(busy.usageOf("acc_1")).rejects.toThrow(AccountsUnavailable);
  const broken = await serve(join(folder, "broken.db"), new Error("a defect"));
  await expect(broken.usageOf("acc_1")).rejects.toThrow("a defect");
});

test.each([
  ["POST", "/nothing", "[]"],
  ["POST", "/close", "[]"],
  ["GET", "/usageOf", '["acc_1"]'],
  ["POST", "/listAccounts", "[null,0]"],
  ["POST", "/createAccount", "["],
  ["POST", "/createAccount", '[{"email":"a@example.com"}]'],
  ["POST", "/createKey", '["acc_1","other"]'],
])("%s %s %.20s is an invalid request", async (method, path, body) => {
  const file = join(folder, "wrong.db");
  await serve(file);
  const answer = await rawAnswer(file, method, path, body);
  expect(answer).toMatch(/^HTTP\/1.1 400 [^]*"code":"invalid_request"/);
});

function rawAnswer(file: string, method: string, path: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`;
    const socket = createConnection(adminSocketOf(file), () => socket.write(head + body));
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("close", () => resolve(text)).on("error", reject);
  });
}

test("the socket is its owner's alone, replaces a stale one and goes with its server", async () => {
  const file = join(folder, "modes.db");
  writeFileSync(adminSocketOf(file), "left behind");
  mkdirSync(`${adminSocketOf(file)}.new`);
  expect(await connectToAdmin(file), "a file is no owner").toBeUndefined();
  const socket = await listenOnAdminSocket(
    file,
    adminApi(() => echo()),
  );
  const { mode } = statSync(adminSocketOf(file));
  expect(mode & 0o777).toBe(0o600);
  expect(existsSync(`${adminSocketOf(file)}.new`)).toBe(false);
  const silent = createConnection(adminSocketOf(file));
  await new Promise((resolve) => silent.once("connect", resolve));
  silent.on("error", () => {});
  await socket.close();
  expect(existsSync(adminSocketOf(file))).toBe(false);
  expect(await connectToAdmin(file)).toBeUndefined();
});

test("a path that is too long for a socket's address works the same", async () => {
  const deep = join(folder, "d".repeat(120), "e".repeat(120));
  mkdirSync(deep, { recursive: true });
  const file = join(deep, "f".repeat(200));
  const admin = await serve(file);
  expect(await admin.usageOf("acc_1")).toMatchObject({ method: "usageOf" });
});
