import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of `package.json`, which is one level further up when this module runs compiled. */
export function packageFolder(): string {
  const from = fileURLToPath(import.meta.url);
  for (let folder = dirname(from); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  throw new Error(`no package.json above ${from}`);
}

/** The built entry point of a thread or process. It is the built one in tests too, which run all other modules from source. */
export function builtFile(name: string): string {
  return join(packageFolder(), "dist", "bundle", `${name}.js`);
}
