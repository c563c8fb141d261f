import { availableParallelism } from "node:os";
import { Command, Option } from "commander";
import type { Logger } from "pino";
import { serveMetrics } from "../server/metrics/metrics-server.ts";
import { ProcessMetrics } from "../server/metrics/process-metrics.ts";
import { openLog } from "../server/process/open-log.ts";
import { parentChannel } from "../aside/channel.ts";
import { workOnJobs, type JobWorker } from "../server/process/work-on-jobs.ts";
import { isRedisAddress, shownAddress } from "../accounts/redis/address.ts";
import { LOG_LEVELS, type LogLevel } from "../server/process/log-level.ts";
import { packageVersion } from "../server/package-version.ts";
import { UsageError } from "./usage-error.ts";
import { endInTime, metDefect, serverEnds, toldToEnd } from "./process-end.ts";
import { wholeNumber } from "./option-values.ts";
import { redisStateOption, snapshotsOption, settable } from "./shared-options.ts";
import {
  JOB_THREADS_MAX,
  metricsHostOption,
  metricsOf,
  metricsPortOption,
  type MetricsAsked,
} from "./serve-options.ts";

interface Options extends MetricsAsked {
  readonly state: string;
  readonly snapshots: string;
  readonly threads?: number;
  readonly logLevel: LogLevel;
  /** The name given by the server that started this process; undefined if a person started it. */
  readonly process?: string;
}

const HELP = `
Jobs wait in the Redis that the servers share; any number of workers on any
number of machines take them in fair turns. A worker takes the jobs whose
snapshot it has: give it the folder that the pipeline publishes to, or a copy
that is kept up to date. SIGTERM ends what is under way, or puts it back, and
exits 0. Jobs of a worker that is lost are run again within seconds. Servers
leave all jobs to workers with "hindsight serve --job-threads 0".`;

/** `hindsight work`. */
export function workCommand(): Command {
  return (
    new Command("work")
      .addOption(redisStateOption())
      .addOption(snapshotsOption())
      .addOption(
        settable("--threads <number>", "backtests run at once (default: one per core)").argParser(
          wholeNumber(1, JOB_THREADS_MAX),
        ),
      )
      .addOption(metricsPortOption())
      .addOption(metricsHostOption())
      .addOption(
        settable("--log-level <level>", "info reports snapshots, warn only trouble")
          .default("info")
          .choices(LOG_LEVELS),
      )
      // Passed by the server that started this one.
      .addOption(new Option("--process <name>").hideHelp())
      .addHelpText("after", HELP)
      .action(work)
  );
}

async function work(asked: Options): Promise<void> {
  const { state, process: name, logLevel } = asked;
  if (!isRedisAddress(state) && name === undefined) {
    const message = `jobs of the state file "${state}" are run by the server itself: start "hindsight serve", or give the Redis that servers share (--state redis://...)`;
    throw new UsageError(message);
  }
  const ended = name === undefined ? toldToEnd() : serverEnds();
  const log = openLog({
    name: name === undefined ? "hindsight-work" : "hindsight",
    level: logLevel,
    process: name,
  });
  const defect = metDefect(log);
  const clock = { nowMs: Date.now, monotonicMs: () => performance.now() };
  let worker: JobWorker | undefined;
  const counts = () => worker?.counts() ?? Promise.reject(new Error("the jobs are not open yet"));
  const metrics = new ProcessMetrics({
    clock,
    version: packageVersion(),
    process: name,
    store: { kind: isRedisAddress(state) ? "redis" : "embedded", ping: counts },
    jobs: counts,
  });
  // It answers also before there is a job store.
  const answers = {
    alive: () => worker?.readiness() ?? true,
    metrics: () => metrics.registry.values(),
    wake: () => worker?.wake(),
  };
  const server = name === undefined ? undefined : parentChannel(answers);
  const page = name === undefined ? await openPage(asked, metrics, log) : undefined;
  const threads = asked.threads ?? availableParallelism();
  const working = await workOnJobs({ ...asked, server, threads, clock, log, metrics });
  worker = working;
  if (name === undefined) {
    log.info({ state: shownAddress(state), metrics: page?.url ?? null }, "working on jobs");
  }
  const exitCode = await Promise.race([ended, defect]);
  endInTime(log);
  page?.close();
  await working.stop();
  process.exit(exitCode);
}

async function openPage(asked: Options, metrics: ProcessMetrics, log: Logger) {
  const wanted = metricsOf(asked);
  return wanted && (await serveMetrics(wanted, log, () => metrics.registry.text()));
}
