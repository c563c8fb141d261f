import { spawn } from "node:child_process";
import { cpus } from "node:os";
import { outputOf } from "../support/child-processes.ts";
import type { ChildServer } from "../support/child-server.ts";
import { findGenerator } from "../bench/load.ts";
import { runOpenLoop } from "../bench/open-loop-run.ts";

/** One way of reading for this many seconds; returns the p99 in milliseconds. */
export interface ReadLoad {
  readonly name: string;
  run(seconds: number): Promise<number>;
}

interface ReadLoadsOptions {
  readonly server: ChildServer;
  readonly key: string;
  readonly path: string;
  /** The path of a file of requests. */
  readonly requestsFile: string;
  /** Rate of the steady reads. */
  readonly perSecond: number;
}

const STEADY_CONNECTIONS = 16;
const WARM_SECONDS = 0.5;
const FULL_CONNECTIONS = [4, 16, 64];
const MILLISECONDS: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3 };

/**
 * Two ways of reading: at a steady rate and, if `wrk` is installed, as fast as they are answered. Each runs
 * in a process of its own.
 */
export function readLoads(options: ReadLoadsOptions): readonly ReadLoad[] {
  const { server, key, path, requestsFile, perSecond } = options;
  const steady: ReadLoad = {
    name: `${perSecond} reads a second`,
    async run(seconds) {
      const result = await runOpenLoop({
        port: server.port,
        requestsFile,
        perSecond,
        warmSeconds: WARM_SECONDS,
        seconds: seconds - WARM_SECONDS,
        connections: STEADY_CONNECTIONS,
        status: 200,
        sleeps: cpus().length < 4,
      });
      if (result.failed > 0) throw new Error(`${result.failed} reads failed`);
      return result.p99_ms;
    },
  };
  if (findGenerator() !== "wrk") return [steady];
  const full = FULL_CONNECTIONS.map((connections) => ({
    name: `full load, ${connections} connections`,
    run: (seconds: number) => wrk({ url: server.origin + path, key, connections, seconds }),
  }));
  return [steady, ...full];
}

async function wrk(load: { url: string; key: string; connections: number; seconds: number }) {
  const { url, key, connections, seconds } = load;
  const rate = ["-t1", `-c${connections}`, `-d${seconds}s`, "--latency"];
  const header = ["-H", `Authorization: Bearer ${key}`];
  const child = spawn("wrk", [...rate, ...header, url], { stdio: ["ignore", "pipe", "pipe"] });
  const output = await outputOf(child, "wrk");
  const [, value, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  const factor = MILLISECONDS[unit ?? ""];
  const answered = Number(/(\d+) requests in/.exec(output)?.[1] ?? 0) > 0;
  if (!answered || factor === undefined || /Non-2xx|Socket errors/.test(output)) {
    throw new Error(`wrk said: ${output}`);
  }
  return Number(value) * factor;
}
