import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const FOLDER = join(import.meta.dirname, "../../dist/assets");
const SCRIPT_MAX = 120 * 1024;
const ENTRIES = ["check", "check-worker"];

const textOf = (file: string) => readFileSync(join(FOLDER, file), "utf8");
const packed = (text: string) => gzipSync(text).length;

/** What the named scripts load at once: themselves, and all that they import, but for what a file may need. */
function loadedAtOnce(names: readonly string[]): Set<string> {
  const files = readdirSync(FOLDER);
  const wanted = names.map((name) =>
    files.find((file) => file.replace(/-[\w-]{8}\.js$/, "") === name)!,
  );
  const loaded = new Set<string>();
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    for (const [, name] of textOf(file).matchAll(/(?:\bfrom|\bimport)\s*"\.\/([\w.-]+)"/g))
      wanted.push(name!);
  }
  return loaded;
}

test("/check loads at most 120 KB of script, and no reader of packed files", () => {
  const loaded = [...loadedAtOnce(ENTRIES)];
  expect(loaded.length).toBeGreaterThan(ENTRIES.length);
  for (const reader of ["arrow", "parquet", "unzip"]) {
    expect(readdirSync(FOLDER).some((file) => file.startsWith(`${reader}-`))).toBe(true);
    expect(loaded.filter((file) => file.startsWith(`${reader}-`))).toEqual([]);
  }
  const bytes = loaded.reduce((sum, file) => sum + packed(textOf(file)), 0);
  expect(bytes).toBeLessThanOrEqual(SCRIPT_MAX);
});

test("the form of a study loads at most 120 KB of script, on first use all of it", () => {
  const all = loadedAtOnce(["rule-study", "study-island", "study-worker"]);
  const bytes = [...all].reduce((sum, file) => sum + packed(textOf(file)), 0);
  expect(bytes).toBeLessThanOrEqual(SCRIPT_MAX);
  const [first] = loadedAtOnce(["rule-study"]);
  expect(packed(textOf(first!)), "what every reader of the page loads").toBeLessThan(2 * 1024);
});

test("no script of /check, nor a reader of packed files, needs a part of Node", () => {
  for (const file of loadedAtOnce([...ENTRIES, "arrow", "parquet", "unzip", "freqtrade-zip"])) {
    expect(textOf(file)).not.toMatch(/["']node:|\brequire\(/);
  }
});
