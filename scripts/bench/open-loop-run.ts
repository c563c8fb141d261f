import { fileURLToPath } from "node:url";
import { runScript } from "../support/child-processes.ts";

export interface OpenLoopOptions {
  readonly port: number;
  readonly requestsFile: string;
  readonly perSecond: number;
  /** How long to load at the same rate before measuring. */
  readonly warmSeconds: number;
  readonly seconds: number;
  readonly connections: number;
  /** The status that every answer should have. */
  readonly status: number;
  /**
   * Leaves the core to others between requests. Latencies then count from when a request's instant was
   * noticed.
   */
  readonly sleeps: boolean;
}

export interface OpenLoopResult {
  readonly requests: number;
  /** Answers with another status, broken connections, and requests without an answer. */
  readonly failed: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly p999_ms: number;
  readonly max_ms: number;
  /**
   * The worst delay of the generator itself while a connection was free. It is part of the latencies unless
   * the generator sleeps.
   */
  readonly sent_late_max_ms: number;
}

const SCRIPT = fileURLToPath(new URL("./open-loop.js", import.meta.url));

/**
 * The generator keeps its own core busy; helper threads of its V8 would take their time from the server's
 * core.
 */
const NO_HELPERS = "--single-threaded";

/** Runs `open-loop.ts` in a process of its own. */
export async function runOpenLoop(options: OpenLoopOptions): Promise<OpenLoopResult> {
  const output = await runScript(NO_HELPERS, [SCRIPT, JSON.stringify(options)]);
  return JSON.parse(output) as OpenLoopResult;
}
