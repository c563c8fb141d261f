import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { docsFolder } from "../../../server/pages/docs-folder.ts";

const SOURCES = join(docsFolder(), "../server/metrics");

function namesIn(text: string): string[] {
  return [...new Set(text.match(/hindsight_[a-z_]+/g))].sort();
}

test("docs/reference.md lists every metric, and no other", () => {
  const sources = readdirSync(SOURCES).map((file) => readFileSync(join(SOURCES, file), "utf8"));
  const [, section = ""] = readFileSync(join(docsFolder(), "reference.md"), "utf8").split(
    "\n## Metrics\n",
  );
  expect(namesIn(section.split("\n## ")[0]!)).toEqual(namesIn(sources.join()));
});
