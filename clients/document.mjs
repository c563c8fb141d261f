/** Writes the document, and what both clients need of it besides types: node document.mjs FOLDER */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "../dist/server/openapi/openapi.js";

const folder = process.argv[2];
const document = openApiDocument("https://example.com");
const { version } = document.info;
writeFileSync(join(folder, "document.json"), JSON.stringify(document));

const manifest = join(folder, "typescript/package.json");
writeFileSync(
  manifest,
  JSON.stringify({ ...JSON.parse(readFileSync(manifest)), version }, null, 2),
);

const built = join(folder, "python/hindsight_backtests/built.py");
const dates = dateNames(document);
writeFileSync(built, `VERSION = "${version}"\nDATES = frozenset(${JSON.stringify(dates)})\n`);

/** The names of members that are dates wherever they occur. */
function dateNames(root) {
  const isDate = new Map();
  JSON.stringify(root, (_, value) => {
    for (const [name, schema] of Object.entries(value?.properties ?? {})) {
      const kinds = schema.anyOf ?? [schema];
      if (kinds.some(({ type }) => type === "object" || type === "array")) continue;
      isDate.set(name, kinds.some(({ format }) => format === "date") && isDate.get(name) !== false);
    }
    return value;
  });
  return Array.from(isDate).flatMap(([name, is]) => (is ? [name] : []));
}
