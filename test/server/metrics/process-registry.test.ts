import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SCRIPT = fileURLToPath(
  new URL("../../support/first-scrape-without-files.mjs", import.meta.url),
);

test("a first scrape for which no file can be opened fails, and the next one does not", () => {
  const limited = ["-c", 'ulimit -n 64 && exec "$0" "$1"', process.execPath, SCRIPT];
  expect(execFileSync("sh", limited, { encoding: "utf8" })).toBe("refused told\n");
});
