import { Command, Option } from "commander";
import { wakeSignal } from "../../server/jobs/run/wake-signal.ts";
import { say } from "../../server/process/log-output.ts";
import { LOG_LEVELS, type JobProcess, type LogLevel } from "../../server/server-options.ts";
import { ReadAhead } from "../../snapshots/read-ahead.ts";
import { packageVersion } from "./package-version.ts";
import { answerParent, endInTime, metDefect, tellParent, toldToEnd } from "./parent-process.ts";
import {
  listenOptions,
  metricsOf,
  metricsHostOption,
  metricsPortOption,
  processOptions,
  publicOptions,
  type MetricsAsked,
} from "./serve-options.ts";
import { notesOption, plansOption, snapshotsOption, stateOption } from "./shared-options.ts";
import { atAbsolutePaths, leaveRemovedFolder } from "./working-folder.ts";

export interface ServeOptions extends MetricsAsked {
  readonly host: string;
  readonly port: number;
  readonly sharePort: "yes" | "no";
  readonly processes: number;
  readonly jobThreads?: number;
  /** Which of its parent's processes this is; undefined if nobody else started it. */
  readonly process?: number;
  readonly snapshots: string;
  readonly state: string;
  readonly notes: string;
  readonly plans?: string;
  readonly publicUrl?: string;
  readonly corsOrigin: readonly string[];
  readonly logLevel: LogLevel;
}

/**
 * The jobs of a process that another one started along with others: the parent runs one job process for all
 * of them.
 */
const PARENTS_JOBS: JobProcess = {
  wake: wakeSignal(() => tellParent({ kind: "work" })),
  metrics: () => Promise.resolve([]), // the parent asks the job process itself
};

/** Starting a process takes the main thread 10 to 20 ms, so the first answers come first. */
const JOBS_AFTER_MS = 50;

/** `hindsight serve`. */
export function serveCommand(): Command {
  const command = new Command("serve").description("serve the published snapshot over HTTP");
  const options = [
    ...listenOptions(),
    snapshotsOption(),
    stateOption(),
    notesOption(),
    plansOption(),
    ...publicOptions(),
    metricsPortOption(),
    metricsHostOption(),
    ...processOptions(),
    new Option("--log-level <level>", "debug adds a line for each request")
      .env("HINDSIGHT_LOG_LEVEL")
      .default("info")
      .choices(LOG_LEVELS),
  ];
  for (const option of options) command.addOption(option);
  return command.action(async (given: ServeOptions) => {
    const asked = atAbsolutePaths(given);
    if (asked.processes === 1 || asked.process !== undefined) return await serve(asked);
    const { serveMany } = await import("./serve-many.ts");
    await serveMany(asked);
  });
}

async function serve(asked: ServeOptions): Promise<void> {
  const isOneOfMany = asked.process !== undefined;
  const ended = toldToEnd(isOneOfMany);
  // The snapshot is read and verified while the server's code is still loading.
  const readAhead = new ReadAhead(asked.snapshots);
  const [{ startServer }, { openLog }, { jobsProcess }] = await Promise.all([
    import("../../server/main.ts"),
    import("../../server/process/open-log.ts"),
    import("./jobs-process.ts"),
  ]);
  const log = openLog({ level: asked.logLevel, process: asked.process?.toString() });
  const defect = metDefect(log);
  leaveRemovedFolder(log);
  const jobs = isOneOfMany ? undefined : jobsProcess(asked, log);
  const starting = startServer({
    host: asked.host,
    port: asked.port,
    sharePort: isOneOfMany || asked.sharePort === "yes",
    snapshots: asked.snapshots,
    readAhead,
    state: asked.state,
    notes: asked.notes,
    plans: asked.plans,
    publicUrl: asked.publicUrl,
    corsOrigins: asked.corsOrigin,
    jobs: isOneOfMany ? PARENTS_JOBS : jobs,
    logLevel: asked.logLevel,
    metrics: isOneOfMany && asked.metricsPort !== "none" ? "unserved" : metricsOf(asked),
    version: packageVersion(),
    process: asked.process?.toString(),
  });
  const server = await starting.catch(async (error: unknown) => {
    await readAhead.close();
    throw error;
  });
  const startingJobs = setTimeout(() => jobs?.start(), JOBS_AFTER_MS);
  if (isOneOfMany) answerParent(server, server.origin);
  else say(`Serving on ${server.origin}: documentation at ${server.origin}/docs`);
  const exitCode = await Promise.race([ended.then(() => 0), defect]);
  clearTimeout(startingJobs);
  endInTime(log);
  const [endedWell = true] = await Promise.all([jobs?.stop(), server.stop()]);
  process.exit(endedWell ? exitCode : 1);
}
