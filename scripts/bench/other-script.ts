import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endOf, watched } from "../support/child-processes.ts";
import type { Part } from "./part.ts";

/** A part that is a separate program and prints its own tables. */
export function otherScript(name: string): Part {
  return async (bench) => {
    bench.progress("");
    const script = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
    const child = watched(
      spawn(process.execPath, [script], { stdio: ["ignore", "inherit", "inherit"] }),
    );
    const end = await endOf(child);
    if (end !== 0) throw new Error(`${name} ended with ${String(end)}`);
    const nothing = { columns: [], rows: [], notes: [], targets: [], figures: {} };
    return { title: `${name}: as printed above`, ...nothing };
  };
}
