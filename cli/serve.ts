import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { Command } from "commander";
import { LOG_LEVELS, type LogLevel } from "../server/process/log-level.ts";
import { packageVersion } from "../server/package-version.ts";
import { endInTime, metDefect, toldToEnd } from "./process-end.ts";
import {
  accountOptions,
  jobThreadsOption,
  listenOptions,
  metricsOf,
  backupsOption,
  metricsHostOption,
  metricsPortOption,
  publicOptions,
  type MetricsAsked,
} from "./serve-options.ts";
import { plansOption, snapshotsOption, stateOption, settable } from "./shared-options.ts";

interface ServeOptions extends MetricsAsked {
  readonly host: string;
  readonly port: number;
  readonly sharePort: "yes" | "no";
  readonly proxyProtocol: "yes" | "no";
  readonly jobThreads?: number;
  readonly backups?: string;
  readonly snapshots: string;
  readonly state: string;
  readonly plans?: string;
  readonly publicUrl?: string;
  readonly corsOrigin: readonly string[];
  readonly trustedProxy: readonly string[];
  readonly withholdPrices: "yes" | "no";
  readonly tableGibPerDay: number;
  /** False by `--no-accounts-page`. */
  readonly accountsPage: "yes" | "no" | false;
  readonly signup: "open" | "closed";
  readonly smtpUrl?: string;
  readonly linksPerHour?: number;
  readonly mailFrom?: string;
  readonly upgradeUrl?: string;
  readonly termsUrl?: string;
  readonly privacyUrl?: string;
  readonly imprintUrl?: string;
  readonly logLevel: LogLevel;
}

/** `hindsight serve`. */
export function serveCommand(): Command {
  const command = new Command("serve");
  const options = [
    ...listenOptions(),
    snapshotsOption(),
    stateOption(),
    plansOption(),
    ...publicOptions(),
    ...accountOptions(),
    metricsPortOption(),
    metricsHostOption(),
    backupsOption(),
    jobThreadsOption(),
    settable("--log-level <level>", "debug adds a line for each request")
      .default("info")
      .choices(LOG_LEVELS),
  ];
  for (const option of options) command.addOption(option);
  return command.action(serve);
}

async function serve(asked: ServeOptions): Promise<void> {
  const ended = toldToEnd();
  const [{ startServer }, { openLog }] = await Promise.all([
    import("../server/main.ts"),
    import("../server/process/open-log.ts"),
  ]);
  const log = openLog({ level: asked.logLevel });
  const defect = metDefect(log);
  const server = await startServer({
    host: asked.host,
    port: asked.port,
    sharePort: asked.sharePort === "yes",
    expectsProxy: asked.proxyProtocol === "yes",
    snapshots: asked.snapshots,
    state: asked.state,
    plans: asked.plans,
    publicUrl: asked.publicUrl,
    corsOrigins: asked.corsOrigin,
    trustedProxies: asked.trustedProxy,
    withholdsPrices: asked.withholdPrices === "yes",
    tableBytesPerDay: asked.tableGibPerDay * 1024 ** 3,
    accountPages: accountPagesOf(asked),
    operator: { terms: asked.termsUrl, privacy: asked.privacyUrl, imprint: asked.imprintUrl },
    startBacktests: backtestStarter(asked),
    log,
    metrics: metricsOf(asked),
    backups: asked.backups,
    version: packageVersion(),
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

function accountPagesOf(asked: ServeOptions) {
  const { accountsPage, signup, smtpUrl, linksPerHour, mailFrom, upgradeUrl } = asked;
  const pages = { signup, smtpUrl, linksPerHour, mailFrom, upgradeUrl };
  return accountsPage === "yes" ? pages : undefined;
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
