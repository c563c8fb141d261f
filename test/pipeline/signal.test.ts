import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { LOCK_FILE } from "../../snapshots/lock.ts";
import { HINDSIGHT } from "../support/built-script.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PATIENCE_MS = 120_000;
const folder = () => temporaryFolder("snapshots");

interface Stopped {
  readonly signal: string | null;
  readonly err: string;
  readonly left: readonly string[];
}

/**
 * A run of the demo market that receives `signal` when its log first contains `when`. It is the
 * built program, because only there does a thread write the tables.
 */
async function stopAt(when: string, signal: NodeJS.Signals): Promise<Stopped> {
  const root = folder();
  const options = "--source demo --index-draws 0 --robustness-draws 0".split(" ");
  const args = [HINDSIGHT, "pipeline", ...options, "--out", root];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stderr.on("data", (text) => (err += String(text)));
  child.stdout.on("data", (text) => {
    out += String(text);
    if (out.includes(when) && !child.killed) child.kill(signal);
  });
  return await new Promise((resolve) => {
    child.on("close", (_, ended) => resolve({ signal: ended, err, left: readdirSync(root) }));
  });
}

test.each([
  ['"stage":"indicators"', "SIGTERM"], // the thread loads the largest table
  ['"stage":"dca"', "SIGINT"], // DuckDB writes it to Parquet
] as const)(
  "at %s, %s ends the run in one line and leaves nothing",
  async (when, signal) => {
    const { signal: ended, err, left } = await stopAt(when, signal);
    expect(err).toBe(`error: stopped by ${signal}, nothing was changed\n`);
    expect(ended, "an abort would be SIGABRT").toBe(signal);
    expect(left).toEqual([LOCK_FILE]);
  },
  PATIENCE_MS,
);
