import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "./package-folder.ts";

/** The version of the package that this file belongs to, built or not. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8"));
  return (manifest as { version: string }).version;
}
