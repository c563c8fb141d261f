import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
  text: string,
  options: Partial<CheckRunnerOptions> = {},
  signal = new AbortController().signal,
) {
  const file = [Uint8Array.from(Buffer.from(text))];
  return checkRunner({ snapshots: folder, ...options })(
    { file, options: {}, snapshotId: "none" },
    signal,
  );
}

const CSV = `date,a\n${Array.from({ length: 40 }, (_, day) => {
  return `${new Date(day * 864e5).toISOString().slice(0, 10)},${day % 3 === 0 ? -0.01 : 0.008}`;
}).join("\n")}\n`;

const HANGS = "process.stdin.resume(); setInterval(() => {}, 1000);";

test("a file gets its report, and a wrong one the reason", async () => {
  const outcome = await run(CSV);
  const report: unknown = JSON.parse(outcome.kind === "report" ? outcome.json : "{}");
  expect(report).toHaveProperty("verdict.sentence");
  expect(await run("date,a\n2024-01-01,much\n")).toMatchObject({ kind: "refused" });
  const trades = "opened_at,closed_at,PNL,holding_period\n1577836800000,1577923200000,5,1\n";
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
  expect(await run(`[${"{},".repeat(3_000_000)}{}]`, { heapLimitMb: 64 })).toEqual({
    kind: "out_of_memory",
  });
});

test("a process that takes too long is ended", async () => {
  const outcome = await run(CSV, { program: program(HANGS), timeLimitMs: 500 });
  expect(outcome).toEqual({ kind: "timed_out", seconds: 0.5 });
});

test("a process that somebody ends is lost, and what it says elsewhere is not read", async () => {
  const killed = program('console.error("x"); process.kill(process.pid, "SIGKILL");');
  expect(await run(CSV, { program: killed })).toEqual({ kind: "lost" });
});

test("a check that is stopped ends its process", async () => {
  const pidFile = join(folder, "pid");
  const writes = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));`;
  const stopping = new AbortController();
  const outcome = run(CSV, { program: program(writes + HANGS) }, stopping.signal);
  await until(() => readdirSync(folder).includes("pid") && readFileSync(pidFile).length > 0);
  stopping.abort();
  expect(await outcome).toEqual({ kind: "stopped" });
  const pid = Number(readFileSync(pidFile, "utf8"));
  await until(() => !isRunning(pid));
});

test("a processor is left for requests, and each check gets its turn", async () => {
  const options = { snapshots: folder, program: program(HANGS), timeLimitMs: 300 };
  const runner = checkRunner(options);
  const task = () => ({ file: [Uint8Array.of(1)], options: {}, snapshotId: "none" });
  const { signal } = new AbortController();
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => runner(task(), signal)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => "timed_out"));
});
