/**
 * The HTTP program, wired: accounts, the snapshot in force, the pages, the socket. Everything below is given its clock,
 * files and log from here.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pino, type Logger } from "pino";
import { findCurrent } from "../snapshots/folder.ts";
import { openSnapshot } from "../snapshots/reader.ts";
import {
  openEmbeddedAccounts,
  type EmbeddedAccounts,
} from "./accounts/embedded/embedded-accounts.ts";
import { readPlans } from "./accounts/plans.ts";
import { openEmbeddedHome } from "./backtests/embedded-home.ts";
import { JobMarkets } from "./backtests/job-markets.ts";
import { JobService } from "./backtests/job-service.ts";
import { CurrentSnapshot } from "./current-snapshot.ts";
import { openResources } from "./docs/open-resources.ts";
import type { HttpServer } from "./http/socket.ts";
import { listen } from "./http/socket.ts";
import { ENDPOINTS, READ_ENDPOINTS } from "./routes/endpoints.ts";
import { Service } from "./service.ts";
import { serviceLog } from "./service-log.ts";
import { SnapshotAnswers } from "./snapshot-answers.ts";

export const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface ServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Folder of published snapshots. */
  readonly snapshots: string;
  /** File of accounts and usage. */
  readonly state: string;
  readonly plans?: string | undefined;
  /** Where clients reach this server; without it, where it listens. */
  readonly publicUrl?: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly logLevel: LogLevel;
}

export interface RunningServer {
  /** Where it listens. */
  readonly origin: string;
  /** Takes no more, answers what is in flight, lets everything go. */
  stop(): Promise<void>;
}

/** A request in flight for longer than this is given up when the server stops. */
const DRAIN_MAX_MS = 8000;
const DRAIN_STEP_MS = 10;

/** Threads start from the build only; the tests run this file from its source. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "../dist/server/backtests/worker.js" : "./backtests/worker.js",
  import.meta.url,
);

const nowMs = Date.now;
const monotonicMs = () => performance.now();

/** Starts everything; resolves once it listens and has looked for a snapshot, whether or not there was one. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const log = pino({ name: "hindsight", level: options.logLevel });
  const plans = readPlans(options.plans);
  const accounts = openEmbeddedAccounts({
    file: options.state,
    plans,
    clock: { nowMs, monotonicMs },
    warn: (message) => log.warn(message),
  });
  let service: Service | undefined; // made when it listens; jobs of an earlier process are under way before
  const jobs = openJobs(options, accounts, log, () => service?.answers);
  try {
    return await serve({ options, accounts, jobs, log }, (made) => {
      service = made;
    });
  } catch (error) {
    await jobs.close();
    await accounts.close();
    throw error;
  }
}

interface Started {
  readonly options: ServerOptions;
  readonly accounts: EmbeddedAccounts;
  readonly jobs: JobService;
  readonly log: Logger;
}

async function serve(
  { options, accounts, jobs, log }: Started,
  onService: (service: Service) => void,
): Promise<RunningServer> {
  let service!: Service; // made below, before any request: the listening callback is part of listen()
  const http = await listen(options.host, options.port, (port) => {
    const publicUrl = options.publicUrl ?? originOf(options.host, port);
    service = new Service({
      accounts,
      jobs,
      endpoints: ENDPOINTS,
      open: openResources(ENDPOINTS, publicUrl),
      publicUrl,
      corsOrigins: options.corsOrigins,
      nowMs,
      log: serviceLog(log, nowMs),
    });
    onService(service);
    return service;
  });
  const current = followSnapshots(options.snapshots, service, log);
  await current.start();
  jobs.start();
  const origin = originOf(options.host, http.port);
  log.info({ origin, snapshot: service.answers?.snapshot.id ?? null }, "listening");
  let stopped: Promise<void> | undefined;
  return {
    origin,
    stop() {
      stopped ??= stop({ service, http, current, accounts, jobs, log });
      return stopped;
    },
  };
}

function openJobs(
  options: ServerOptions,
  accounts: EmbeddedAccounts,
  log: Logger,
  current: () => SnapshotAnswers | undefined,
): JobService {
  const markets = new JobMarkets({
    current: () => current()?.snapshot,
    open: (id) => openSnapshot(join(options.snapshots, id)),
  });
  const report = (message: string, details: object) => log.error(details, message);
  return new JobService({
    home: openEmbeddedHome({ stateFile: options.state, accounts, nowMs, monotonicMs, report }),
    threads: availableParallelism(),
    worker: WORKER,
    market: (snapshotId, coin) => markets.find(snapshotId, coin),
    nowMs,
    report,
  });
}

function followSnapshots(
  root: string,
  service: Service,
  log: Logger,
): CurrentSnapshot<SnapshotAnswers> {
  return new CurrentSnapshot({
    root,
    find: findCurrent,
    async open(dir) {
      const answers = new SnapshotAnswers(await openSnapshot(dir), READ_ENDPOINTS);
      // The first snapshot is wanted at once; any other is made ready beside the one in use.
      if (service.answers !== undefined) await answers.prepare();
      return answers;
    },
    monotonicMs,
    onSwitch(answers) {
      service.answers = answers;
      log.info({ snapshot: answers.snapshot.id }, "serving a snapshot");
    },
    onDamaged(id, error) {
      const reason = error instanceof Error ? error.message : String(error);
      const inUse = service.answers?.snapshot.id ?? null;
      log.error({ snapshot: id, reason, in_use: inUse }, "a snapshot cannot be used");
    },
  });
}

interface Parts {
  readonly service: Service;
  readonly http: HttpServer;
  readonly current: CurrentSnapshot<SnapshotAnswers>;
  readonly accounts: EmbeddedAccounts;
  readonly jobs: JobService;
  readonly log: Logger;
}

async function stop({ service, http, current, accounts, jobs, log }: Parts): Promise<void> {
  service.draining = true;
  current.stop();
  http.stopAccepting();
  const giveUpAt = monotonicMs() + DRAIN_MAX_MS;
  while (http.inFlight() > 0 && monotonicMs() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS));
  }
  if (http.inFlight() > 0) log.warn({ requests: http.inFlight() }, "gave up requests in flight");
  http.close();
  await jobs.close();
  await accounts.close();
  log.info("stopped");
}

/** Where a browser on this machine finds the server; a wildcard address is no place to go to. */
function originOf(host: string, port: number): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
