import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PAGE_STYLES, CHART_STYLES, TOKENS } from "../../web/styles.ts";
import { packageFolder } from "./package-folder.ts";

const HASH_LENGTH = 8;

export interface Asset {
  readonly type: string;
  readonly text: string;
}

/** Scripts and styles of the pages. Their names contain a hash of their content, so browsers may keep them for ever. */
export interface Assets {
  readonly byPath: ReadonlyMap<string, Asset>;
  readonly styles: string;
  /** The address of a script by its name in `web/browser/`. */
  readonly script: (name: string) => string;
}

/** Reads what the build wrote to `dist/assets`. */
export function readAssets(): Assets {
  const byPath = new Map<string, Asset>();
  const sheet = TOKENS + CHART_STYLES + PAGE_STYLES;
  const hash = createHash("sha256").update(sheet).digest("hex").slice(0, HASH_LENGTH);
  const styles = `/assets/styles-${hash}.css`;
  byPath.set(styles, { type: "text/css; charset=utf-8", text: sheet });
  const scripts = new Map<string, string>();
  const folder = join(packageFolder(), "dist", "assets");
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
    const text = readFileSync(join(folder, file), "utf8");
    byPath.set(`/assets/${file}`, { type: "text/javascript; charset=utf-8", text });
    scripts.set(file.replace(/-[\w-]{8}\.js$/, ""), `/assets/${file}`);
  }
  const script = (name: string) => {
    const path = scripts.get(name);
    if (path === undefined) throw new Error(`dist/assets has no script "${name}": run make build`);
    return path;
  };
  return { byPath, styles, script };
}
