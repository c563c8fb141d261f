import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import { wakeSignal } from "../../server/jobs/run/wake-signal.ts";
import type { JobProcess } from "../../server/server-options.ts";
import { SupervisedProcess } from "../../server/process/supervised-process.ts";
import type { ServeOptions } from "./serve.ts";

/** Its name in log and metrics. */
const NAME = "jobs";

/**
 * Makes V8 compile and collect on the threads that run JavaScript. V8's own threads have ordinary priority
 * and work for all threads of the process alike, so they would take the processor from whoever answers
 * requests.
 */
const V8_FLAGS = ["--single-threaded"];

export interface StartedJobProcess extends JobProcess {
  /** Starts it, and starts it again whenever it ends. */
  start(): void;
  stop(): Promise<boolean>;
}

/** The process beside the server that runs its backtests, not started yet; undefined if others run them. */
export function jobsProcess(asked: ServeOptions, log: Logger): StartedJobProcess | undefined {
  const threads = asked.jobThreads ?? availableParallelism();
  if (threads === 0) return undefined;
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
  // Everybody on the machine can see a command line, and an address may hold a password.
  const env = { ...process.env, HINDSIGHT_STATE: state };
  // Stays in the same session: Linux divides the processors between sessions first, whatever the priorities
  // within one (autogroup).
  return fork(script, args, { env, execArgv: V8_FLAGS });
}
