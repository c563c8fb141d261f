import { fork, spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { accountIn } from "../../support/account-in.ts";
import { isRunning } from "../../support/is-running.ts";
import { publishDemo } from "../../support/publish-demo.ts";
import { parseMetrics } from "../../support/scrape.ts";
import { withoutCapabilities } from "../../support/ordinary-user.ts";
import { HINDSIGHT } from "../../support/built-script.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until, untilAnswered } from "../../support/until.ts";

const folder = temporaryFolder("jobs-process");
const snapshots = join(folder, "snapshots");
const state = join(folder, "hindsight.db");
const NO_PRIORITIES = new URL("../../support/no-priorities.mjs", import.meta.url).href;
const KILLED_AT_ITS_END = new URL("../../support/killed-at-its-end.mjs", import.meta.url).href;

interface LogLine {
  readonly pid: number;
  readonly process?: string;
  readonly msg: string;
  readonly metrics?: string;
  readonly origin?: string;
}

/** `hindsight serve`, without the capabilities of root, with what it and the process beside it printed. */
class Server {
  readonly child: ChildProcess;
  readonly ended: Promise<number | string | null>;
  #said = "";

  constructor(args: readonly string[], options: SpawnOptions = {}) {
    const where = ["--snapshots", snapshots, "--state", state, "--metrics-port", "0"];
    const all = [HINDSIGHT, "serve", "--port", "0", ...where, "--job-threads", "1", ...args];
    // A process group of its own, as a terminal would make it.
    const stdio = ["ignore", "pipe", "inherit"] as const;
    const [program, ...rest] = [...withoutCapabilities(), process.execPath, ...all];
    this.child = spawn(program!, rest, { stdio: [...stdio], detached: true, ...options });
    this.child.stdout!.on("data", (chunk: Buffer) => (this.#said += chunk.toString()));
    this.ended = new Promise((resolve) => {
      this.child.once("exit", (code, signal) => resolve(code ?? signal));
    });
    running.push(this);
  }

  get origin(): string | undefined {
    return this.lines().find(({ msg }) => msg === "listening")?.origin;
  }

  lines(): readonly LogLine[] {
    const whole = this.#said.split("\n").slice(0, -1);
    return whole.map((line) => JSON.parse(line) as LogLine);
  }

  get metrics(): string | undefined {
    return this.lines().find(({ metrics }) => typeof metrics === "string")?.metrics;
  }

  /** Ids of the processes that ran backtests, in the order they began. */
  jobPids(): readonly number[] {
    const begun = (line: LogLine) =>
      line.process === "jobs" && line.msg.startsWith("working on a snapshot");
    return this.lines()
      .filter(begun)
      .map(({ pid }) => pid);
  }

  async stop(): Promise<number | string | null> {
    this.child.kill("SIGTERM");
    return await this.ended;
  }
}

const running: Server[] = [];
let key: string;

beforeAll(async () => {
  await publishDemo(snapshots, "2024-06-01", "2024-06-02T00:10:00Z");
  key = await accountIn(state, "scale");
});
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill("SIGKILL");
    await ended;
  }
});

/** A server whose process for backtests is working. */
async function started(...args: readonly string[]) {
  return await isWorking(new Server(args));
}

async function isWorking(server: Server) {
  const origin = await until(() => server.origin);
  const jobs = await until(() => server.jobPids()[0]);
  return { server, origin, jobs };
}

/** Where a descriptor leads; "" if it is closed by now. */
function linkOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor);
  } catch {
    return "";
  }
}

async function submit(origin: string): Promise<string> {
  const body = JSON.stringify({ strategy: "ma_cross", coin: "btc", start_date: "2022-01-01" });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(`${origin}/v1/backtests`, { method: "POST", headers, body });
  const { data } = (await answer.json()) as { data: { job_id: number } };
  return `/v1/backtests/${data.job_id}`;
}

async function done(origin: string, path: string): Promise<void> {
  await untilAnswered(async () => {
    const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { data: { status: string } }).data.status === "done";
  });
}

describe("the process that runs a server's backtests", () => {
  test("is beside it, has its metrics there, and ends with it", async () => {
    const { server, origin, jobs } = await started();
    expect(jobs).not.toBe(server.child.pid);
    await done(origin, await submit(origin));
    const numbers = parseMetrics(await (await fetch(await until(() => server.metrics))).text());
    expect(numbers.get('hindsight_jobs_ended_total{outcome="done",process="jobs"}')).toBe(1);
    expect(numbers.get('hindsight_snapshot_switches_total{process="jobs"}')).toBe(1);
    expect(await server.stop()).toBe(0);
    expect(isRunning(jobs)).toBe(false);
  });

  test("works where the system sets no priority, which is said once", async () => {
    const preloading = { ...process.env, NODE_OPTIONS: `--import ${NO_PRIORITIES}` };
    const { server, origin } = await isWorking(new Server([], { env: preloading }));
    await done(origin, await submit(origin));
    const said = server.lines().filter(({ msg }) => msg.includes("lets no thread give way"));
    expect(said).toHaveLength(1);
    expect(await server.stop()).toBe(0);
  });

  test("hears of each backtest as it comes", async () => {
    const { server, origin } = await started();
    const begunMs = performance.now();
    for (let times = 0; times < 5; times++) await done(origin, await submit(origin));
    expect(performance.now() - begunMs, "it looks every 2 s by itself").toBeLessThan(6_000);
    expect(await server.stop()).toBe(0);
  });

  test.runIf(process.platform === "linux")(
    "has no file of the state open, no address of it in its command line, and ends first where memory runs out",
    async () => {
      const { server, origin, jobs } = await started();
      await done(origin, await submit(origin));
      const files = readdirSync(`/proc/${jobs}/fd`).map((fd) => linkOf(`/proc/${jobs}/fd/${fd}`));
      expect(files.filter((file) => file.startsWith(state))).toEqual([]);
      const line = readFileSync(`/proc/${jobs}/cmdline`, "utf8");
      expect(line).toContain(snapshots);
      expect(line, "an address may hold a password").not.toContain(state);
      const score = (pid: number) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"));
      const own = score(process.pid);
      expect(score(server.child.pid!)).toBe(own);
      expect(score(jobs)).toBe(Math.min(own + 500, 1000));
      expect(await server.stop()).toBe(0);
    },
  );

  test("ends where the server that started it is gone before it listens to it", async () => {
    const args = [HINDSIGHT, "work", "--process", "jobs", "--snapshots", snapshots];
    const env = { ...process.env, HINDSIGHT_STATE: state };
    const orphan = spawn(process.execPath, args, { stdio: "ignore", env });
    expect(await once(orphan, "exit")).toEqual([0, null]);
  });

  test("answers whether it is alive as soon as it is asked", async () => {
    const args = ["work", "--process", "jobs", "--snapshots", snapshots];
    const env = { ...process.env, HINDSIGHT_STATE: state };
    const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
    const child = fork(HINDSIGHT, args, { stdio: [...stdio], env, serialization: "advanced" });
    const heard: unknown[] = [];
    child.on("message", (message) => heard.push(message));
    child.send({ kind: "call", id: 7, name: "alive", args: [] });
    await until(() => heard[0]);
    expect(heard[0]).toEqual({ kind: "reply", id: 7, result: true });
    child.disconnect();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("is started again when it is killed, and loses no job", async () => {
    const { server, origin, jobs } = await started();
    const first = await submit(origin);
    process.kill(jobs, "SIGKILL");
    const second = await submit(origin);
    await until(() => server.jobPids()[1]);
    await done(origin, first);
    await done(origin, second);
    expect(await server.stop()).toBe(0);
  });

  test("ends by itself when the server is killed; the next one's runs what waits", async () => {
    const { server, origin, jobs } = await started();
    await done(origin, await submit(origin));
    process.kill(jobs, "SIGSTOP");
    let path: string;
    try {
      path = await submit(origin);
    } finally {
      server.child.kill("SIGKILL");
      await server.ended;
      process.kill(jobs, "SIGCONT");
    }
    await until(() => !isRunning(jobs));
    const next = await started();
    await done(next.origin, path);
    expect(await next.server.stop()).toBe(0);
  });

  test("is ended in order where a terminal's signal goes to the whole group", async () => {
    const { server, jobs } = await started();
    process.kill(-server.child.pid!, "SIGINT");
    expect(await server.ended).toBe(0);
    expect(isRunning(jobs)).toBe(false);
    const said = server.lines().map(({ msg }) => msg);
    expect(said).not.toContain("the backtest process ended and is started again");
  });

  test("makes a server exit with 1 where it is killed at its end", async () => {
    vi.stubEnv("KILLED", "jobs").stubEnv("NODE_OPTIONS", `--import=${KILLED_AT_ITS_END}`);
    const beginning = isWorking(new Server([]));
    vi.unstubAllEnvs();
    const { server, jobs } = await beginning;
    expect(await server.stop()).toBe(1);
    expect(isRunning(jobs)).toBe(false);
    const bad = server.lines().filter(({ msg }) => msg === "the backtest process did not end well");
    expect(bad).toMatchObject([{ child_pid: jobs, exit: "SIGKILL" }]);
  });

  test("is not there where others run the backtests", async () => {
    const server = new Server(["--job-threads", "0"]);
    const origin = await until(() => server.origin);
    await submit(origin);
    expect(await server.stop()).toBe(0);
    expect(server.jobPids()).toEqual([]);
  });
});
