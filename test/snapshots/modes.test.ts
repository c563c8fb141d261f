import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtScript } from "../support/built-script.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("what is published can be read by every user, whatever the umask", () => {
  const out = temporaryFolder("modes");
  const source = ["--source", "csv:test/fixtures/golden-prices", "--keep-last-rows"];
  const board = ["--board", "test/fixtures/golden-board.json", "--out", out];
  const draws = ["--index-draws", "0", "--robustness-draws", "0"];
  const command = ["node", builtScript("hindsight"), "pipeline", ...source, ...board, ...draws];
  execFileSync("/bin/sh", ["-c", 'umask 077; exec "$@"', "sh", ...command]);
  const id = readFileSync(join(out, "CURRENT"), "utf8").trim();
  const mode = (path: string) => (statSync(join(out, path)).mode & 0o777).toString(8);
  expect([mode("CURRENT"), mode(id)]).toEqual(["644", "755"]);
  const files = readdirSync(join(out, id));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) expect(mode(join(id, file)), `of ${file}`).toBe("644");
});
