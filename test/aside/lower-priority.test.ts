import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { withoutCapabilities } from "../support/ordinary-user.ts";

const MODULE = pathToFileURL(resolve("dist/aside/lower-priority.js")).href;
/** The tests' own, from which an ordinary user can only go down. */
const OWN = getPriority();
const ASKED = OWN + 2;
const PROGRAM = `
import { lowerPriority, priorityRefusal } from "${MODULE}";
import { getPriority } from "node:os";
lowerPriority(${ASKED});
console.log(getPriority(), priorityRefusal() ?? "allowed");`;

/** What a process that begins this much below the tests says of its niceness after it asked for `ASKED`. */
function askedFrom(below: number): string {
  const node = [process.execPath, "--input-type=module", "-e", PROGRAM];
  const [program, ...args] = [...withoutCapabilities(), "nice", "-n", String(below), ...node];
  const { stdout, stderr } = spawnSync(program!, args, { encoding: "utf8" });
  return stdout.trim() + stderr;
}

test.runIf(process.platform === "linux")("lowers a priority and raises none", () => {
  expect(askedFrom(1)).toBe(`${ASKED} allowed`);
  expect(askedFrom(3), "to raise it takes a privilege").toBe(`${OWN + 3} allowed`);
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
