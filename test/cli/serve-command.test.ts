import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../scripts/support/free-port.ts";
import { HINDSIGHT } from "../support/built-script.ts";
import { runCommand } from "../support/command-line.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolder("serve");

const ORIGIN = "https://app.example";
const PLACES = ["--snapshots", folder, "--state", join(folder, "state.db")];

async function withTakenPort(use: (port: string) => Promise<void>): Promise<void> {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  try {
    await use(String((taken.address() as { port: number }).port));
  } finally {
    taken.close();
  }
}

/** Starts a server in a process of its own, by a shell if there are words before its command line. */
function started(
  port: number,
  args: readonly string[] = [],
  { stdio = "pipe", before = [] }: { stdio?: StdioOptions; before?: readonly string[] } = {},
) {
  const own = ["--port", String(port), "--metrics-port", "none", "--job-threads", "0"];
  const line = [...before, process.execPath, HINDSIGHT, "serve", ...own, ...PLACES, ...args];
  const child = spawn(line[0]!, line.slice(1), { stdio });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (bytes: Buffer) => (text += bytes.toString()));
  }
  return { child, said: () => text, ended: once(child, "close") };
}

/** The status of a request that every server answers; 0 if it does not listen. */
const healthOf = (port: number) =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ status }) => status,
    () => 0,
  );

describe("hindsight serve", () => {
  test.each([
    ["--port", "http"],
    ["--public-url", "api.example.com"],
    ["--cors-origin", "app.example"],
    ["--log-level", "loud"],
    ["--workers", "4"],
    ["--state", ""],
    ["--snapshots", ""],
    ["--plans", ""],
    ["--host", ""],
    ["--share-port", "maybe"],
    ["--metrics-port", "http"],
    ["--metrics-host", ""],
    ["--job-threads", "-1"],
  ])("refuses %s %j with one line and exit 2", async (option, value) => {
    const { code, err } = await runCommand("serve", option, value);
    expect(code).toBe(2);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(err).toContain(option.slice(2).split("-")[0]!);
  });

  test("takes options from the environment, and refuses bad ones by their name", async () => {
    vi.stubEnv("HINDSIGHT_PORT", "http");
    const { code, err } = await runCommand("serve");
    vi.unstubAllEnvs();
    expect(code).toBe(2);
    expect(err).toContain("HINDSIGHT_PORT");
  });

  test("says that a folder of snapshots is a file, exit 2", async () => {
    const args = ["--port", "0", "--snapshots", "package.json"];
    expect(await runCommand("serve", ...args)).toMatchObject({
      code: 2,
      err: expect.stringContaining('"package.json" is a file, not a folder'),
    });
  });

  test("says in one line that a port is in use, exit 1", async () => {
    await withTakenPort(async (port) => {
      const args = ["--port", port, "--log-level", "silent", ...PLACES];
      const { code, err } = await runCommand("serve", ...args);
      expect(code).toBe(1);
      expect(err).toBe(
        `error: cannot listen on 127.0.0.1:${port}: the port is in use, or the address is not one of this machine\n`,
      );
    });
  });

  test("answers what is in flight and ends in order, however often it is signalled", async () => {
    const port = await freePort();
    const { child, ended } = started(port, [], { stdio: "ignore" });
    const isListening = async () => {
      const socket = connect(port, "127.0.0.1");
      const listens = await once(socket, "connect").then(
        () => true,
        () => false,
      );
      socket.destroy();
      return listens;
    };
    await until(isListening);
    const socket = connect(port, "127.0.0.1");
    let heard = "";
    socket.on("data", (bytes: Buffer) => (heard += bytes.toString()));
    const closed = once(socket, "close");
    socket.write("POST /v1/overfitting HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{");
    // By the time it answers another, it has the beginning of this request.
    await healthOf(port);
    for (let signals = 0; signals < 3; signals++) {
      child.kill("SIGTERM");
      await until(async () => !(await isListening()));
    }
    socket.write("}");
    await closed;
    expect(heard).toContain("HTTP/1.1 503");
    expect(await ended).toEqual([0, null]);
  });

  test("is what its options make of it, and shares its port on request", async () => {
    const port = await freePort();
    const outside = ["--public-url", "https://api.example.com/data/", "--cors-origin", ORIGIN];
    const shared = ["--share-port", "--log-level", "debug", ...outside];
    const servers = [0, 1].map((number) => {
      // Each file has one owner.
      return started(port, [...shared, "--state", join(folder, `shared-${number}.db`)]);
    });
    await until(() => servers.every(({ said }) => said().includes('"listening"')));
    const headers = { origin: ORIGIN };
    const answer = await fetch(`http://127.0.0.1:${port}/v1/dca`, { headers });
    expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(await answer.json()).toMatchObject({
      error: { docs_url: "https://api.example.com/data/docs/errors#missing_api_key" },
    });
    for (const { child } of servers) child.kill("SIGTERM");
    for (const { ended, said } of servers) {
      expect(await ended).toEqual([0, null]);
      expect(said()).toContain('"no snapshot that can be used: ');
    }
    const log = servers.map(({ said }) => said()).join("");
    expect(log).toMatch(/"path":"\/v1\/dca","status":401/);
  });

  test.each(["info", "silent"])("prints nothing but its %s log into a pipe", async (level) => {
    const port = await freePort();
    const { child, said, ended } = started(port, ["--log-level", level]);
    await until(() => healthOf(port));
    child.kill("SIGTERM");
    await ended;
    const lines = said().split("\n").filter(Boolean);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty("msg");
    expect(lines.length > 0).toBe(level === "info");
  });

  test.runIf(process.platform === "linux")(
    "answers and ends where its log has no room",
    async () => {
      const port = await freePort();
      const full = openSync("/dev/full", "w");
      const { child, ended } = started(port, [], { stdio: ["ignore", full, "inherit"] });
      closeSync(full);
      await until(() => healthOf(port));
      await new Promise((resolve) => setTimeout(resolve, 100)); // time for its last output
      expect(await healthOf(port)).toBe(200);
      child.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
    },
  );

  test.runIf(process.platform === "linux")(
    "takes no more connections than its limit of open files leaves room for, with a warning",
    async () => {
      const port = await freePort();
      const before = ["sh", "-c", 'ulimit -n 200; exec "$@"', "sh"];
      const { child, said, ended } = started(port, [], { before });
      await until(() => said().includes('"listening"'));
      const connected = () => connect(port, "127.0.0.1").on("error", () => {});
      const sockets = Array.from({ length: 73 }, connected); // 128 of 200 are for everything else
      await until(() => said().includes("raise its limit"));
      expect(said()).toContain('"open_files_max":200,"refused":1,');
      for (const socket of sockets) socket.destroy();
      child.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
    },
  );
});
