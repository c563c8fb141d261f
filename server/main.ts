/**
 * The HTTP program: puts together accounts, jobs, the current snapshot, the pages and the socket. Everything else in
 * `server/` is given its clock, files and log from here.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { adminApi } from "./accounts/admin-api.ts";
import { listenOnAdminSocket, type AdminSocket } from "./accounts/admin-socket.ts";
import { fileBehindLinks } from "./accounts/sqlite/linked-file.ts";
import { readPlans } from "./accounts/plans.ts";
import { ArrivalClock } from "./requests/arrival-clock.ts";
import { connectionLimit } from "./process/connection-limit.ts";
import { steadyClock } from "./accounts/steady-clock.ts";
import { JobDesk } from "./jobs/job-desk.ts";
import type { CurrentSnapshot } from "./snapshots/current-snapshot.ts";
import { OpenResources } from "./openapi/open-resources.ts";
import { followSnapshots } from "./snapshots/follow-snapshots.ts";
import { listen, type HttpServer } from "./http/socket.ts";
import { originOf } from "./http/origin.ts";
import type { MetricValues } from "./metrics/metric.ts";
import { openLog } from "./process/open-log.ts";
import {
  openServerMetrics,
  type MetricSources,
  type OpenedMetrics,
} from "./metrics/open-metrics.ts";
import type { ServerMetrics } from "./metrics/server-metrics.ts";
import { openState, type State } from "./open-state.ts";
import { ENDPOINTS } from "./routes/endpoints.ts";
import type { ServerOptions } from "./server-options.ts";
import { Service } from "./requests/service.ts";
import { serviceLog } from "./process/service-log.ts";

const NO_SNAPSHOT =
  'no snapshot that can be used: endpoints answer 503 until "hindsight pipeline" has published one';

export interface RunningServer {
  /** Where it listens. */
  readonly origin: string;
  /** Its metrics; empty if its options ask for none. */
  metrics(): Promise<readonly MetricValues[]>;
  /** Takes no new requests, answers those in flight, closes everything. */
  stop(): Promise<void>;
}

/** How long a stop waits for requests in flight. */
const DRAIN_MAX_MS = 8000;
const DRAIN_STEP_MS = 10;
/**
 * How long a stop leaves clients to take the rest of a long answer, which was charged and would end with its
 * connection. An idle connection looks like that of a slow reader, so a stop takes this long too if clients keep
 * connections open.
 */
const TAKE_MAX_MS = 2000;
/** How long after the start the pages are made; before, they would hold it up. */
const PAGES_AFTER_MS = 2000;

const clock = { nowMs: Date.now, monotonicMs: steadyClock() };
const arrivals = new ArrivalClock(clock.monotonicMs);
/** For accounts, a request happens at the instant of its arrival, however long it takes. */
const accountsClock = { nowMs: Date.now, monotonicMs: arrivals.readMs };

/** What there is of a server so far, in the order in which it starts. */
interface Parts {
  readonly options: ServerOptions;
  readonly log: Logger;
  readonly state: State;
  metrics?: OpenedMetrics<ServerMetrics> | undefined;
  jobs?: JobDesk;
  admin?: AdminSocket | undefined;
  http?: HttpServer;
  service?: Service;
  current?: Pick<CurrentSnapshot<unknown>, "stop">;
}

/** Starts everything. Resolves once it listens and has looked for a snapshot, whether or not there is one. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const log = openLog({ level: options.logLevel, process: options.process });
  const plans = readPlans(options.plans);
  const warn = (message: string) => log.warn(message);
  const { state: kept, notes } = options;
  const state = await openState({ state: kept, notes, plans, clock: accountsClock, warn });
  const parts: Parts = { options, log, state };
  try {
    parts.metrics = await openServerMetrics(options, { log, clock }, sourcesOf(parts));
    parts.jobs = openJobs(parts);
    parts.admin = await serveAdmin(parts);
    return await serve(parts, parts.jobs);
  } catch (error) {
    await letGo(parts);
    throw error;
  }
}

async function serve(parts: Parts, jobs: JobDesk): Promise<RunningServer> {
  const { options, log, metrics } = parts;
  const { host, port, sharePort, snapshots: root } = options;
  const handlerFor = (boundPort: number) => (parts.service ??= serviceOf(parts, jobs, boundPort));
  // Clients of a shared port come as soon as this process listens, so it needs a snapshot before.
  const joins = sharePort && port !== 0;
  if (joins) await follow(parts, handlerFor(port));
  const http = await listen(host, port, handlerFor, {
    sharePort,
    ...connectionLimit(log, clock.monotonicMs),
  });
  parts.http = http;
  const service = handlerFor(http.port);
  if (!joins) await follow(parts, service);
  jobs.start();
  const origin = originOf(host, http.port);
  const snapshot = service.answers?.snapshot.id ?? null;
  log.info({ origin, snapshot, metrics: metrics?.url ?? null }, "listening");
  if (snapshot === null) log.warn({ snapshots: root }, NO_SNAPSHOT);
  let stopped: Promise<void> | undefined;
  return {
    origin,
    metrics: async () => (await metrics?.values()) ?? [],
    stop() {
      stopped ??= stop(parts, service, http);
      return stopped;
    },
  };
}

function serviceOf({ options, log, state, metrics }: Parts, jobs: JobDesk, port: number): Service {
  const publicUrl = options.publicUrl ?? originOf(options.host, port);
  const open = new OpenResources(ENDPOINTS, publicUrl);
  prepareLater(open, log);
  return new Service({
    accounts: state.accounts,
    jobs,
    endpoints: ENDPOINTS,
    open: open.byPath,
    publicUrl,
    corsOrigins: options.corsOrigins,
    nowMs: clock.nowMs,
    arrivals,
    log: serviceLog(log, clock.monotonicMs),
    meterOf: metrics && ((routes) => metrics.metrics.meterOf(routes)),
  });
}

/** Loads the current snapshot, if there is one, and from then on each that is published. */
async function follow(parts: Parts, service: Service): Promise<void> {
  const { options, log, metrics } = parts;
  const current = followSnapshots({
    root: options.snapshots,
    readAhead: options.readAhead,
    service,
    log,
    monotonicMs: clock.monotonicMs,
    metrics: metrics?.metrics.snapshots,
  });
  parts.current = current;
  await current.start();
}

function prepareLater(resources: OpenResources, log: Logger): void {
  const report = (error: unknown) => log.error({ err: error }, "a page cannot be made");
  setTimeout(() => void resources.prepare().catch(report), PAGES_AFTER_MS).unref();
}

/** What metrics are read from. Parts may start later than the metrics, so each scrape looks for them anew. */
function sourcesOf(parts: Parts): MetricSources {
  return {
    ping: () => parts.state.ping(),
    jobs: () => parts.jobs?.counts() ?? { queued: 0, running: 0 },
    inFlight: () => parts.http?.inFlight() ?? 0,
    connections: () => parts.http?.connections() ?? 0,
  };
}

function openJobs(parts: Parts): JobDesk {
  const { options, state, log } = parts;
  const report = (message: string, details: object) => log.error(details, message);
  const home = state.openJobs(report);
  return new JobDesk({ home, wake: () => options.jobs?.wake(), report });
}

/** A file system without sockets keeps no server from starting; commands then need it stopped. */
async function serveAdmin({ options, state, log }: Parts): Promise<AdminSocket | undefined> {
  if (state.admin === undefined) return undefined;
  try {
    return await listenOnAdminSocket(fileBehindLinks(options.state), adminApi(state.admin));
  } catch (error) {
    log.warn({ err: error }, "commands about accounts and keys cannot reach this server");
    return undefined;
  }
}

async function stop(parts: Parts, service: Service, http: HttpServer): Promise<void> {
  const { log } = parts;
  service.draining = true;
  parts.current?.stop();
  http.stopAccepting();
  const giveUpAt = clock.monotonicMs() + DRAIN_MAX_MS;
  while ((http.inFlight() > 0 || mayBeRead(http)) && clock.monotonicMs() < giveUpAt) {
    await sleep(DRAIN_STEP_MS);
  }
  if (http.inFlight() > 0) log.warn({ requests: http.inFlight() }, "gave up requests in flight");
  await letGo(parts);
  log.info("stopped");
}

/** Whether a client may still be taking an answer that was sent. */
function mayBeRead(http: HttpServer): boolean {
  return http.connections() > 0 && clock.monotonicMs() < http.longAnswerAtMs() + TAKE_MAX_MS;
}

/** Closes what there is, the latest first. */
async function letGo({ current, http, metrics, jobs, admin, state }: Parts): Promise<void> {
  current?.stop();
  http?.close();
  metrics?.close();
  await jobs?.close();
  await admin?.close();
  await state.close();
}
