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
/** Wordings that the manuals of the field don't use. */
const ODD = [
  /(?<!\bthere )\b(?:is|are|was|were) no (?!(?:longer|more|better|faster|easier)\b)[a-z]+/i, // isn't a
  /\bwhoever\b/i,
  /\bnobody\b(?! of that name|-)/i, // what a mail server answers, and the name of a picture
  /\bdoes its worst\b/i,
  /\b(?:is|are) told\b/i,
  /\basked for\b/i,
  /\bstands? for\b/i,
  /\bwithout a word\b/i,
];
const FOLDERS = [
  "aside",
  "accounts",
  "api",
  "check",
  "cli",
  "deploy",
  "docs",
  "files",
  "pipeline",
  "quant",
  "scripts",
  "server",
  "skills",
  "snapshots",
  "web",
];

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|md|json|svg)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function places(words: readonly RegExp[]): string[] {
  const files = [...FOLDERS.flatMap(filesOf), "README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"];
  return files.flatMap((file) => {
    const text = readFileSync(file, "utf8").replaceAll(/\s+(?:(?:\*|\/\/)\s+)?/g, " ");
    return words.flatMap((each) => each.exec(text)?.[0] ?? []).map((found) => `${file}: ${found}`);
  });
}

test("no source, document or recorded answer reads a p-value as a probability of the truth", () => {
  expect(places(WRONG)).toEqual([]);
});

test("no source or document has wordings that manuals don't use", () => {
  expect(places(ODD)).toEqual([]);
});
