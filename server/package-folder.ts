import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of `package.json`: above this module, or one level further up where it runs compiled. */
export function packageFolder(): string {
  const from = fileURLToPath(import.meta.url);
  for (let folder = dirname(from); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  throw new Error(`no package.json above ${from}`);
}

/** The entry point of a thread or process. Tests run modules from their sources, and these from the build. */
export function builtFile(name: string): string {
  return join(packageFolder(), "dist", "bundle", `${name}.js`);
}
