import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import { wakeSignal } from "../../server/backtests/wake-signal.ts";
import { openLog } from "../../server/open-log.ts";
import type { JobProcess } from "../../server/server-options.ts";
import { SupervisedProcess } from "../../server/supervised-process.ts";
import type { ServeOptions } from "./serve.ts";

/** How log and metrics name it. */
const NAME = "jobs";

/**
 * V8 compiles and collects on the threads that run JavaScript: its own threads have an ordinary priority, work for all
 * threads of the process alike, and would take the processor from who answers requests.
 */
const V8_FLAGS = ["--single-threaded"];

export interface StartedJobProcess extends JobProcess {
  /** Starts it, and again whenever it ends. */
  start(): void;
  stop(): Promise<boolean>;
}

/** The process beside the server that runs its backtests, not started yet; undefined where others run them. */
export function jobsProcess(asked: ServeOptions): StartedJobProcess | undefined {
  const threads = asked.jobThreads ?? availableParallelism();
  if (threads === 0) return undefined;
  const log = openLog({ level: asked.logLevel });
  const supervised = new SupervisedProcess({
    name: NAME,
    start: () => startProcess(asked, threads),
    report: (message, details) => log.error(details, message),
    monotonicMs: () => performance.now(),
  });
  return {
    start: () => supervised.keep(),
    wake: wakeSignal(() => supervised.tell({ kind: "work" })),
    metrics: () => supervised.metrics(),
    stop: () => supervised.stop(),
  };
}

function startProcess({ state, snapshots, logLevel }: ServeOptions, threads: number) {
  const [, script = ""] = process.argv;
  const places = ["--snapshots", snapshots, "--metrics-port", "none", "--log-level", logLevel];
  const args = ["work", ...places, "--threads", String(threads), "--process", NAME];
  // Everybody of the machine sees a command line; an address may hold a password.
  const env = { ...process.env, HINDSIGHT_STATE: state };
  // Of the same session: Linux shares the processors out between sessions first, whatever the priorities within one (autogroup).
  return fork(script, args, { env, execArgv: V8_FLAGS });
}
