import { availableParallelism } from "node:os";
import { Command, Option } from "commander";
import { steadyClock } from "../../server/accounts/steady-clock.ts";
import { giveUpMemoryFirst, interruptNobody } from "../../server/jobs/run/thread-policy.ts";
import { startJobWorker } from "../../server/process/job-worker.ts";
import { say } from "../../server/process/log-output.ts";
import { openLog } from "../../server/process/open-log.ts";
import { isRedisAddress, shownAddress } from "../../server/redis/address.ts";
import { LOG_LEVELS, type LogLevel } from "../../server/server-options.ts";
import { packageVersion } from "./package-version.ts";
import { UsageError } from "../support/usage-error.ts";
import { answerParent, endInTime, metDefect, toldToEnd } from "./parent-process.ts";
import { redisStateOption, snapshotsOption } from "./shared-options.ts";
import {
  JOB_THREADS_MAX,
  metricsHostOption,
  metricsOf,
  metricsPortOption,
  wholeNumber,
  type MetricsAsked,
} from "./serve-options.ts";
import { atAbsolutePaths, leaveRemovedFolder } from "./working-folder.ts";

interface Options extends MetricsAsked {
  readonly state: string;
  readonly snapshots: string;
  readonly threads?: number;
  readonly logLevel: LogLevel;
  /** The name that the server which started this one gave it; undefined if nobody else started it. */
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
      .description("run the backtests of servers that share a Redis")
      .addOption(redisStateOption())
      .addOption(snapshotsOption())
      .addOption(
        new Option("--threads <number>", "backtests run at once (default: one per core)")
          .env("HINDSIGHT_THREADS")
          .argParser(wholeNumber(1, JOB_THREADS_MAX)),
      )
      .addOption(metricsPortOption())
      .addOption(metricsHostOption())
      .addOption(
        new Option("--log-level <level>", "info reports snapshots, warn only trouble")
          .env("HINDSIGHT_LOG_LEVEL")
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
  const { state, snapshots, threads, logLevel } = atAbsolutePaths(asked);
  const isServers = asked.process !== undefined;
  if (!isRedisAddress(state) && !isServers) {
    const message = `jobs of the state file "${asked.state}" are run by the server itself: start "hindsight serve", or give the Redis that servers share (--state redis://...)`;
    throw new UsageError(message);
  }
  const ended = toldToEnd(isServers);
  if (isServers) {
    // The server answers requests on the same machine.
    interruptNobody();
    giveUpMemoryFirst();
  }
  const name = isServers ? "hindsight" : "hindsight-work";
  const log = openLog({ name, level: logLevel, process: asked.process });
  const defect = metDefect(log);
  leaveRemovedFolder(log);
  let endUseless = () => {};
  const useless = new Promise<number>((resolve) => {
    endUseless = () => resolve(1);
  });
  const worker = await startJobWorker({
    state,
    snapshots,
    threads: threads ?? availableParallelism(),
    clock: { nowMs: Date.now, monotonicMs: steadyClock() },
    log,
    metrics: isServers ? "unserved" : metricsOf(asked),
    version: packageVersion(),
    process: asked.process,
    onUseless: endUseless,
  });
  if (isServers) answerParent(worker, "");
  else say(`Working on the jobs of ${shownAddress(state)}`);
  const exitCode = await Promise.race([ended.then(() => 0), useless, defect]);
  endInTime(log);
  await worker.stop();
  process.exit(exitCode);
}
