import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../scripts/support/free-port.ts";
import { HINDSIGHT } from "../../support/built-script.ts";
import { runCommand } from "../../support/command-line.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

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

/** Runs a command line that cannot succeed; returns its exit code and what it wrote to standard error. */
async function failing(args: readonly string[]): Promise<{ code: number; said: string }> {
  const { code, err } = await runCommand("serve", ...args);
  return { code, said: err };
}

describe("hindsight serve", () => {
  test.each([
    ["--port", "http"],
    ["--port", "65536"],
    ["--port", "-1"],
    ["--port", ""],
    ["--public-url", "api.example.com"],
    ["--public-url", "ftp://api.example.com"],
    ["--public-url", "https://api.example.com/?x=1"],
    ["--cors-origin", "app.example"],
    ["--cors-origin", "https://app.example/path"],
    ["--log-level", "loud"],
    ["--workers", "4"],
    ["--state", ""],
    ["--snapshots", ""],
    ["--plans", ""],
    ["--host", ""],
    ["--share-port", "maybe"],
    ["--metrics-port", "http"],
    ["--metrics-port", "65536"],
    ["--metrics-host", ""],
    ["--job-threads", "-1"],
  ])("refuses %s %j with one line and exit 2", async (option, value) => {
    const { code, said } = await failing([option, value]);
    expect(code).toBe(2);
    expect(said.trim().split("\n")).toHaveLength(1);
    expect(said).toContain(option.slice(2).split("-")[0]!);
  });

  test("takes options from the environment, and refuses bad ones by their name", async () => {
    vi.stubEnv("HINDSIGHT_PORT", "http");
    const { code, said } = await failing([]);
    vi.unstubAllEnvs();
    expect(code).toBe(2);
    expect(said).toContain("HINDSIGHT_PORT");
  });

  test("says that a folder of snapshots is a file, exit 2", async () => {
    const args = ["--port", "0", "--snapshots", "package.json"];
    expect(await failing(args)).toMatchObject({
      code: 2,
      said: expect.stringContaining('"package.json" is a file, not a folder'),
    });
  });

  test("says in one line that a port is in use, exit 1", async () => {
    await withTakenPort(async (port) => {
      const { code, said } = await failing(["--port", port, "--log-level", "silent", ...PLACES]);
      expect(code).toBe(1);
      expect(said).toBe(
        `error: cannot listen on 127.0.0.1:${port}: the port is in use, or the address is not one of this machine\n`,
      );
    });
  });

  test("answers what is in flight and ends in order, however often it is signalled", async () => {
    const port = String(await freePort());
    const args = ["serve", "--port", port, "--metrics-port", "none", "--job-threads", "0"];
    const child = spawn(process.execPath, [HINDSIGHT, ...args, ...PLACES], { stdio: "ignore" });
    const ended = once(child, "exit");
    const isListening = async () => {
      const socket = connect(Number(port), "127.0.0.1");
      const listens = await once(socket, "connect").then(
        () => true,
        () => false,
      );
      socket.destroy();
      return listens;
    };
    await vi.waitUntil(isListening, { timeout: 20_000 });
    const socket = connect(Number(port), "127.0.0.1");
    let heard = "";
    socket.on("data", (bytes: Buffer) => (heard += bytes.toString()));
    const closed = once(socket, "close");
    socket.write("POST /v1/overfitting HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{");
    // By the time it answers another, it has the beginning of this request.
    await fetch(`http://127.0.0.1:${port}/healthz`);
    for (let signals = 0; signals < 3; signals++) {
      child.kill("SIGTERM");
      await vi.waitUntil(async () => !(await isListening()), { timeout: 20_000 });
    }
    socket.write("}");
    await closed;
    expect(heard).toContain("HTTP/1.1 503");
    expect(await ended).toEqual([0, null]);
  });

  test("is what its options make of it, and shares its port on request", async () => {
    const port = String(await freePort());
    const outside = ["--public-url", "https://api.example.com/data/", "--cors-origin", ORIGIN];
    const shared = ["--port", port, "--share-port", "--log-level", "debug", ...outside];
    const args = ["serve", "--metrics-port", "none", "--job-threads", "0", ...shared, ...PLACES];
    let said = "";
    const servers = [0, 1].map((number) => {
      const stdio = ["ignore", "pipe", "inherit"] as const;
      const own = ["--state", join(folder, `shared-${number}.db`)]; // each file has one owner
      const child = spawn(process.execPath, [HINDSIGHT, ...args, ...own], { stdio: [...stdio] });
      onTestFinished(() => void child.kill("SIGKILL"));
      child.stdout!.on("data", (bytes: Buffer) => (said += bytes.toString()));
      return { child, ended: once(child, "close") };
    });
    await vi.waitUntil(() => said.match(/"listening"/g)?.length === 2, { timeout: 20_000 });
    const headers = { origin: ORIGIN };
    const answer = await fetch(`http://127.0.0.1:${port}/v1/dca`, { headers });
    expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(await answer.json()).toMatchObject({
      error: { docs_url: "https://api.example.com/data/docs/errors#missing_api_key" },
    });
    for (const { child } of servers) child.kill("SIGTERM");
    for (const { ended } of servers) expect(await ended).toEqual([0, null]);
    expect(said.match(/"no snapshot that can be used: [^"]*/g)).toHaveLength(2);
    expect(said).toMatch(/"path":"\/v1\/dca","status":401/);
  });

  test("prints nothing but its log into a file or a pipe", async () => {
    const said = async (level: string) => {
      const port = String(await freePort());
      const rest = ["--metrics-port", "none", "--job-threads", "0", "--log-level", level];
      const args = [HINDSIGHT, "serve", "--port", port, ...rest, ...PLACES];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
      let text = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (bytes: Buffer) => (text += bytes.toString()));
      }
      const answers = () => fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
      await vi.waitUntil(answers, { timeout: 20_000 });
      child.kill("SIGTERM");
      await once(child, "close");
      return text;
    };
    for (const line of (await said("info")).trim().split("\n")) {
      expect(JSON.parse(line)).toHaveProperty("msg");
    }
    expect(await said("silent")).toBe("");
  });

  test.runIf(process.platform === "linux")(
    "answers and ends where its log has no room",
    async () => {
      const port = String(await freePort());
      const args = ["serve", "--port", port, "--metrics-port", "none", "--job-threads", "0"];
      const full = openSync("/dev/full", "w");
      const stdio = ["ignore", full, "inherit"] as const;
      const child = spawn(process.execPath, [HINDSIGHT, ...args, ...PLACES], { stdio: [...stdio] });
      onTestFinished(() => void child.kill("SIGKILL"));
      closeSync(full);
      const ask = () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          ({ status }) => status,
          () => 0,
        );
      await vi.waitUntil(async () => (await ask()) === 200, { timeout: 20_000 });
      await new Promise((resolve) => setTimeout(resolve, 100)); // time for its last output
      expect(await ask()).toBe(200);
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
    },
  );

  test.runIf(process.platform === "linux")(
    "takes no more connections than its limit of open files leaves room for, with a warning",
    async () => {
      const port = await freePort();
      const rest = ["--metrics-port", "none", "--job-threads", "0", ...PLACES];
      const server = [process.execPath, HINDSIGHT, "serve", "--port", String(port), ...rest];
      const child = spawn("sh", ["-c", 'ulimit -n 200; exec "$@"', "sh", ...server]);
      onTestFinished(() => void child.kill("SIGKILL"));
      let said = "";
      child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
      await vi.waitUntil(() => said.includes('"listening"'), { timeout: 20_000 });
      const connected = () => connect(port, "127.0.0.1").on("error", () => {});
      const sockets = Array.from({ length: 73 }, connected); // 128 of 200 are for everything else
      await vi.waitUntil(() => said.includes("raise its limit"), { timeout: 20_000 });
      expect(said).toContain('"open_files_max":200,"refused":1,');
      for (const socket of sockets) socket.destroy();
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
    },
  );
});
