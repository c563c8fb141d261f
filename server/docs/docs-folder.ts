import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Pages in the order of the menu; any other follows by name. */
const ORDER = ["api", "errors", "methods", "data", "glossary", "operations", "decisions"];

/**
 * The folder of the documentation: `docs/` beside `package.json`, which is one level further up when this runs
 * compiled, from `dist/`.
 */
export function docsFolder(from: string = fileURLToPath(import.meta.url)): string {
  for (let folder = dirname(from); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return join(folder, "docs");
  }
  throw new Error(`no package.json above ${from}`);
}

/** Names of the pages in a folder, in the order of the menu. */
export function pageNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.slice(0, -".md".length))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** Where the list of pages is served. */
export const DOCS_PATH = "/docs";

export function pathOfPage(name: string): string {
  return `${DOCS_PATH}/${name}`;
}

function rank(name: string): number {
  const place = ORDER.indexOf(name);
  return place < 0 ? ORDER.length : place;
}
