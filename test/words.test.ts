import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Wordings that take a p-value for a probability of the truth, or a measured rate for the worst there is. */
const WRONG = [
  /probability[^.|"]{0,40} that the true/i,
  /chance to be above/i,
  /above 0 with a probability/i,
  /(?:is|as) the probability that/i,
  /\d+ % probable/i,
  /at worst(?! on the shapes tried)"/,
  /bad luck explains/i,
  /times as likely/i,
];
const FOLDERS = [
  "accounts",
  "api",
  "check",
  "cli",
  "docs",
  "files",
  "quant",
  "scripts",
  "server",
  "snapshots",
  "web",
];

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|md|json|svg)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

test("no source, document or recorded answer reads a p-value as a probability of the truth", () => {
  const wrong = [...FOLDERS.flatMap(filesOf), "README.md"].flatMap((file) => {
    const text = readFileSync(file, "utf8").replaceAll(/\s+/g, " ");
    return WRONG.filter((words) => words.test(text)).map((words) => `${file}: ${words.source}`);
  });
  expect(wrong).toEqual([]);
});
