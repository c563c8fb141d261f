/** The HTTP program. It puts together accounts, jobs, snapshots, pages and the socket, with one clock and one log. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { priorityRefusal } from "../aside/lower-priority.ts";
import type { OperatorLinks } from "../web/layout.tsx";
import { adminApi } from "../accounts/admin-api.ts";
import { listenOnAdminSocket, type AdminSocket } from "../accounts/admin-socket.ts";
import { readPlans } from "../accounts/plans.ts";
import { CheckSlots } from "./checks/check-slots.ts";
import { checkRunner } from "./checks/run-check.ts";
import { isLoopback, originOf } from "./http/url.ts";
import { listen, type HttpServer } from "./http/listen.ts";
import { serveMetrics } from "./metrics/metrics-server.ts";
import { ServerMetrics } from "./metrics/server-metrics.ts";
import {
  documentation,
  keylessResources,
  openPaths,
  servedLibrary,
} from "./openapi/keyless-resources.ts";
import { openState, type Access, type State } from "../accounts/open-state.ts";
import type { AccountPagesAsked } from "./account-pages/account-forms.ts";
import { BacktestProcess } from "./process/backtest-process.ts";
import { connectionLimit } from "./process/connection-limit.ts";
import { rememberedPing } from "./process/remembered-ping.ts";
import { serviceLog } from "./process/service-log.ts";
import { plainSource, siteOf } from "./pages/site.ts";
import { Service } from "./requests/service.ts";
import type { AccountPages } from "./requests/site.ts";
import { tableFiles } from "./requests/table-files.ts";
import { ENDPOINTS } from "./routes/endpoints.ts";
import type { ServerOptions } from "./server-options.ts";
import { followSnapshots } from "./snapshots/follow-snapshots.ts";

import type * as AccountPagesModule from "./account-pages/open-account-pages.ts";

const NO_SNAPSHOT =
  'no snapshot that can be used: endpoints answer 503 until "hindsight pipeline" has published one';

const AS_ROOT =
  "the server runs as root, and what breaks out of it would too: give it a user of its own";

const NO_PRIORITIES =
  "the system lets no thread give way: requests may wait for backtests and checks";

export interface RunningServer {
  readonly origin: string;
  /** The text that Prometheus reads. */
  metrics(): Promise<string>;
  /** Takes no new requests, answers those in flight and closes everything. False if the backtest process did not end well. */
  stop(): Promise<boolean>;
}

/** How long a stop waits for requests in flight. */
const DRAIN_MAX_MS = 8000;
const DRAIN_STEP_MS = 10;
/** After this part of it, checks that are still running are answered 503. */
const CHECKS_END_MS = 6000;
/** Starting a process blocks the main thread for 10 to 20 ms, so the first answers come before it. */
const BACKTESTS_AFTER_MS = 50;
/** How long after the start the pages are made, so that they do not delay it. */
const PAGES_AFTER_MS = 2000;

const clock = { nowMs: Date.now, monotonicMs: performance.now.bind(performance) };

/** How to close what was opened so far, in the opposite order. */
type Opened = (() => unknown)[];

/** Starts everything. Resolves once the server listens and has looked for a snapshot, whether or not it found one. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const opened: Opened = [];
  try {
    return await start(options, opened);
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

async function start(options: ServerOptions, opened: Opened): Promise<RunningServer> {
  const { host, port, sharePort, expectsProxy, startBacktests, log } = options;
  warnOfUser(log);
  const state = await openState({
    state: options.state,
    plans: readPlans(options.plans),
    clock,
    log,
  });
  opened.push(() => state.close());
  const admin = await serveAdmin(state, log);
  opened.push(() => admin?.close());
  const { monotonicMs } = clock;
  const backtests =
    startBacktests &&
    new BacktestProcess({ start: startBacktests, served: state.served, log, monotonicMs });

  let http: HttpServer | undefined;
  const jobsReady = () =>
    backtests && backtests.faultOn(service?.answers?.snapshot.id) === undefined;
  const metrics = metricsOf(options, state, () => http, jobsReady);
  const text = async () => await metrics.registry.text(await backtests?.metrics());
  const page = options.metrics && (await serveMetrics(options.metrics, log, text));
  opened.push(() => page?.close());

  let service: Service | undefined;
  const accounts = await accountsOf(options, state);
  const operator = { ...options.operator, hasAccounts: accounts !== undefined };
  const parts = { state, metrics, backtests, accounts, operator };
  const serviceOn = (bound: number) => (service ??= serviceOf(options, parts, bound));
  const follow = async () => {
    const { snapshots: root, withholdsPrices } = options;
    const shared = { root, service: serviceOn(port), log, metrics: metrics.snapshots };
    const current = followSnapshots({ ...shared, operator, withholdsPrices, monotonicMs });
    opened.push(() => current.stop());
    await current.start();
  };
  // On a shared port clients connect as soon as this process listens, so it needs a snapshot first.
  const joins = sharePort && port !== 0;
  if (joins) await follow();
  const limit = connectionLimit(log, monotonicMs);
  http = await listen(host, port, serviceOn, { sharePort, expectsProxy, ...limit });
  const listening = http;
  opened.push(() => listening.close());
  if (!joins) await follow();
  const starting = setTimeout(() => backtests?.start(), BACKTESTS_AFTER_MS);
  opened.push(() => clearTimeout(starting));

  const served = serviceOn(http.port);
  const origin = originOf(host, http.port);
  const snapshot = served.answers?.snapshot.id ?? null;
  log.info({ origin, snapshot, metrics: page?.url ?? null }, "listening");
  if (snapshot === null) log.warn({ snapshots: options.snapshots }, NO_SNAPSHOT);
  let stopped: Promise<boolean> | undefined;
  const stop = async () => {
    clearTimeout(starting);
    const draining = drain(served, listening, log);
    const [endedWell = true] = await Promise.all([backtests?.stop(), draining]);
    await closeAll(opened);
    log.info("stopped");
    return endedWell;
  };
  return { origin, metrics: text, stop: () => (stopped ??= stop()) };
}

/** What the user that the server runs as may do too much, or too little. */
function warnOfUser(log: Logger): void {
  if (process.getuid?.() === 0) log.warn(AS_ROOT);
  const reason = priorityRefusal();
  if (reason !== undefined) log.warn({ reason }, NO_PRIORITIES);
}

/** Serves the operator's commands. Where the file system has no sockets, the server starts without, and commands need it stopped. */
async function serveAdmin({ admin, file }: State, log: Logger): Promise<AdminSocket | undefined> {
  if (admin === undefined || file === undefined) return undefined;
  try {
    return await listenOnAdminSocket(
      file,
      adminApi((who) => admin.as(who)),
    );
  } catch (error) {
    log.warn({ err: error }, "commands about accounts and keys cannot reach this server");
    return undefined;
  }
}

function metricsOf(
  { version, backups, publicUrl }: ServerOptions,
  state: State,
  http: () => HttpServer | undefined,
  backtestsReady: () => boolean | undefined,
): ServerMetrics {
  return new ServerMetrics({
    clock,
    version,
    store: {
      kind: state.file === undefined ? "redis" : "embedded",
      file: state.file,
      ping: () => state.accounts.ping(),
    },
    jobs: () => state.jobs.counts(),
    inFlight: () => http()?.inFlight() ?? 0,
    connections: () => http()?.connections() ?? 0,
    backtestsReady,
    backups,
    publicUrl,
  });
}

interface Served {
  readonly state: State;
  readonly metrics: ServerMetrics;
  readonly backtests: BacktestProcess | undefined;
  readonly accounts: AccountPagesParts | undefined;
  readonly operator: OperatorLinks;
}

interface AccountPagesParts extends Access {
  readonly asked: AccountPagesAsked;
  readonly open: typeof AccountPagesModule.openAccountPages;
}

/** The pages of accounts, if they are wanted and possible. Their code is loaded only then. */
async function accountsOf(
  options: ServerOptions,
  state: State,
): Promise<AccountPagesParts | undefined> {
  const { accountPages: asked, host, port, publicUrl, log } = options;
  if (asked === undefined) return undefined;
  const code = await import("./account-pages/open-account-pages.ts");
  // A server that only this machine reaches needs no other address.
  const own = isLoopback(host) ? originOf(host, port) : undefined;
  const reason = code.accountPagesFault({ publicUrl: publicUrl ?? own, smtpUrl: asked.smtpUrl });
  if (reason === undefined) {
    return { asked, open: code.openAccountPages, ...(await state.openAccess()) };
  }
  log.warn({ reason }, "the account page is off");
  return undefined;
}

function accountPagesOf(
  { log, plans }: ServerOptions,
  { state, metrics, accounts, operator }: Served,
  publicUrl: string,
  coin: () => string,
): AccountPages | undefined {
  if (accounts === undefined) return undefined;
  const { open, ...opened } = accounts;
  const shared = { clock, publicUrl, coin, log, plans: readPlans(plans), count: metrics.countLink };
  const about = () => plainSource(operator);
  return open({ ...shared, ...opened, about, accounts: state.accounts, jobs: state.jobs });
}

function serviceOf(options: ServerOptions, served: Served, port: number): Service {
  const { state, metrics, backtests, operator } = served;
  const { log, host, corsOrigins, publicUrl = originOf(host, port) } = options;
  const library = servedLibrary();
  const docs = documentation(library, publicUrl, operator);
  const site = siteOf(operator);
  const report = (error: unknown) => log.error({ err: error }, "pages cannot be loaded");
  setTimeout(() => {
    docs.start();
    site.problemPage().catch(report);
  }, PAGES_AFTER_MS).unref();
  const coin = (): string => service.answers?.snapshot.coins[0]?.ticker ?? "btc";
  const service = new Service({
    accounts: state.accounts,
    jobs: state.jobs,
    wakeBacktests: () => backtests?.wake(),
    backtestFault: (id) => backtests?.faultOn(id),
    checkSlots: new CheckSlots(),
    runCheck: checkRunner(options),
    endpoints: ENDPOINTS,
    tables: tableFiles(options.snapshots, (reason) =>
      log.error({ reason }, "a snapshot cannot be sent"),
    ),
    withholdsPrices: options.withholdsPrices,
    tableBytesPerDay: options.tableBytesPerDay,
    open: keylessResources(openPaths(library), docs),
    site,
    accountPages: accountPagesOf(options, served, publicUrl, coin),
    answerAssistant: async (request) => {
      const { mcpEndpoint } = await import("./assistants/mcp-endpoint.ts"); // large, and seldom used
      const origin = originOf(host, port);
      return await mcpEndpoint({ version: options.version, origin, publicUrl })(request);
    },
    publicUrl,
    corsOrigins,
    trustedProxies: options.trustedProxies,
    ...clock,
    isReachable: rememberedPing(() => state.accounts.ping(), clock.monotonicMs),
    log: serviceLog(log, clock.monotonicMs),
    meterOf: (routes) => metrics.meterOf(routes),
  });
  return service;
}

/** Takes no new requests and waits for those in flight. */
async function drain(service: Service, http: HttpServer, log: Logger): Promise<void> {
  service.draining = true;
  http.stopAccepting();
  const endChecks = setTimeout(() => service.parts.checkSlots.stop(), CHECKS_END_MS);
  const giveUpAt = clock.monotonicMs() + DRAIN_MAX_MS;
  while (http.inFlight() > 0 && clock.monotonicMs() < giveUpAt) {
    await sleep(DRAIN_STEP_MS);
  }
  clearTimeout(endChecks);
  if (http.inFlight() > 0) log.warn({ requests: http.inFlight() }, "gave up requests in flight");
}

async function closeAll(opened: Opened): Promise<void> {
  for (const close of opened.splice(0).toReversed()) await close();
}
