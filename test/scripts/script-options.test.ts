import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { leadingComment } from "../../scripts/script-options.ts";

const built = (name: string, ...args: string[]) =>
  spawnSync(
    process.execPath,
    [fileURLToPath(new URL(`../../dist/scripts/${name}.js`, import.meta.url)), ...args],
    { encoding: "utf8" },
  );

describe("a script that is run by hand", () => {
  test.each(["index-null", "bench/bench", "faults/kill-server"])(
    "%s says with --help what it does and what it takes",
    (name) => {
      const { status, stdout } = built(name, "--help");
      expect(status).toBe(0);
      expect(stdout).toContain(`\n  node dist/scripts/${name}.js [--`);
      expect(stdout).not.toContain("*");
    },
  );

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
