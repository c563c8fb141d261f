import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Versions of the software that computed and wrote the files, from the package.json above this file, wherever it was
 * built to. DuckDB's client has DuckDB's own version plus a release number: `1.5.5-r.5`.
 */
export function versions(): Record<string, string> {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  const ours = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
    dependencies: Record<string, string>;
  };
  return {
    hindsight: ours.version,
    node: process.versions.node,
    duckdb: ours.dependencies["@duckdb/node-api"]?.replace(/-r\.\d+$/, "") ?? "",
    apache_arrow: ours.dependencies["apache-arrow"] ?? "",
  };
}
