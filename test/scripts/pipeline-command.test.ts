import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { HINDSIGHT } from "../support/built-script.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));
const folder = temporaryFolder("pipeline");

/** Fills the pipe behind its standard output, whose reader never reads, and runs the arguments with it. */
const UNREAD = '(head -c 65536 /dev/zero; "$@"; echo "exit $?" >&2) | sleep 300';

test.runIf(process.platform === "linux")(
  "a run is published although nobody reads its log",
  async () => {
    const source = ["--source", `csv:${join(FIXTURES, "golden-prices")}`];
    const board = ["--board", join(FIXTURES, "golden-board.json")];
    const run = [HINDSIGHT, "pipeline", ...source, ...board, "--out", folder, "--index-draws", "0"];
    const child = spawn("sh", ["-c", UNREAD, "sh", process.execPath, ...run], {
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void process.kill(-child.pid!, "SIGKILL")); // the reader too
    const [said] = (await once(child.stderr, "data")) as [Buffer];
    expect(String(said)).toBe("exit 0\n");
    expect(readdirSync(folder)).toContain("CURRENT");
  },
);
