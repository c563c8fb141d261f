import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Builds the accounts and the charging program for tests that need separate processes, because Node 20 does
 * not run TypeScript. It builds from the present sources, since `dist/` may be stale, and inside
 * node_modules, so that libraries are found.
 */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Builds into a new folder and returns it. */
export function buildAccounts(): string {
  const cache = join(ROOT, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "hindsight-accounts-"));
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: { noEmit: false, rootDir: ROOT, outDir: join(folder, "built") },
    files: [join(ROOT, "test", "support", "charge-accounts.ts")],
    include: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const compiler = join(ROOT, "node_modules", ".bin", "tsc");
  const { status, stdout } = spawnSync(compiler, ["-p", join(folder, "tsconfig.json")], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the accounts do not compile:\n${stdout}`);
  return folder;
}

/** What `charge-accounts.ts` takes. */
export interface ChargingOrder {
  readonly file: string;
  readonly key: string;
  readonly nowMs: number;
  /** Requests of one turn: one turn after another, until killed. */
  readonly charges: number;
}

/** Starts the charging program from a built folder. */
export function startCharging(folder: string, order: ChargingOrder): ChildProcess {
  const program = join(folder, "built", "test", "support", "charge-accounts.js");
  return spawn(process.execPath, [program, JSON.stringify(order)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
}
