import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { leadingComment } from "../../../scripts/support/script-options.ts";
import { builtScript } from "../../support/built-script.ts";

const built = (name: string, ...args: string[]) =>
  spawnSync(process.execPath, [builtScript(name), ...args], { encoding: "utf8" });

/**
 * Everything that is started from a command line, by hand or by another script; its first comment says how.
 */
function scripts(): string[] {
  const folder = fileURLToPath(new URL("../../../scripts", import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .filter((name) => {
      const about = leadingComment(readFileSync(join(folder, `${name}.ts`), "utf8"));
      return about.includes(`\n  node dist/scripts/${name}.js `);
    });
}

describe("a script that is run by hand", () => {
  test.each(scripts())("%s says with --help what it does and what it takes", (name) => {
    const { status, stdout } = built(name, "--help");
    expect(status).toBe(0);
    expect(stdout).toContain(`\n  node dist/scripts/${name}.js `);
    expect(stdout).not.toContain("*");
  });

  test("says in one line what is missing", () => {
    for (const [name, what] of [
      ["faults/redis-outages", "--snapshots DIR is missing"],
      ["bench/bare-server", "an argument is missing"],
    ] as const) {
      const { status, stderr } = built(name);
      expect([status, stderr]).toEqual([2, `error: ${what}; see --help\n`]);
    }
  });

  test.each([
    ["faults/kill-server", "--times", "abc", 'a whole number from 1 on, got "abc"'],
    ["faults/kill-server", "--times", "0.5", 'a whole number from 1 on, got "0.5"'],
    ["faults/kill-cluster", "--servers", "0.5", 'a whole number from 1 on, got "0.5"'],
    ["bench/indicators", "--passes", "many", 'a whole number from 1 on, got "many"'],
    ["bench/pipeline", "--rounds", "0", 'a whole number from 1 on, got "0"'],
    ["faults/kill-cluster", "--rate", "0", 'a number above 0, got "0"'],
    ["dev/index-null", "--costs", "some", 'usual or none or double, got "some"'],
    ["dev/index-null", "--draws", "1", 'a whole number from 2 on, got "1"'],
    ["dev/index-null", "--month", "May", 'YYYY-MM, got "May"'],
  ])("%s refuses a wrong %s in one line", (name, option, value, why) => {
    const { status, stderr } = built(name, option, value);
    expect([status, stderr]).toEqual([2, `error: ${option} takes ${why}; see --help\n`]);
  });

  test("tells an option that it does not take in one line", () => {
    const { status, stderr } = built("bench/engine", "--passses", "3");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: Unknown option '--passses'.*; see --help\n$/);
  });
});

test("only a comment that a file begins with is its own", () => {
  expect(leadingComment("/**\n * One.\n *\n *   two\n */\ncode")).toBe("One.\n\n  two");
  expect(leadingComment("code\n/**\n * One.\n */\n")).toBe("");
});
