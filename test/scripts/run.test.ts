import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "hindsight-run-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
// Names a snapshot that does not exist: these tests need none, and making one takes half a minute.
writeFileSync(join(folder, "CURRENT"), "2024-06-01T20240602T001000000Z-0123456789ab\n");

const STATE = join(folder, "state.db");

/** Runs `make run` without make, in a process group of its own, as a shell would. */
function run(port: number | string): { child: ChildProcess; said: () => string } {
  const script = new URL("../../dist/scripts/run.js", import.meta.url).pathname;
  const places = { HINDSIGHT_SNAPSHOTS: folder, HINDSIGHT_STATE: STATE };
  const numbers = { HINDSIGHT_PORT: String(port), HINDSIGHT_METRICS_PORT: "none" };
  const env = { ...process.env, ...places, ...numbers };
  const child = spawn(process.execPath, [script], { detached: true, env });
  let said = "";
  child.stdout.on("data", (bytes) => (said += String(bytes)));
  child.stderr.on("data", (bytes) => (said += String(bytes)));
  return { child, said: () => said };
}

test("says that its port is taken before it makes a key", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { child, said } = run((taken.address() as AddressInfo).port);
  const [code] = (await once(child, "close")) as [number | null];
  taken.close();
  expect(code).toBe(1);
  expect(said()).toMatch(/^error: .*EADDRINUSE.*HINDSIGHT_PORT=8081\n$/);
  expect(existsSync(STATE)).toBe(false);
});

test.each(["abc", "65536", "0.5", "-1"])("refuses the port %j by its name", async (port) => {
  const { child, said } = run(port);
  const [code] = (await once(child, "close")) as [number | null];
  expect(code).toBe(1);
  const allowed = "HINDSIGHT_PORT takes a whole number from 0 to 65535";
  expect(said()).toBe(`error: ${allowed}, got "${port}"\n`);
});

test("ends in order where a terminal's Ctrl-C goes to all of its processes", async () => {
  const { child, said } = run(0);
  const limit = Date.now() + 20_000;
  while (!said().includes("Serving on")) {
    if (Date.now() > limit) throw new Error(`waited in vain: ${said()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const port = /Serving on http:\/\/127\.0\.0\.1:(\d+)/.exec(said())?.[1];
  expect(said(), "port 0 is shown as the one that it became").toContain(`${port}/v1/signals`);
  process.kill(-child.pid!, "SIGINT");
  const [code] = (await once(child, "close")) as [number | null];
  expect(code).toBe(0);
  expect(said()).toContain('"msg":"stopped"');
});
