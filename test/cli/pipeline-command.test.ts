import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { HINDSIGHT } from "../support/built-script.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));
const folder = temporaryFolder("pipeline");

/** Fills the pipe behind its standard output, whose reader never reads, and runs the arguments with it. */
const UNREAD = '(head -c 65536 /dev/zero; "$@"; echo "exit $?" >&2) | sleep 300';

const SOURCE = ["--source", `csv:${join(FIXTURES, "golden-prices")}`];
const BOARD = ["--board", join(FIXTURES, "golden-board.json")];
const RUN = [
  HINDSIGHT,
  "pipeline",
  ...SOURCE,
  ...BOARD,
  "--index-draws",
  "0",
  "--robustness-draws",
  "0",
];

test("a run logs one line a stage, and at the end what it published and what that took", () => {
  const root = temporaryFolder("pipeline");
  const startedMs = performance.now();
  const run = spawnSync(process.execPath, [...RUN, "--out", root], { encoding: "utf8" });
  const seconds = (performance.now() - startedMs) / 1000;
  expect([run.status, run.stderr]).toEqual([0, ""]);
  const lines = run.stdout.trim().split("\n");
  const log = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(new Set(log.map(({ name }) => name))).toEqual(new Set(["hindsight-pipeline"]));
  const stages = log.filter(({ msg }) => msg === "stage done");
  const id = readFileSync(join(root, "CURRENT"), "utf8").trim();
  expect(log.at(-1)).toMatchObject({
    msg: "snapshot published",
    snapshot: id,
    dir: join(root, id),
    stages: Object.fromEntries(stages.map(({ stage, seconds }) => [stage, seconds])),
  });
  for (const figure of ["seconds", "cpu_seconds", "peak_memory_mb"])
    expect(log.at(-1)![figure]).toBeGreaterThan(0);
  expect(log.at(-1)!["seconds"]).toBeLessThan(seconds);
});

test.runIf(process.platform === "linux")(
  "a run is published although its log is not read",
  async () => {
    const run = [process.execPath, ...RUN, "--out", folder];
    const child = spawn("sh", ["-c", UNREAD, "sh", ...run], {
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void process.kill(-child.pid!, "SIGKILL")); // the reader too
    const [said] = (await once(child.stderr, "data")) as [Buffer];
    expect(String(said)).toBe("exit 0\n");
    expect(readdirSync(folder)).toContain("CURRENT");
  },
);
