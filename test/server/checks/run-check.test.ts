import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test, vi } from "vitest";
import { checkRunner, type CheckRunnerOptions } from "../../../server/checks/run-check.ts";
import { isRunning } from "../../support/is-running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../../support/until.ts";

const folder = temporaryFolder("run-check");

/** A program that takes the place of the process of a check. */
function program(code: string): string {
  const path = join(folder, `${readdirSync(folder).length}.mjs`);
  writeFileSync(path, code);
  return path;
}

/** What becomes of a file. */
function run(
  content: string | Uint8Array,
  options: Partial<CheckRunnerOptions> = {},
  signal = new AbortController().signal,
) {
  const file = [Uint8Array.from(Buffer.from(content))];
  return checkRunner({ snapshots: folder, ...options })(
    { accountId: "one", file, options: {}, snapshotId: "none" },
    signal,
  );
}

const CSV = `date,a\n${Array.from({ length: 40 }, (_, day) => {
  return `${new Date(day * 864e5).toISOString().slice(0, 10)},${day % 3 === 0 ? -0.01 : 0.008}`;
}).join("\n")}\n`;

const HANGS = "process.stdin.resume(); setInterval(() => {}, 1000);";
const WORKS = "for (;;);";
const BUILT = pathToFileURL(join(process.cwd(), "dist/server/checks/")).href;
/** Writes its own id to a file. */
const tellsPid = (path: string) =>
  `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(path)}, String(process.pid));`;
const pidIn = (path: string) => Number(readFileSync(path, "utf8"));

test("a file gets its report, and a wrong one the reason", async () => {
  const outcome = await run(CSV);
  const report: unknown = JSON.parse(outcome.kind === "report" ? outcome.json : "{}");
  expect(report).toHaveProperty("verdict.sentence");
  expect(await run("date,a\n2024-01-01,much\n")).toMatchObject({ kind: "refused" });
  const trades = "opened_at,closed_at,PNL,holding_period\n1577836800000,1579132800000,5,1\n";
  expect(await run(trades)).toMatchObject({
    kind: "more_needed",
    questions: [{ option: "startingCapital" }],
  });
});

test("more than 400,000 variants times bars are too large", async () => {
  const columns = Array.from({ length: 4010 }, (_, place) => `v${place}`);
  const rows = Array.from({ length: 100 }, (_, day) => {
    const date = new Date(day * 864e5).toISOString().slice(0, 10);
    return [date, ...columns.map((_, place) => Math.sin(day * day + place) / 50)].join(",");
  });
  const outcome = await run([["date", ...columns].join(","), ...rows].join("\n"));
  expect(outcome).toMatchObject({ kind: "too_large" });
});

test("a file that takes too much memory ends its process alone", async () => {
  expect(await run(`[${"{},".repeat(3_000_000)}{}]`, { limits: { heapMb: 64 } })).toEqual({
    kind: "out_of_memory",
  });
});

test("the clock for reading is of CPU time, and stops once the file is read", async () => {
  const limits = { readSeconds: 1 };
  const outcome = await run(CSV, { program: program(WORKS), limits });
  expect(outcome).toEqual({ kind: "slow_to_read", seconds: 1 });
  const columns = Array.from({ length: 200 }, (_, place) => `v${place}`);
  const rows = Array.from({ length: 300 }, (_, day) => {
    const date = new Date(day * 864e5).toISOString().slice(0, 10);
    return [date, ...columns.map((_, place) => Math.sin(day * day + place) / 50)].join(",");
  });
  const long = await run([["date", ...columns].join(","), ...rows].join("\n"), { limits });
  expect(long.kind, "200 variants are tested for more than a second").toBe("report");
});

test.each([
  ["reads", WORKS],
  ["tests", `import { endIfAlone } from "${BUILT}sent-file.js"; setInterval(endIfAlone, 20);`],
])("a process that %s ends after the one that started it was killed", async (name, code) => {
  const pidFile = join(folder, `pid-${name}`);
  const task = { program: [program(tellsPid(pidFile) + code)], order: "", file: [] };
  const limits = { readSeconds: 1, seconds: 60, heapMb: 64, otherMb: 512 };
  const starts = `import { answerOfProcess } from "${BUILT}../../aside/limited-process.js"; await answerOfProcess(${JSON.stringify({ ...task, limits })});`;
  const starter = spawn(process.execPath, [program(starts)], { stdio: "ignore" });
  await until(() => readdirSync(folder).includes(`pid-${name}`) && pidIn(pidFile) > 0);
  starter.kill("SIGKILL");
  await once(starter, "exit");
  expect(await until(() => !isRunning(pidIn(pidFile)))).toBe(true);
});

test("a process knows nothing of the server's environment", async () => {
  vi.stubEnv("HINDSIGHT_STATE", "redis://:secret@127.0.0.1");
  const tells =
    'import { serialize } from "node:v8"; process.stdout.write(serialize(Object.keys(process.env)));';
  const names = (await run(CSV, { program: program(tells) })) as unknown as string[];
  vi.unstubAllEnvs();
  // A shell sets these for itself.
  expect(names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name))).toEqual([]);
});

test("more than 2,000,000 cells of a Parquet file are too large before they are decoded", async () => {
  const path = join(folder, "constant.parquet");
  const columns = Array.from({ length: 20 }, (_, place) => `sin(range) AS c${place}`).join(", ");
  const database = await (await DuckDBInstance.create()).connect();
  await database.run(`COPY (SELECT ${columns} FROM range(100001)) TO '${path}'`);
  database.closeSync();
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4, 40); // decoding would fail
  const message = "the file has 2000020 cells, more than 2000000";
  expect(await run(bytes)).toEqual({ kind: "too_large", message });
});

test("a process that takes too long is ended", async () => {
  const outcome = await run(CSV, { program: program(HANGS), limits: { seconds: 0.5 } });
  expect(outcome).toEqual({ kind: "timed_out", seconds: 0.5 });
});

test("a process that somebody ends is lost, and what it says elsewhere is not read", async () => {
  const killed = program('console.error("x"); process.kill(process.pid, "SIGKILL");');
  expect(await run(CSV, { program: killed })).toEqual({ kind: "lost" });
});

test("a check that is stopped ends its process", async () => {
  const pidFile = join(folder, "pid");
  const stopping = new AbortController();
  const outcome = run(CSV, { program: program(tellsPid(pidFile) + HANGS) }, stopping.signal);
  await until(() => readdirSync(folder).includes("pid") && readFileSync(pidFile).length > 0);
  stopping.abort();
  expect(await outcome).toEqual({ kind: "stopped" });
  await until(() => !isRunning(pidIn(pidFile)));
});

test("a processor is left for requests, and each check gets its turn", async () => {
  const options = { snapshots: folder, program: program(HANGS), limits: { seconds: 0.3 } };
  const runner = checkRunner(options);
  const task = () => ({
    accountId: "one",
    file: [Uint8Array.of(1)],
    options: {},
    snapshotId: "none",
  });
  const { signal } = new AbortController();
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => runner(task(), signal)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => "timed_out"));
});

test("an account that sends many files waits for them, and another does not", async () => {
  const order: string[] = [];
  const options = { snapshots: folder, program: program(HANGS), limits: { seconds: 0.2 } };
  const runner = checkRunner(options);
  const { signal } = new AbortController();
  const run = async (accountId: string) => {
    const file = [Uint8Array.of(1)];
    await runner({ accountId, file, options: {}, snapshotId: "none" }, signal);
    order.push(accountId);
  };
  const many = Array.from({ length: 5 }, () => run("many"));
  await Promise.all([...many, run("other")]);
  expect(order.indexOf("other")).toBeLessThanOrEqual(1);
});
