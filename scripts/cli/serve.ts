import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { Command, Option } from "commander";
import { LOG_LEVELS, type LogLevel } from "../../server/process/log-level.ts";
import { ReadAhead } from "../../snapshots/read-ahead.ts";
import { packageVersion } from "./package-version.ts";
import { endInTime, metDefect, toldToEnd } from "./process-end.ts";
import {
  jobThreadsOption,
  listenOptions,
  metricsOf,
  metricsHostOption,
  metricsPortOption,
  publicOptions,
  type MetricsAsked,
} from "./serve-options.ts";
import { plansOption, snapshotsOption, stateOption } from "./shared-options.ts";

interface ServeOptions extends MetricsAsked {
  readonly host: string;
  readonly port: number;
  readonly sharePort: "yes" | "no";
  readonly proxyProtocol: "yes" | "no";
  readonly jobThreads?: number;
  readonly snapshots: string;
  readonly state: string;
  readonly plans?: string;
  readonly publicUrl?: string;
  readonly corsOrigin: readonly string[];
  readonly trustedProxy: readonly string[];
  readonly withholdPrices: "yes" | "no";
  readonly logLevel: LogLevel;
}

/** `hindsight serve`. */
export function serveCommand(): Command {
  const command = new Command("serve").description("serve the published snapshot over HTTP");
  const options = [
    ...listenOptions(),
    snapshotsOption(),
    stateOption(),
    plansOption(),
    ...publicOptions(),
    metricsPortOption(),
    metricsHostOption(),
    jobThreadsOption(),
    new Option("--log-level <level>", "debug adds a line for each request")
      .env("HINDSIGHT_LOG_LEVEL")
      .default("info")
      .choices(LOG_LEVELS),
  ];
  for (const option of options) command.addOption(option);
  return command.action(serve);
}

async function serve(asked: ServeOptions): Promise<void> {
  const ended = toldToEnd();
  // The snapshot is read and verified while the server's code is still loading.
  const readAhead = new ReadAhead(asked.snapshots);
  const [{ startServer }, { openLog }] = await Promise.all([
    import("../../server/main.ts"),
    import("../../server/process/open-log.ts"),
  ]);
  const log = openLog({ level: asked.logLevel });
  const defect = metDefect(log);
  const starting = startServer({
    host: asked.host,
    port: asked.port,
    sharePort: asked.sharePort === "yes",
    expectsProxy: asked.proxyProtocol === "yes",
    snapshots: asked.snapshots,
    readAhead,
    state: asked.state,
    plans: asked.plans,
    publicUrl: asked.publicUrl,
    corsOrigins: asked.corsOrigin,
    trustedProxies: asked.trustedProxy,
    withholdsPrices: asked.withholdPrices === "yes",
    startBacktests: backtestStarter(asked),
    log,
    metrics: metricsOf(asked),
    version: packageVersion(),
  });
  const server = await starting.catch(async (error: unknown) => {
    readAhead.close();
    throw error;
  });
  // For a person. Programs find the address in the log.
  if (process.stdout.isTTY && asked.logLevel !== "silent") {
    process.stdout.write(`Serving on ${server.origin}: documentation at ${server.origin}/docs\n`);
  }
  const exitCode = await Promise.race([ended, defect]);
  endInTime(log);
  const endedWell = await server.stop();
  process.exit(endedWell ? exitCode : 1);
}

/** Starts the process that runs backtests; undefined if others run them. */
function backtestStarter({ jobThreads, state, snapshots, logLevel }: ServeOptions) {
  const threads = jobThreads ?? availableParallelism();
  if (threads === 0) return undefined;
  const [, script = ""] = process.argv;
  const places = ["--snapshots", snapshots, "--metrics-port", "none", "--log-level", logLevel];
  const args = ["work", ...places, "--threads", String(threads), "--process", "jobs"];
  // Every user of the machine can see a command line, and an address may hold a password.
  const env = { ...process.env, HINDSIGHT_STATE: state };
  // Stays in the same session: Linux divides the processors between sessions first, whatever the priorities
  // within one (autogroup).
  return () => fork(script, args, { env, execArgv: [], serialization: "advanced" });
}
