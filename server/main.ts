/** The HTTP program. It puts together accounts, jobs, snapshots, pages and the socket, with one clock and one log. */
import { openState, serveAdmin } from "../accounts/open-state.ts";
import { readPlans } from "../accounts/plans.ts";
import { listen, type HttpServer } from "./http/listen.ts";
import { originOf } from "./http/url.ts";
import { metricsOf } from "./metrics/metrics-of.ts";
import { serveMetrics } from "./metrics/metrics-server.ts";
import { BacktestProcess } from "./process/backtest-process.ts";
import { connectionLimit } from "./process/connection-limit.ts";
import { warnOfUser } from "./process/warn-of-user.ts";
import { drain } from "./requests/drain.ts";
import type { Service } from "./requests/service.ts";
import type { ServerOptions } from "./server-options.ts";
import { accountsOf, serviceOf } from "./service-of.ts";
import { followSnapshots } from "./snapshots/follow-snapshots.ts";

const NO_SNAPSHOT =
  'no snapshot that can be used: endpoints answer 503 until "hindsight pipeline" has published one';

export interface RunningServer {
  readonly origin: string;
  /** The text that Prometheus reads. */
  metrics(): Promise<string>;
  /** Takes no new requests, answers those in flight and closes everything. False if the backtest process did not end well. */
  stop(): Promise<boolean>;
}

/** Starting a process blocks the main thread for 10 to 20 ms, so the first answers come before it. */
const BACKTESTS_AFTER_MS = 50;

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
  const metrics = metricsOf(options, { state, clock }, () => http, jobsReady);
  const text = async () => await metrics.registry.text(await backtests?.metrics());
  const page = options.metrics && (await serveMetrics(options.metrics, log, text));
  opened.push(() => page?.close());

  let service: Service | undefined;
  const accounts = await accountsOf(options, state);
  const operator = { ...options.operator, hasAccounts: accounts !== undefined };
  const parts = { clock, state, metrics, backtests, accounts, operator };
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

async function closeAll(opened: Opened): Promise<void> {
  for (const close of opened.splice(0).toReversed()) await close();
}
