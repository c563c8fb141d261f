import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { builtScript } from "../../support/built-script.ts";
import { json } from "../../support/command-line.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../../support/until.ts";

const folder = temporaryFolder("run");
// Names a snapshot that does not exist: these tests need none, and making one takes half a minute.
writeFileSync(join(folder, "CURRENT"), "2024-06-01T20240602T001000000Z-0123456789ab\n");

const STATE = join(folder, "state.db");

/** Runs `make run` without make, in a process group of its own, as a shell would. */
function run(
  port: number | string,
  more: NodeJS.ProcessEnv = {},
  args: readonly string[] = [],
): { child: ChildProcess; said: () => string } {
  const places = { HINDSIGHT_SNAPSHOTS: folder, HINDSIGHT_STATE: STATE };
  const numbers = { HINDSIGHT_PORT: String(port), HINDSIGHT_METRICS_PORT: "none" };
  const env = { ...process.env, ...places, ...numbers, ...more };
  const child = spawn(process.execPath, [builtScript("dev/run"), ...args], { detached: true, env });
  onTestFinished(() => {
    if (child.exitCode === null) process.kill(-child.pid!, "SIGKILL"); // the test has failed
  });
  let said = "";
  child.stdout.on("data", (bytes) => (said += String(bytes)));
  child.stderr.on("data", (bytes) => (said += String(bytes)));
  return { child, said: () => said };
}

/** The address that a run serves on. */
async function servedBy(said: () => string): Promise<string> {
  await until(() => said().includes('"listening"'));
  return /"origin":"(http:\/\/127\.0\.0\.1:\d+)"/.exec(said())?.[1] ?? "";
}

test("says that its port is taken before it makes a key", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { child, said } = run((taken.address() as AddressInfo).port);
  expect(await once(child, "close")).toEqual([1, null]);
  taken.close();
  expect(said()).toMatch(/^error: .*EADDRINUSE.*PORT=8081\n$/);
  expect(existsSync(STATE)).toBe(false);
});

test("refuses arguments, which it would have to ignore", async () => {
  const { child, said } = run(0, {}, ["--port", "8081"]);
  expect(await once(child, "close")).toEqual([2, null]);
  expect(said()).toMatch(/^error: .*--port.*\n$/);
  expect(existsSync(STATE)).toBe(false);
});

test.each(["abc", "65536", "0.5", "-1"])("refuses the port %j by its name", async (port) => {
  const { child, said } = run(port);
  expect(await once(child, "close")).toEqual([1, null]);
  const allowed = "HINDSIGHT_PORT takes a whole number from 0 to 65535";
  expect(said()).toBe(`error: ${allowed}, got "${port}"\n`);
});

test("makes no key beside a running server, which ends in order where Ctrl-C goes to all of its processes", async () => {
  const { child, said } = run(0);
  const origin = await servedBy(said);
  expect(said(), "port 0 is shown as the one that it became").toContain(`${origin}/v1/signals`);
  const second = run(0);
  expect(await once(second.child, "close")).toEqual([1, null]);
  expect(second.said(), "and no key").toMatch(/^error: a server with the state .* runs already/);
  process.kill(-child.pid!, "SIGINT");
  expect(await once(child, "close")).toEqual([0, null]);
  expect(said()).toContain('"msg":"stopped"');
});

test("every further run replaces the key of the one before, which works a while longer", async () => {
  const keys: string[] = [];
  for (let time = 0; time < 2; time++) {
    const { child, said } = run(0, { HINDSIGHT_KEY: keys[0] ?? "" });
    const origin = await servedBy(said);
    keys.push(/^ {2}(hs_live_\w+)$/m.exec(said())?.[1] ?? "");
    for (const key of keys) {
      const headers = { authorization: `Bearer ${key}` };
      const { status } = await fetch(`${origin}/v1/usage`, { headers });
      expect(status, "503 without a snapshot; a key that has ended is a 401").toBe(503);
    }
    child.kill("SIGTERM"); // it alone: its server ends with it
    await once(child, "close");
  }
  expect(new Set(keys).size).toBe(2);
  const account = ["--account", "demo@hindsight.invalid", "--state", STATE];
  const made = await json<Record<string, string | null>[]>("keys", "list", ...account);
  const lasting = made.filter((key) => key["expires_at"] === null);
  expect(lasting.map((key) => key["last_four"])).toEqual([keys[1]!.slice(-4)]);
});
