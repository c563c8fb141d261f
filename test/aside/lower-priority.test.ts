import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { withoutCapabilities } from "../support/ordinary-user.ts";

const MODULE = pathToFileURL(resolve("dist/aside/lower-priority.js")).href;
const PROGRAM = `
import { lowerPriority, priorityRefusal } from "${MODULE}";
import { getPriority } from "node:os";
lowerPriority(10);
console.log(getPriority(), priorityRefusal() ?? "allowed");`;

/** What a process that begins at this niceness says of its own after it asked for 10. */
function askedFrom(nice: number): string {
  const node = [process.execPath, "--input-type=module", "-e", PROGRAM];
  const [program, ...args] = [...withoutCapabilities(), "nice", "-n", String(nice), ...node];
  const { stdout, stderr } = spawnSync(program!, args, { encoding: "utf8" });
  return stdout.trim() + stderr;
}

test.runIf(process.platform === "linux")("lowers a priority and raises none", () => {
  expect(askedFrom(5)).toBe("10 allowed");
  expect(askedFrom(15), "to raise it takes a privilege").toBe("15 allowed");
});

test("nothing else asks for what the system may refuse", () => {
  const files = [
    "accounts",
    "api",
    "aside",
    "check",
    "cli",
    "files",
    "pipeline",
    "scripts",
    "server",
    "snapshots",
    "web",
  ].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: "utf8" }).map((name) => join(room, name)),
  );
  const asking = files.filter(
    (file) =>
      /\.tsx?$/.test(file) && /\bsetPriority\b|oom_score_adj/.test(readFileSync(file, "utf8")),
  );
  expect(asking.toSorted()).toEqual([
    "aside/lower-priority.ts",
    "server/checks/sent-file.ts",
    "server/process/backtest-process.ts",
  ]);
});
