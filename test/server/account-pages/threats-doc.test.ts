import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const TESTS = ["mail-threats", "limit-threats", "browser-threats"];

test("the documentation names the threats that are tested, and no others", () => {
  const text = readFileSync("docs/accounts.md", "utf8");
  const section = /\n## Threats\n([^]*?)(?=\n## )/.exec(text)?.[1] ?? "";
  const named = Array.from(section.matchAll(/^\*\*(.+?)\.\*\*/gm), ([, name]) => name);
  const tested = TESTS.flatMap((name) => {
    const source = readFileSync(`test/server/account-pages/${name}.test.ts`, "utf8");
    return Array.from(source.matchAll(/^describe\("(.+?)"/gm), ([, title]) => title);
  });
  expect(named.length).toBeGreaterThan(10);
  expect(new Set(named)).toEqual(new Set(tested));
});
