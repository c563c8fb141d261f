import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The version of the package that this file belongs to, built or not. */
export function packageVersion(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return (manifest as { version: string }).version;
}
