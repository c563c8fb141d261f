import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A statement that loads another file: with a `from`, or for its effects alone. */
const STATEMENT = /^(?:import|export)(?! type\b) (?:[^;"]*? from )?"([^"]+)";/gm;

/**
 * What a file loads immediately: packages by name, our files by path. Types are erased, and `import()` comes
 * later.
 */
function loadedBy(entry: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (file: string) => {
    const name = relative(ROOT, file);
    if (loaded.has(name)) return;
    loaded.add(name);
    const source = readFileSync(file, "utf8");
    for (const [, from = ""] of source.matchAll(STATEMENT)) {
      if (from.startsWith(".")) visit(resolve(dirname(file), from));
      else if (!from.startsWith("node:")) loaded.add(from);
    }
  };
  visit(join(ROOT, entry));
  return loaded;
}

describe("a start", () => {
  test("loads the server's code with the command that needs it", () => {
    const before = loadedBy("cli/serve.ts");
    expect([...before].filter((name) => !name.includes("/"))).toEqual(["commander"]);
    expect(before).not.toContain("server/main.ts");
  });

  test("loads nothing that only pages, backtests, metrics or the pipeline need", () => {
    const server = loadedBy("server/main.ts");
    expect(server).toContain("snapshots/reader.ts");
    for (const late of ["marked", "piscina", "libsql/promise"]) {
      expect(server).not.toContain(late);
    }
    for (const name of server) {
      expect(name, "the pages of accounts").not.toMatch(
        /^(nodemailer|server\/(mail|account-pages)\/)/,
      );
      expect(name).not.toMatch(/^(@duckdb|apache-arrow$|ccxt|p-queue|pipeline)/);
      expect(name).not.toMatch(/^server\/(openapi\/openapi|pages\/pages|jobs\/run\/worker)\.ts/);
    }
  });
});
