/** Starts the built programs as a user would, as child processes, and ends only those. */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { watched } from "../bench/child-server.ts";
import { freePort } from "../free-port.ts";

const HINDSIGHT = fileURLToPath(new URL("../hindsight.js", import.meta.url));
const READY_TIMEOUT_MS = 60_000;

export interface Service {
  readonly origin: string;
  stop(): Promise<number | null>;
}

/** Runs `hindsight ARGS` to its end and returns its standard output; throws when it fails. */
export function hindsight(args: readonly string[]): string {
  const child = spawnSync(process.execPath, [HINDSIGHT, ...args], { encoding: "utf8" });
  if (child.status !== 0) {
    throw new Error(`hindsight ${args.join(" ")} ended with ${child.status}: ${child.stderr}`);
  }
  return child.stdout;
}

/** `hindsight serve` on a free port, ready to answer. */
export async function serve(folder: string, args: readonly string[]): Promise<Service> {
  const port = await freePort();
  const where = ["--port", String(port), "--snapshots", join(folder, "snapshots")];
  const child = watched(
    spawn(process.execPath, [HINDSIGHT, "serve", ...where, ...args], {
      stdio: ["ignore", "ignore", "inherit"],
    }),
  );
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const origin = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady(origin))) {
    if (Date.now() > deadline || child.exitCode !== null) {
      child.kill("SIGKILL");
      throw new Error(`the server was not ready within ${READY_TIMEOUT_MS / 1000} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    origin,
    async stop() {
      child.kill("SIGTERM");
      return await ended;
    },
  };
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/readyz`)).ok;
  } catch {
    return false;
  }
}
