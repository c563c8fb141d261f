import { fileURLToPath } from "node:url";
import { runScript } from "./child-server.ts";

export interface OpenLoopOptions {
  readonly port: number;
  readonly requestsFile: string;
  readonly perSecond: number;
  /** At the same rate before what is measured. */
  readonly warmSeconds: number;
  readonly seconds: number;
  readonly connections: number;
  /** That every answer should have. */
  readonly status: number;
  /** Leaves the core to others between requests; latencies are then counted from when a request's instant was noticed. */
  readonly sleeps: boolean;
}

export interface OpenLoopResult {
  readonly requests: number;
  /** Another status, a broken connection, or no answer. */
  readonly failed: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly p999_ms: number;
  readonly max_ms: number;
  /** How late the generator itself was at worst with a connection free; part of the latencies unless it sleeps. */
  readonly sent_late_max_ms: number;
}

const SCRIPT = fileURLToPath(new URL("./open-loop.js", import.meta.url));

/** Its own core is busy: helper threads of its V8 would take theirs from the server's. */
const NO_HELPERS = "--single-threaded";

/** Runs `open-loop.ts` in a process of its own. */
export async function runOpenLoop(options: OpenLoopOptions): Promise<OpenLoopResult> {
  const output = await runScript(NO_HELPERS, [SCRIPT, JSON.stringify(options)]);
  return JSON.parse(output) as OpenLoopResult;
}
