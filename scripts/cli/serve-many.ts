import { fork } from "node:child_process";
import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import { say } from "../../server/process/log-output.ts";
import { textOf } from "../../server/metrics/metric.ts";
import type { MetricsServer } from "../../server/metrics/metrics-server.ts";
import { ProcessRegistry } from "../../server/metrics/process-registry.ts";
import { openLog } from "../../server/process/open-log.ts";
import { serveText } from "../../server/metrics/open-metrics.ts";
import { CannotStart } from "../../server/process/supervised-process.ts";
import { Supervisor } from "../../server/process/supervisor.ts";
import { SERVER_NODE_FLAGS } from "./node-flags.ts";
import { packageVersion } from "./package-version.ts";
import { UsageError } from "../support/usage-error.ts";
import { jobsProcess, type StartedJobProcess } from "./jobs-process.ts";
import { metDefect, toldToEnd } from "./parent-process.ts";
import { metricsOf } from "./serve-options.ts";
import type { ServeOptions } from "./serve.ts";
import { placeArguments } from "./working-folder.ts";

/** Runs several processes of the server on one port until this one is told to end. Restarts any that end. */
export async function serveMany(asked: ServeOptions): Promise<void> {
  const { processes, port, logLevel } = asked;
  if (port === 0) throw new UsageError("--processes needs a --port other than 0: all share it");
  const log = openLog({ level: logLevel, process: "parent" });
  const ended = Promise.race([toldToEnd(false).then(() => 0), metDefect(log)]);
  const jobs = jobsProcess(asked, log);
  const supervisor = new Supervisor({
    count: processes,
    start: (index) => startProcess(asked, index),
    onWork: () => jobs?.wake(),
    report: (message, details) => log.error(details, message),
    monotonicMs: () => performance.now(),
  });
  // A signal that comes while they are starting ends them all the same.
  const started = supervisor.start().catch(endAsItDid);
  const origin = await Promise.race([started, ended.then(() => undefined)]);
  started.catch(() => {}); // after a signal, nobody awaits it
  let metrics: MetricsServer | undefined;
  if (origin !== undefined) {
    jobs?.start();
    metrics = await openMetrics(asked, { supervisor, jobs }, log);
    const info = { origin, processes, metrics: metrics?.url ?? null };
    log.info(info, "all processes listen");
    say(`Serving on ${origin} with ${processes} processes: documentation at ${origin}/docs`);
  }
  const exitCode = await ended;
  metrics?.close();
  const ends = await Promise.all([supervisor.stop(), jobs?.stop() ?? true]);
  process.exit(ends.every(Boolean) ? exitCode : 1);
}

/** A process that could not start, and has said why, speaks for all of them. */
function endAsItDid(error: unknown): never {
  if (error instanceof CannotStart && error.exitCode !== undefined) {
    process.exit(error.exitCode || 1);
  }
  throw error;
}

/** Starts a process with the same command line, plus its number; its paths hold in any working folder. */
function startProcess(asked: ServeOptions, index: number) {
  const [, script = "", ...args] = process.argv;
  // If a flag is given twice the later one counts, which is the operator's.
  const execArgv = [...SERVER_NODE_FLAGS, ...process.execArgv];
  return fork(script, [...args, ...placeArguments(asked), "--process", String(index)], {
    execArgv,
  });
}

interface Children {
  readonly supervisor: Supervisor;
  readonly jobs: StartedJobProcess | undefined;
}

async function openMetrics(
  asked: ServeOptions,
  { supervisor, jobs }: Children,
  log: Logger,
): Promise<MetricsServer | undefined> {
  const wanted = metricsOf(asked);
  if (wanted === undefined) return undefined;
  const registry = new ProcessRegistry({ version: packageVersion(), process: "parent" });
  registry.add({
    name: "hindsight_processes_running",
    help: "Processes of the server that run now.",
    type: "gauge",
    read: () => [{ value: supervisor.running }],
  });
  registry.add({
    name: "hindsight_process_restarts_total",
    help: "Processes of the server that ended by themselves and were started again.",
    type: "counter",
    read: () => [{ value: supervisor.restarts }],
  });
  const text = async () => {
    const [own, ofJobs = []] = await Promise.all([registry.values(), jobs?.metrics()]);
    return await textOf([own, ofJobs, ...(await supervisor.metrics())]);
  };
  try {
    return await serveText(wanted, log, text);
  } catch (error) {
    await Promise.all([supervisor.stop(), jobs?.stop()]);
    throw error;
  }
}
